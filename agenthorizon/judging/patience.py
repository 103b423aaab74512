"""How long an attempt waits on others: its time runs while a judge waits for an answer, not while this machine works.

Screenshots are decoded and encoded here, on a few threads that all tasks share; what that takes says nothing about the
endpoint that is asked. A judge has it done by `beside_the_loop`.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PATIENCE: "ContextVar[_Patience | None]" = ContextVar("patience", default=None)


class _Patience:
    """One attempt's time: stands still as long as anything is being prepared for it."""

    def __init__(self, deadline: asyncio.Timeout) -> None:
        self._deadline = deadline
        self._working = 0
        self._left = 0.0

    def begin(self) -> None:
        """Let the time stand still."""
        due = self._deadline.when()
        if self._working == 0 and due is not None:
            self._left = due - asyncio.get_running_loop().time()
            self._deadline.reschedule(None)
        self._working += 1

    def end(self) -> None:
        """Let it run again where nothing else is being prepared."""
        self._working -= 1
        if self._working == 0 and not self._deadline.expired():
            self._deadline.reschedule(asyncio.get_running_loop().time() + self._left)


@contextmanager
def waiting(deadline: asyncio.Timeout) -> Iterator[None]:
    """Have `own_work` inside stop a deadline's time; one without a limit never ends."""
    token = _PATIENCE.set(_Patience(deadline) if deadline.when() is not None else None)
    try:
        yield
    finally:
        _PATIENCE.reset(token)


@contextmanager
def own_work() -> Iterator[None]:
    """Work of this machine for an attempt, which its time limit does not count; outside of an attempt it is nothing."""
    patience = _PATIENCE.get()
    if patience is None:
        yield
        return
    patience.begin()
    try:
        yield
    finally:
        patience.end()
