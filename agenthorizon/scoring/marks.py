"""Marks: what became of each labelled task, the rows from which everything about a judge is counted."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from agenthorizon.dataset.label import Label
from agenthorizon.scoring.answers import MISSING, Answer


@dataclass(frozen=True, slots=True)
class Mark:
    """One task of the manifest and a judge's answer to it."""

    label: Label
    group: str
    """The task's pair group."""
    answer: Answer
    was_asked: bool = True

    @property
    def task_id(self) -> str:
        """Id of the task."""
        return self.label.trajectory_id

    @property
    def is_positive(self) -> bool:
        """Whether the label is positive."""
        return self.label.is_positive

    @property
    def is_right(self) -> bool:
        """Whether the verdict is the label's; without a verdict it is not."""
        return self.answer.success is self.label.is_positive

    @property
    def names_mistake(self) -> bool:
        """Whether a negative was judged a failure and for the labelled reason."""
        return self.answer.success is False and self.answer.mistake_type == self.label.mistake_type


Marks = tuple[Mark, ...]
"""A judge's marks on the tasks of one split or a part of it."""


def mark(
    labels: Iterable[Label],
    answers: Mapping[str, Answer],
    groups: Mapping[str, str],
    asked: Collection[str] | None = None,
) -> Marks:
    """Set a judge's answers beside the labels; `groups` names the pair group of each task, `asked` None means all."""

    def made(label: Label) -> Mark:
        name = label.trajectory_id
        return Mark(label, groups[name], answers.get(name, MISSING), asked is None or name in asked)

    return tuple(made(label) for label in labels)
