"""Shows on stderr how far a count has come: a bar in a terminal, a plain line every few seconds elsewhere."""

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

PLAIN_EVERY = 5.0
"""Seconds between two plain lines."""


class ProgressBar:
    """Shows how many of one kind of thing are done, or of one kind after another. Use it as a context manager."""

    def __init__(self, what: str) -> None:
        console = Console(stderr=True)
        self._what = what
        self._plain = not console.is_terminal
        self._started = self._printed = time.monotonic()
        columns = (TextColumn("{task.description}"), BarColumn(24), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, disable=self._plain)
        self._task = self._progress.add_task(what, total=None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def at(self, done: int, total: int, what: str = "") -> None:
        """Say how many are done, of how many; of `what`, where it is something else than before."""
        now = time.monotonic()
        if what and what != self._what:
            self._what, self._started = what, now
        self._progress.update(self._task, completed=done, total=total, description=self._what)
        if self._plain and now - self._printed >= PLAIN_EVERY:
            self._printed = now
            rate = done / max(1e-9, now - self._started)
            left = (total - done) / rate
            sys.stderr.write(f"{self._what}: {done}/{total}, {rate:.0f}/s, {left:.0f} s left\n")
