"""Shows a run's progress on stderr: live bars in a terminal, a plain line now and then elsewhere."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn

from agenthorizon.cli import printable
from agenthorizon.cli.bars import PLAIN_EVERY, Bars
from agenthorizon.cli.findings import summed
from agenthorizon.cli.malformed_replies import advice
from agenthorizon.cli.plan_words import said_unsendable
from agenthorizon.cli.tally import Tally
from agenthorizon.errors import Finding
from agenthorizon.outcome import Outcome
from agenthorizon.running.planning import Planned

UNREACHED = 3
"""So many first attempts in a row without a connection are told."""


@dataclass
class _Bar:
    """One run's progress."""

    name: str
    """The judge's, as it is printed."""
    task: TaskID
    tally: Tally
    printed: float
    """When its last plain line was printed, in seconds."""
    unreached: int = 0
    """Attempts at its beginning that found no server, as long as there was no other."""
    unread: list[Outcome] = field(default_factory=list)
    """Its malformed replies, until one holds a verdict."""
    has_verdict: bool = False


class Display(Bars):
    """A Watcher for people. Use it as a context manager."""

    def __init__(self) -> None:
        super().__init__(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.fields[tally]}", markup=False),
        )
        self._bars: dict[Path, _Bar] = {}
        """By run folder: two judges may have one name."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        for folder, bar in self._bars.items():
            tally = bar.tally
            if tally.done or tally.pending:
                self._say(f"{bar.name}: {tally.done} asked" + (f": {tally.summary}" if tally.summary else ""))
                for words in tally.words:
                    self._say(printable(f"  {words}"))
                for line in advice(folder, bar.unread):
                    self._say(line)

    def checked(self, warnings: Sequence[Finding]) -> None:
        """Print the data's warnings, summed by kind."""
        for line in summed(warnings):
            self._say(line)

    def opened(self, judge: str, folder: Path, settled: int, pending: int) -> None:
        """Begin a judge's bar."""
        name, now = printable(judge), time.monotonic()
        before = f", {settled} settled before" if settled else ""
        self._say(f"{name}: {pending} to ask{before}; {folder}")
        task = self._progress.add_task(name[:40], total=settled + pending, completed=settled, tally="")
        self._bars[folder] = _Bar(name, task, Tally(settled, pending, now), now)

    def cannot_send(self, folder: Path, tasks: Sequence[Planned]) -> None:
        """Say how many tasks fit into no request, as `tasks --plan` does."""
        for line in said_unsendable(tasks):
            self._say(printable(f"{self._bars[folder].name}: {line}"))

    def wrote(self, folder: Path, outcome: Outcome, *, last: bool) -> None:
        """Count an outcome."""
        bar, now = self._bars[folder], time.monotonic()
        tally = bar.tally
        tally.add(outcome, last=last, now=now)
        self._warn_of_no_server(bar, outcome)
        bar.has_verdict |= outcome.status == "verdict"
        bar.unread = [] if bar.has_verdict else [*bar.unread, *([outcome] if outcome.status == "malformed" else [])]
        line = f"{tally.summary}{tally.pace(now)}"
        self._progress.update(bar.task, completed=tally.settled + tally.done, tally=line)
        if self._plain and now - bar.printed >= PLAIN_EVERY:
            bar.printed = now
            self._say(f"{bar.name}: {tally.settled + tally.done}/{tally.settled + tally.pending} {line}")

    def _warn_of_no_server(self, bar: _Bar, outcome: Outcome) -> None:
        """Say once, after the first few attempts, that nothing answers at the address: retries take minutes."""
        if outcome.error is None or outcome.error.kind != "connection":
            bar.unreached = UNREACHED  # a server was there
        elif bar.unreached < UNREACHED:
            bar.unreached += 1
            if bar.unreached == UNREACHED:
                self._say(printable(f"{bar.name}: cannot be reached, asked again: {outcome.error.message}"))
