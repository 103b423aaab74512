"""Which tasks may become training data: those of a development split, and none that AH or AH-S has.

A split's name alone lets nothing through: a task of AH is known again by its id, its recording, and its instruction
with its actions, which a copy under another id and with renamed screenshots still has.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.dataset.splits import CLASSES, DEVELOPMENT, MAIN, SIMPLE
from agenthorizon.errors import UsageError
from agenthorizon.task import Task

HELD_OUT = (MAIN, SIMPLE)
"""Splits that judges are measured on."""
OWN_NAMES = ("train", "training", "dev", "development")
"""What a split of one's own must be called to be for training, in any letter case."""

_HOW = f"training data is made of {DEVELOPMENT}, or of a split of your own that is named {', '.join(OWN_NAMES)}"


def is_for_training(split: str) -> bool:
    """Whether a split's name says that it is for training."""
    return split == DEVELOPMENT or split.lower() in OWN_NAMES


def training_splits(labels: Labels, chosen: Sequence[str] | None) -> list[str]:
    """Return the splits of `labels` to make training data of: those chosen, else all that are for it.

    Raises UsageError where one that is chosen is not, where none is, and where one has the published counts of AH or
    AH-S under another name.
    """
    names = [name for name in labels.splits if is_for_training(name)] if chosen is None else list(chosen)
    if refused := [name for name in names if not is_for_training(name)]:
        raise UsageError(f"{', '.join(refused)} is no training data; {_HOW}")
    if not names:
        raise UsageError(f"the labels have {', '.join(labels.splits)} and nothing to train on; {_HOW}")
    for name in names:
        if same := _published_counts(labels.splits.get(name, ())):
            raise UsageError(f"{name} has exactly as many positives and negatives as {same}, which is no training data")
    return names


def _published_counts(labels: Iterable[Label]) -> str | None:
    answers = [label.is_positive for label in labels]
    found = sum(answers), len(answers) - sum(answers)
    return next((split for split, counts in CLASSES.items() if counts == found), None)


class HeldOut:
    """The tasks of AH and AH-S that are known here."""

    def __init__(self, benches: Iterable[Bench], labels: Labels | None = None) -> None:
        """Take the data sets whose held-out tasks are looked for, and labels from elsewhere that may name more."""
        self._whose: dict[str, str] = {}
        for bench in benches:
            for split in HELD_OUT:
                for task_id in bench.splits.get(split, ()):
                    self._whose |= dict.fromkeys(_marks(bench[task_id]), f"{split} of {bench.name}")
        for split, of_split in labels.splits.items() if labels else ():
            if split in HELD_OUT:
                self._whose |= {f"id {label.trajectory_id}": f"{split} of the labels" for label in of_split}

    def refuse(self, tasks: Iterable[Task]) -> None:
        """Raise UsageError where one of these tasks is held out, whatever its split is called."""
        found = {task.id: whose for task in tasks if (whose := self._found(task))}
        if found:
            task_id, whose = next(iter(found.items()))
            raise UsageError(
                f"{len(found)} of the tasks to train on are tasks of AH or AH-S, which judges are measured on "
                f"(first: {task_id} is one of {whose}); take them out of the split"
            )

    def _found(self, task: Task) -> str | None:
        return next((self._whose[mark] for mark in _marks(task) if mark in self._whose), None)


def _marks(task: Task) -> Iterator[str]:
    """Yield what a task is known again by."""
    yield f"id {task.id}"
    steps = task.trajectory.steps
    if any(step.screenshot for step in steps):  # else a few actions may be alike by chance
        yield f"recording {task.trajectory.recording}"
    actions = [step.action and step.action.model_dump(mode="json") for step in steps]
    content = json.dumps([task.instruction.split(), actions], sort_keys=True)
    yield f"content {hashlib.sha256(content.encode()).hexdigest()}"
