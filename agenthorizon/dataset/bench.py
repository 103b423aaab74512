"""Bench: a data set opened for judging: lazy tasks by split, where their screenshots lie, and, apart, their labels."""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.dataset.pairs import PairingFacts
from agenthorizon.dataset.schema import Place, read_task
from agenthorizon.dataset.screenshots import Locator, Screenshot, verified
from agenthorizon.dataset.splits import in_order
from agenthorizon.dataset.survey import Progress, Survey
from agenthorizon.dataset.task_files import TaskFiles
from agenthorizon.errors import DataError, Finding, UsageError, did_you_mean
from agenthorizon.task import Task

if TYPE_CHECKING:
    from datasets import Dataset


@dataclass(frozen=True)
class Bench:
    """A data set. Opening it reads labels and an index; a task is read when asked for, a screenshot when judged."""

    name: str
    """Short name for folders and tables."""
    form: str
    """Which layout was found, e.g. `three-split`; rows of different forms are never compared."""
    location: str
    """What the user named."""
    root: Path
    """The folder that holds everything; no screenshot outside it is ever opened."""
    files: TaskFiles
    splits: Mapping[str, tuple[str, ...]]
    """Split → its task ids (tasks that exist)."""
    warnings: tuple[Finding, ...] = ()
    """What was unusual when the data set was opened."""
    faults: tuple[Finding, ...] = ()
    """Records and labels that cannot be used and are left out of `splits`. `load` refuses a data set with any."""
    label_splits: Labels | None = None
    """The labels where there are any; use `labels`."""

    def __repr__(self) -> str:
        splits = ", ".join(f"{name} {len(ids)}" for name, ids in self.splits.items())
        return f"<Bench {self.name} ({self.form}): {splits}>"

    def __len__(self) -> int:
        return sum(len(ids) for ids in self.splits.values())

    def __iter__(self) -> Iterator[Task]:
        return (self[task_id] for ids in self.splits.values() for task_id in ids)

    def __getitem__(self, task_id: str) -> Task:
        """Read one task. Raises DataError when its record is broken, UsageError for an unknown id."""
        if task_id not in self._split_of:
            raise UsageError(f"{self.name} has no task {task_id!r}")
        raw = self.files.read(task_id)
        return read_task(raw.record, raw.place)

    @property
    def labels(self) -> Labels:
        """The labels, another object than the tasks. Raises DataError where the data set has none."""
        if self.label_splits is None:
            raise DataError(f"{self.location} has no label file; give one with labels= or --labels")
        return self.label_splits

    def with_labels(self, splits: Mapping[str, Iterable[Label]]) -> "Bench":
        """Return the same data set with its labels, by split."""
        return replace(self, label_splits=Labels(splits, self.facts))

    @cached_property
    def _split_of(self) -> dict[str, str]:
        return {task_id: name for name, ids in self.splits.items() for task_id in ids}

    def split_of(self, task_id: str) -> str:
        """Return the split a task is in."""
        return self._split_of[task_id]

    def screenshots(self, task: Task) -> list[Screenshot]:
        """Find the screenshot of every step, in order; nothing is opened."""
        bases = self.files.bases(task.id)
        locator = Locator(self.root, bases)  # of this task alone: a folder may be another one by the time of the next
        return [locator.locate(step.screenshot) for step in task.trajectory.steps]

    def verified_screenshots(self, task: Task) -> list[Screenshot]:
        """Find the screenshot of every step, as missing where the file is no image.

        A task in which `check` found nothing missing is believed: its files are not opened once more. Raises DataError
        where one of them is gone since: thinner evidence than was looked at is no evidence.
        """
        shots = self.screenshots(task)
        if not self._survey.is_sound(task.id):
            return [verified(shot) for shot in shots]
        place = Place(task.id)
        gone = [place.finding(shot.fault, shot.detail, index=index) for index, shot in enumerate(shots) if shot.fault]
        if gone:
            raise DataError(f"screenshots of {task.id} were there when the data was checked and are gone", gone)
        return shots

    def select(
        self,
        split: str | Iterable[str] | None = None,
        ids: Iterable[str] | None = None,
        limit: int | None = None,
        seed: int = 0,
    ) -> list[str]:
        """Return task ids in the order of the data set.

        `limit` takes whole pair groups, drawn with `seed` from one split after the other, AH first, until at least that
        many tasks are in; without labels, tasks that share a recording stay together. Raises UsageError for an unknown
        split or id.
        """
        if isinstance(split, str):
            split = [split] if split in self.splits else split.split(",")
        names = list(self.splits if split is None else split)
        if unknown := [name for name in names if name not in self.splits]:
            near = did_you_mean(unknown[0], self.splits) or ";"
            raise UsageError(f"unknown split {', '.join(unknown)}{near} {self.name} has {', '.join(self.splits)}")
        chosen = [task_id for name in dict.fromkeys(names) for task_id in self.splits[name]]
        if ids is not None:
            wanted = set(ids)
            if strangers := sorted(wanted.difference(chosen)):
                more = f" and {len(strangers) - 3} more" if len(strangers) > 3 else ""
                raise UsageError(f"not in {', '.join(names)} of {self.name}: {', '.join(strangers[:3])}{more}")
            chosen = [task_id for task_id in chosen if task_id in wanted]
        return chosen if limit is None else self._limited(chosen, limit, seed)

    def _limited(self, chosen: list[str], limit: int, seed: int) -> list[str]:
        if limit < 1:
            raise UsageError(f"limit must be at least 1, not {limit}")
        groups: dict[str, list[str]] = defaultdict(list)
        for task_id in chosen:
            groups[self.group_of(task_id)].append(task_id)
        order = sorted(groups)
        random.Random(seed).shuffle(order)
        taken: set[str] = set()
        for group in self._by_turns(order, groups):
            if len(taken) >= limit:
                break
            taken.update(groups[group])
        return [task_id for task_id in chosen if task_id in taken]

    def _by_turns(self, order: Sequence[str], groups: Mapping[str, Sequence[str]]) -> list[str]:
        """Return groups so that splits take turns, the one that ranks first: a few tasks can be scored then."""
        turns: dict[str, list[str]] = defaultdict(list)
        for group in order:
            turns[in_order(self.split_of(task_id) for task_id in groups[group])[0]].append(group)
        rounds = zip_longest(*(turns[name] for name in in_order(turns)))
        return [group for each in rounds for group in each if group is not None]

    def group_of(self, task_id: str) -> str:
        """Return the pair group of a task, or what ties it to others where there are no labels."""
        if self.label_splits is not None and task_id in self.label_splits.groups:
            return self.label_splits.groups[task_id]
        facts = self.facts(task_id)
        return (facts and facts.recording) or task_id

    def facts(self, task_id: str) -> PairingFacts | None:
        """Return a task's instruction and recording, or None for an unknown id."""
        if task_id not in self._split_of:
            return None
        task = self[task_id]
        is_told = any(step.screenshot for step in task.trajectory.steps)
        return PairingFacts(task.instruction, task.trajectory.recording if is_told else None)

    def check(self, ids: Iterable[str] | None = None) -> list[Finding]:
        """Read every record (or those of `ids`) and look at every screenshot's first bytes.

        Returns the warnings, those of opening included. Raises DataError with the faults of all records at once.
        """
        chosen = list(self._split_of if ids is None else ids)
        try:
            found = self._survey.findings(chosen)
        finally:
            self._survey.forget(chosen)  # whoever checks again has mended something
        return [*self.warnings, *found, *(self.label_splits.warnings() if self.label_splits else [])]

    @property
    def fingerprint(self) -> str:
        """SHA-256 over every record and the name and size of every screenshot; pixels and labels are not in it."""
        return self.take_fingerprint(lambda done, total: None)

    def take_fingerprint(self, progress: Progress, checking: Collection[str] = ()) -> str:
        """Return the fingerprint, taken once; `progress` is told how many records are read, of how many.

        Tasks of `checking` are looked at in the same reading, which the next `check` of them is spared.
        """
        return self._survey.fingerprint(progress, checking)

    @cached_property
    def _survey(self) -> Survey:
        return Survey(self.files, self.root, tuple(self._split_of))

    def dataset(self, split: str | None = None) -> "Dataset":
        """Return the tasks (no labels) as a Hugging Face Dataset whose images are decoded on access."""
        from agenthorizon.dataset.hf_dataset import to_dataset

        return to_dataset(self, split)
