"""Does an attempt's own work beside the event loop, at nobody's expense of time: no time limit of an attempt counts it.

What is sent is prepared on one thread for all attempts: it is Python's work, of which only one piece runs at a time, so
that more threads would be no faster, and each would hold its own screenshots. What is heavy, decoding, has threads of
its own. Work on the disk is done on the loop's threads, which wait for the disk side by side.
"""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from typing import ParamSpec, TypeVar

from agenthorizon.judging.patience import own_work

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


async def prepared(make: Callable[_Given, _Made], *given: _Given.args, **named: _Given.kwargs) -> _Made:
    """Return what a function that computes makes, called on the one thread."""
    context = copy_context()
    with own_work():
        return await asyncio.get_running_loop().run_in_executor(_thread(), lambda: context.run(make, *given, **named))


async def on_disk(work: Callable[_Given, _Made], *given: _Given.args, **named: _Given.kwargs) -> _Made:
    """Return what a function returns that reads or writes files, called on one of the loop's threads."""
    with own_work():
        return await asyncio.to_thread(work, *given, **named)


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="preparing")


if hasattr(os, "register_at_fork"):  # a forked process has the pool, but not its thread
    os.register_at_fork(after_in_child=_thread.cache_clear)
