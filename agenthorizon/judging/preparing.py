"""Prepares what is sent: on one thread for all attempts, and at nobody's expense of time.

One, because this is Python's work, of which only one piece runs at a time: more threads would be no faster, and each
would hold its own screenshots. What is heavy, decoding, has threads of its own.
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
    """Return what a function makes, called on that thread; an attempt's time limit does not count it."""
    context = copy_context()
    with own_work():
        return await asyncio.get_running_loop().run_in_executor(_thread(), lambda: context.run(make, *given, **named))


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="preparing")


if hasattr(os, "register_at_fork"):  # a forked process has the pool, but not its thread
    os.register_at_fork(after_in_child=_thread.cache_clear)
