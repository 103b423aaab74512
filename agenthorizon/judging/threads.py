"""Calls a plain function beside the event loop, in a thread that no process waits for when it ends.

It is code of the user's own and may never return; a thread of the standard library's pools would then hold up the exit
of a run whose outcomes are all written.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


async def in_a_thread(function: Callable[_Given, _Answer], *given: _Given.args, **named: _Given.kwargs) -> _Answer:
    """Return what a function returns, or raise what it raises; it runs on where the caller is cancelled."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[_Answer] = loop.create_future()

    def settle(act: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if ended.done() else act())

    def work() -> None:
        try:
            answer = function(*given, **named)
        except BaseException as error:  # noqa: BLE001  whoever awaits it raises it
            failure = error
            settle(lambda: ended.set_exception(failure))
        else:
            settle(lambda: ended.set_result(answer))

    threading.Thread(target=work, name="judge", daemon=True).start()
    return await ended
