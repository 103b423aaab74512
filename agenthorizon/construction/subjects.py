"""Gathers all that lies on disk about each labelled task, for an audit to look for the answer in."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenthorizon.construction.pictures import PictureFacts, Progress, look
from agenthorizon.construction.records import Records, TaskFacts
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.task import Task

_PICTURES = ("media", "images")


@dataclass(frozen=True)
class Subject:
    """One labelled task and everything beside it."""

    facts: TaskFacts
    label: Label
    group: str
    task: Task = field(repr=False)
    read: Callable[[], Any] = field(repr=False)
    """Parses its JSON again: a data set's records are not held all at once."""
    position: int
    """Its place in the order of the data set, from 0."""
    files: tuple[Path, ...] = ()
    """Files named after the task: its JSON, its Markdown page."""
    pictures: tuple[PictureFacts, ...] = field(default=(), repr=False)
    """Of every step that has one, in order."""

    @property
    def id(self) -> str:
        """The task's id."""
        return self.facts.id

    @property
    def record(self) -> Any:
        """The parsed JSON."""
        return self.read()

    @property
    def names(self) -> tuple[str, ...]:
        """The id, and the recorded path of every screenshot."""
        shots = [step.screenshot for step in self.task.trajectory.steps if step.screenshot]
        return (self.id, *dict.fromkeys(shots))


def gather(bench: Bench, records: Records, progress: Progress | None = None) -> list[Subject]:
    """Take every labelled task that could be read, what its screenshots carry, and which files are named after it.

    Raises DataError when the data set has no labels.
    """
    facts = {task.id: task for task in records.tasks if task.id in bench.labels}
    pictures = look((path for task in facts.values() for path in task.pictures), decode=False, progress=progress)
    files = _files_of(bench, facts)
    return [
        _subject(bench, facts[task_id], position, files.get(task_id, ()), pictures)
        for position, task_id in enumerate(
            task_id for ids in bench.splits.values() for task_id in ids if task_id in facts
        )
    ]


def _subject(
    bench: Bench, facts: TaskFacts, position: int, files: tuple[Path, ...], pictures: Mapping[Path, PictureFacts]
) -> Subject:
    return Subject(
        facts=facts,
        label=bench.labels[facts.id],
        group=bench.labels.groups[facts.id],
        task=bench[facts.id],
        read=lambda: bench.files.read(facts.id).record,
        position=position,
        files=files,
        pictures=tuple(pictures[path] for path in facts.pictures),
    )


def _files_of(bench: Bench, ids: Mapping[str, object]) -> dict[str, tuple[Path, ...]]:
    """Return the files named after each task. A data set that is one file has none."""
    if not bench.root.is_dir() or Path(bench.location).is_file():
        return {}
    found: dict[str, list[Path]] = {}
    for path in _walk(bench.root):
        if path.stem in ids:
            found.setdefault(path.stem, []).append(path)
    return {task_id: tuple(sorted(paths)) for task_id, paths in found.items()}


def _walk(root: Path) -> Iterator[Path]:
    """Yield the files below a folder, leaving out those of screenshots, of which there are a hundred thousand."""
    for folder, folders, names in os.walk(root):
        folders[:] = [] if Path(folder).parts[-2:] == _PICTURES else sorted(folders)
        yield from (Path(folder, name) for name in names)
