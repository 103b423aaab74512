"""Ctrl-C: once finishes what is in flight, twice stops at once; either leaves a good run."""

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

from agenthorizon.running.watching import Halt

Result = TypeVar("Result")


def run_interruptibly(work: Coroutine[Any, Any, Result], halt: Halt) -> Result:
    """Run a coroutine to its end. Raises KeyboardInterrupt when it was interrupted, once it has ended."""

    async def guarded() -> Result:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None

        def interrupt() -> None:
            if halt.asked:
                task.cancel()
            else:
                sys.stderr.write("\ninterrupted: finishing what is in flight; once more to stop at once\n")
                halt.ask()
                interrupted.append(True)

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, interrupt)
        return await work

    interrupted: list[bool] = []
    try:
        result = asyncio.run(guarded())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    if interrupted:
        raise KeyboardInterrupt
    return result
