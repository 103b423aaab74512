"""What sees a run progress, and what asks it to stop. The runner itself prints nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from agenthorizon.errors import Finding
from agenthorizon.outcome import Outcome
from agenthorizon.running.planning import Planned


class Watcher(Protocol):
    """Sees a run progress."""

    def checked(self, warnings: Sequence[Finding]) -> None:
        """Take the data's warnings, before anything is asked."""

    def opened(self, judge: str, folder: Path, settled: int, pending: int) -> None:
        """Take note of a run folder: what it holds already and what is to be asked."""

    def cannot_send(self, folder: Path, tasks: Sequence[Planned]) -> None:
        """Take note of the tasks to be asked that fit into no request; called once a folder is opened, if any do."""

    def wrote(self, folder: Path, outcome: Outcome, *, last: bool) -> None:
        """Take an attempt that was written into a run folder that was opened; `last` unless the task is asked again."""


class Silent:
    """Watches nothing."""

    def checked(self, warnings: Sequence[Finding]) -> None:
        """Ignore."""

    def opened(self, judge: str, folder: Path, settled: int, pending: int) -> None:
        """Ignore."""

    def cannot_send(self, folder: Path, tasks: Sequence[Planned]) -> None:
        """Ignore."""

    def wrote(self, folder: Path, outcome: Outcome, *, last: bool) -> None:
        """Ignore."""


class Halt:
    """A request to stop: what is in flight is finished and written, nothing new is begun."""

    def __init__(self) -> None:
        self.asked = False
        self._heard: list[Callable[[], None]] = []

    def ask(self) -> None:
        """Ask for it."""
        self.asked = True
        for hear in self._heard:
            hear()

    def tell(self, hear: Callable[[], None]) -> None:
        """Have `hear` called when it is asked for."""
        self._heard.append(hear)
