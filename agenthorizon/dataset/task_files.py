"""What a source promises about its records: which there are, how one is read, where its screenshots may lie."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from agenthorizon.dataset.schema import Place


class RawTask(NamedTuple):
    """One parsed record and where it stands."""

    record: Any
    place: Place


class TaskFiles(Protocol):
    """Where a source keeps its records; reads one at a time."""

    def ids(self) -> Sequence[str]:
        """Return every task id, in a fixed order, also those of no split."""

    def read(self, task_id: str) -> RawTask:
        """Parse one record. Raises DataError when its file is broken or gone."""

    def bases(self, task_id: str) -> tuple[Path, ...]:
        """Return the folders a task's screenshot paths may be relative to, the first that holds one wins."""
