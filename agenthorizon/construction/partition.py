"""The difficulty partition: tasks that splitters often judge wrong are the frontier split AH, the others AH-S.

The published rule: AH-D is set aside first, by whole pair groups (`drawing.hold_out`). Three splitters judge every
other task 8 times each; of the 24 verdicts an invalid one counts as wrong; at most 18 right → AH, else AH-S. It goes
task by task, so one pair group may lie in both. Any number of splitters and repeats, and any limit, can stand in its
place.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from agenthorizon.dataset.splits import MAIN, SIMPLE
from agenthorizon.errors import DataError, Finding, UsageError

Verdicts = Mapping[str, Mapping[str, Sequence[bool | None]]]
"""Splitter → task id → `success` of each of its repeated verdicts, None where a reply was invalid or none came."""

PUBLISHED_SHARE = (3, 4)
"""18 of 24: a task is of the frontier when at most this share of its verdicts is right."""


@dataclass(frozen=True)
class Rule:
    """How many right verdicts of how many make a task simple."""

    splitters: int = 3
    repeats: int = 8
    """Verdicts of each splitter on each task."""
    at_most: int = 18
    """A task with at most this many right verdicts is of the frontier."""

    def __post_init__(self) -> None:
        if self.splitters < 1 or self.repeats < 1 or not 0 <= self.at_most < self.verdicts:
            raise UsageError(
                f"{self.splitters} splitters × {self.repeats} verdicts with a limit of {self.at_most} right ones: "
                f"the limit must lie from 0 to {max(0, self.verdicts - 1)}, else one split takes every task"
            )

    @property
    def verdicts(self) -> int:
        """Verdicts on one task."""
        return self.splitters * self.repeats

    @classmethod
    def like_published(cls, splitters: int, repeats: int) -> Self:
        """Return the published rule for other numbers of verdicts: the limit is three quarters, rounded down.

        One splitter with 8 verdicts gives at most 6, the limit of the earlier release.
        """
        numerator, denominator = PUBLISHED_SHARE
        return cls(splitters, repeats, splitters * repeats * numerator // denominator)


PUBLISHED = Rule()


@dataclass(frozen=True)
class Partition:
    """What a rule made of the verdicts."""

    rule: Rule
    right: Mapping[str, int]
    """Task id → number of right verdicts, in the order of the labels."""

    @property
    def frontier(self) -> tuple[str, ...]:
        """Ids of AH."""
        return tuple(task_id for task_id, right in self.right.items() if right <= self.rule.at_most)

    @property
    def simple(self) -> tuple[str, ...]:
        """Ids of AH-S."""
        return tuple(task_id for task_id, right in self.right.items() if right > self.rule.at_most)

    def splits(self) -> dict[str, tuple[str, ...]]:
        """Return both by their names."""
        return {MAIN: self.frontier, SIMPLE: self.simple}


def partition(
    verdicts: Verdicts,
    is_positive: Mapping[str, bool],
    held_out: Collection[str] = (),
    rule: Rule = PUBLISHED,
) -> Partition:
    """Count each task's right verdicts under `rule`, leaving out the tasks held out for AH-D.

    `is_positive` says of every task, in the order wanted, whether it succeeded. Raises UsageError when the splitters
    are not as many as the rule's, DataError naming every task that lacks verdicts or has more than the rule counts:
    which of them count must be said, not guessed.
    """
    if len(verdicts) != rule.splitters:
        found = ", ".join(verdicts) or "none"
        raise UsageError(f"the rule counts {rule.splitters} splitters, found {len(verdicts)}: {found}")
    aside = set(held_out)
    wanted = [task_id for task_id in is_positive if task_id not in aside]
    if faults := list(_incomplete(verdicts, wanted, rule.repeats)):
        raise DataError(f"{len(faults)} verdicts are not what the rule counts", faults)
    exact = _exact(verdicts)
    right = {task_id: sum(marks[task_id].count(is_positive[task_id]) for marks in exact) for task_id in wanted}
    return Partition(rule, right)


def _exact(verdicts: Verdicts) -> list[dict[str, list[bool | None]]]:
    """Return verdicts with anything but true and false as None: 1 equals true, but is no verdict."""
    return [
        {task_id: [mark if isinstance(mark, bool) else None for mark in marks] for task_id, marks in by_task.items()}
        for by_task in verdicts.values()
    ]


def _incomplete(verdicts: Verdicts, wanted: Sequence[str], repeats: int) -> Iterable[Finding]:
    for splitter, by_task in verdicts.items():
        for task_id in wanted:
            if (found := len(by_task.get(task_id, ()))) != repeats:
                detail = f"{task_id} has {found} verdicts, the rule counts {repeats}"
                yield Finding("verdicts_missing" if found < repeats else "too_many_verdicts", splitter, detail=detail)
