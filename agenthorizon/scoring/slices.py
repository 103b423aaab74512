"""A judge's scores on parts of a split: by operating system, application, number of steps, or any other field."""

import bisect
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import quantiles
from typing import Any

from agenthorizon.scoring.marks import Mark, Marks
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.split_score import SplitScore, split_score

Values = Mapping[str, Sequence[str | float]]
"""Task id → its values of one field. A task with several (applications) is in several slices."""

NOT_RECORDED = "not recorded"
TOO_WIDE = 0.3
"""A slice whose interval is wider than this tells no judge that knows much from one that knows little."""
PARTS = 4
"""Slices that a field of many numbers is cut into, of about equally many tasks."""


@dataclass(frozen=True)
class Slice:
    """One judge on the tasks of a split that have one value of a field."""

    by: str
    value: str
    split: str
    score: SplitScore

    @property
    def note(self) -> str:
        """What keeps a reader from concluding anything: one class absent, or too few tasks."""
        one_class = not (self.score.positives and self.score.negatives)
        notes = ["positives only" if self.score.positives else "negatives only"] if one_class else []
        estimate = self.score.accuracy if one_class else self.score.balanced_accuracy
        if estimate.low is not None and estimate.high is not None and estimate.high - estimate.low > TOO_WIDE:
            notes.append(f"too small: {100 * (estimate.high - estimate.low):.0f} points of interval say little")
        return "; ".join(notes)

    def to_json(self) -> dict[str, Any]:
        """Return the slice as a JSON object: `by`, `value`, `split`, `note` and the figures of a split."""
        about = {"by": self.by, "value": self.value, "split": self.split, "note": self.note}
        return about | asdict(self.score)


def slices(card: Scorecard, by: str, values: Values) -> list[Slice]:
    """Score a judge on each value of a field, split by split; tasks without a value are a slice of their own.

    Where every task of a split has one number and there are many, they are cut into quantiles of its tasks.
    """
    return [
        Slice(by, value, split, split_score(marks, card.recordings))
        for split, of_split in card.marks.items()
        for value, marks in _gathered(of_split, values).items()
    ]


def _gathered(marks: Marks, values: Values) -> dict[str, Marks]:
    found = {mark.task_id: list(dict.fromkeys(values.get(mark.task_id) or [NOT_RECORDED])) for mark in marks}
    numbers = {task_id: some[0] for task_id, some in found.items() if len(some) == 1 and not isinstance(some[0], str)}
    if len(numbers) == len(marks) and len(set(numbers.values())) > PARTS:
        return _by_quantile(marks, {task_id: float(number) for task_id, number in numbers.items()})
    gathered: dict[str | float, list[Mark]] = {}
    for mark in marks:
        for value in found[mark.task_id]:
            gathered.setdefault(value, []).append(mark)
    return {str(value): tuple(gathered[value]) for value in sorted(gathered, key=_order)}


def _order(value: str | float) -> tuple[bool, bool, float, str]:
    """Sort numbers by size, then texts, then what is not recorded."""
    is_text = isinstance(value, str)
    return value == NOT_RECORDED, is_text, 0.0 if isinstance(value, str) else value, str(value)


def _by_quantile(marks: Marks, numbers: Mapping[str, float]) -> dict[str, Marks]:
    cuts = quantiles(numbers.values(), n=PARTS, method="inclusive")
    parts: dict[int, list[Mark]] = {}
    for mark in marks:
        parts.setdefault(bisect.bisect_left(cuts, numbers[mark.task_id]), []).append(mark)
    gathered = {}
    for part in sorted(parts):
        of_part = [numbers[mark.task_id] for mark in parts[part]]
        ends = dict.fromkeys(f"{number:g}" for number in (min(of_part), max(of_part)))
        gathered[" to ".join(ends)] = tuple(parts[part])
    return gathered
