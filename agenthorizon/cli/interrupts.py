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
    interrupts = _Interrupts(halt)
    try:
        result = asyncio.run(interrupts.guard(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    if interrupts.came:
        raise KeyboardInterrupt
    return result


class _Interrupts:
    """Halts the work at the first interrupt, cancels it at the next."""

    def __init__(self, halt: Halt) -> None:
        self._halt = halt
        self._task: asyncio.Task[Any] | None = None
        self.came = False

    async def guard(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do the work; interrupts come here meanwhile."""
        self._task = asyncio.current_task()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._interrupt)
        return await work

    def _interrupt(self) -> None:
        if not self._halt.asked:
            sys.stderr.write("\ninterrupted: finishing what is in flight; once more to stop at once\n")
            self.came = True
            self._halt.ask()
        elif self._task is not None:
            self._task.cancel()
