"""Shows on stderr how far a count has come: a bar in a terminal, a plain line every few seconds elsewhere."""

import time

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from agenthorizon.cli.bars import PLAIN_EVERY, Bars


class ProgressBar(Bars):
    """Shows how many of one kind of thing are done, or of one kind after another. Use it as a context manager."""

    def __init__(self, what: str) -> None:
        super().__init__(TextColumn("{task.description}"), BarColumn(24), MofNCompleteColumn(), TimeRemainingColumn())
        self._what = what
        self._started = self._printed = time.monotonic()
        self._task = self._progress.add_task(what, total=None)

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
            self._say(f"{self._what}: {done}/{total}, {rate:.0f}/s, {left:.0f} s left")
