"""The tasks of a data set as the page shows them, apart from any judge: read once, however often runs change."""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.labels import Labels
from agenthorizon.dataset.screenshots import Screenshot, verified
from agenthorizon.evidence.actions import wording
from agenthorizon.evidence.blind import MISSING, NONE_TAKEN, opaque_id
from agenthorizon.evidence.safe_text import escape, safe_text
from agenthorizon.report.page.album import Album
from agenthorizon.report.page.pointers import pointer
from agenthorizon.task import Step


@dataclass(frozen=True)
class TaskEntry:
    """A task in the list."""

    key: str
    """Names its file: a hash, as a judge would be given."""
    id: str
    split: str
    instruction: str
    os: str
    apps: tuple[str, ...]
    steps: int


class Catalogue:
    """A data set opened for the page."""

    def __init__(self, bench: Bench, album: Album | None) -> None:
        """Take the data set and where its pictures get their names; None leaves pictures out."""
        self.bench = bench
        self.album = album

    @cached_property
    def tasks(self) -> dict[str, TaskEntry]:
        """Every task of every split by id, in the order of the data set."""
        return {task_id: self._entry(name, task_id) for name, ids in self.bench.splits.items() for task_id in ids}

    @cached_property
    def ids(self) -> dict[str, str]:
        """The task id behind each key."""
        return {entry.key: entry.id for entry in self.tasks.values()}

    @property
    def labels(self) -> Labels | None:
        """The labels, where the data set has any."""
        return self.bench.label_splits

    def _entry(self, split: str, task_id: str) -> TaskEntry:
        task = self.bench[task_id]
        return TaskEntry(
            key=opaque_id(task_id),
            id=task_id,
            split=split,
            instruction=safe_text(task.instruction),
            os=escape(task.trajectory.os or ""),
            apps=tuple(escape(name) for name in task.applications),
            steps=len(task.trajectory.steps),
        )

    def steps(self, task_id: str) -> list[dict[str, Any]]:
        """Return a task's steps as JSON objects: picture, its size, the action in words and as it is drawn."""
        task = self.bench[task_id]
        shots = self.bench.screenshots(task)
        screen = task.trajectory.screen_resolution
        return [self._step(step, shot, screen) for step, shot in zip(task.trajectory.steps, shots, strict=True)]

    def _step(self, step: Step, found: Screenshot, screen: tuple[int, int] | None) -> dict[str, Any]:
        shown = {"wording": wording(step.action), "action": asdict(pointer(step.action))}
        if self.album is None:
            return shown | {"image": None, "size": screen, "note": ""}
        shot = verified(found)
        size = self.album.size(shot.path) if shot.path else None
        if shot.path is None or size is None:
            note = NONE_TAKEN if shot.path is None and not shot.is_missing else MISSING
            return shown | {"image": None, "size": screen, "note": note}
        return shown | {"image": self.album.name(shot.path), "size": size, "note": ""}
