"""What repeated verdicts say of a judge: how steady it is, what a vote of its answers would score.

A task has as many trials as were asked for. One that failed, was malformed or is missing counts as wrong: leaving it
out would make a judge that seldom answers look steady. A trial that nobody asked for is none: tasks that were asked for
fewer than others of their split are left out, and counted.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import compress
from typing import Any

import numpy as np

from agenthorizon.scoring.bootstrap import percentile_intervals, weights
from agenthorizon.scoring.ensembles import majority
from agenthorizon.scoring.estimates import Estimate, estimate_of
from agenthorizon.scoring.marks import Marks
from agenthorizon.scoring.metrics import count
from agenthorizon.scoring.split_score import SplitScore, split_score


@dataclass(frozen=True)
class RepeatScore:
    """One judge's repeats on one split."""

    repeats: int
    balanced_accuracy: tuple[float | None, ...]
    """Of each repeat."""
    mean_balanced_accuracy: float | None
    pass_hat: tuple[Estimate, ...]
    """pass^k for k from 1 to the number of repeats: the mean over tasks of the chance that k trials are all right."""
    pass_at: tuple[Estimate, ...]
    """pass@k: the chance that at least one of k trials is right."""
    majority: SplitScore
    """Of the verdict that more than half of the planned trials gave; none where neither has that."""
    error_of_repeating: float | None
    """Standard error of one repeat's balanced accuracy from asking the same tasks again; None with one repeat."""
    error_of_tasks: float | None
    """Standard error from which tasks, in whole pair groups, happen to be in the split; None with one repeat."""
    asked_less: int = 0
    """Tasks asked for in fewer repeats than others of the split; they are in none of these figures."""

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)


def repeat_score(repeats: Sequence[Marks]) -> RepeatScore:
    """Score a judge's repeats: its marks on the same tasks, once for each repeat.

    A task that was asked in the first repeat and not in the last has fewer trials than others, and is left out.
    """
    whole = [not first.was_asked or last.was_asked for first, last in zip(repeats[0], repeats[-1], strict=True)]
    repeats = [tuple(compress(marks, whole)) for marks in repeats]
    values = tuple(count(marks).balanced_accuracy for marks in repeats)
    defined = [value for value in values if value is not None]
    of_repeating, of_tasks = _errors(repeats)
    return RepeatScore(
        repeats=len(repeats),
        balanced_accuracy=values,
        mean_balanced_accuracy=math.fsum(defined) / len(defined) if defined else None,
        pass_hat=_over_tasks(repeats, pass_hat),
        pass_at=_over_tasks(repeats, pass_at),
        majority=split_score(majority(repeats)),
        error_of_repeating=of_repeating,
        error_of_tasks=of_tasks,
        asked_less=whole.count(False),
    )


def pass_hat(right: int, trials: int, k: int) -> float:
    """Return the chance that k of a task's trials, drawn without replacement, are all right (Yao et al. 2024)."""
    return math.comb(right, k) / math.comb(trials, k)


def pass_at(right: int, trials: int, k: int) -> float:
    """Return the chance that at least one of k of a task's trials is right (Chen et al. 2021)."""
    return 1 - math.comb(trials - right, k) / math.comb(trials, k)


def _over_tasks(repeats: Sequence[Marks], chance: Callable[[int, int, int], float]) -> tuple[Estimate, ...]:
    """Return the mean of a chance over tasks for every k, with a bootstrap over pair groups."""
    trials, groups = len(repeats), _groups(repeats[0])
    rights = _rights(repeats)
    table = np.array([[chance(right, trials, k) for k in range(1, trials + 1)] for right in rights]).reshape(-1, trials)
    if not len(table):
        return (Estimate(None, None, None),) * trials
    sums = np.zeros((max(groups) + 1, trials + 1))
    np.add.at(sums, groups, np.column_stack([table, np.ones(len(table))]))
    drawn = weights(len(sums)).astype(np.float64) @ sums
    limits = percentile_intervals(drawn[:, :-1] / drawn[:, -1:])
    return tuple(estimate_of(float(mean), limit) for mean, limit in zip(table.mean(axis=0), limits, strict=True))


def _rights(repeats: Sequence[Marks]) -> list[int]:
    return [sum(mark.is_right for mark in marks) for marks in zip(*repeats, strict=True)]


def _groups(marks: Marks) -> list[int]:
    """Number the pair groups in order of appearance."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(mark.group, len(numbers)) for mark in marks]


def _errors(repeats: Sequence[Marks]) -> tuple[float | None, float | None]:
    """Split the variance of balanced accuracy into that of asking again and that of drawing other pair groups.

    A task right in c of n trials adds c (n - c) / (n (n - 1)) to the first. The spread of group sums of c / n holds the
    second and an n-th of the first.
    """
    trials, marks = len(repeats), repeats[0]
    sizes = {kind: sum(mark.is_positive is kind for mark in marks) for kind in (True, False)}
    groups = len({mark.group for mark in marks})
    if trials < 2 or not all(sizes.values()) or groups < 2:
        return None, None
    shares = [right / trials for right in _rights(repeats)]
    means = {
        kind: math.fsum(share for share, mark in zip(shares, marks, strict=True) if mark.is_positive is kind) / size
        for kind, size in sizes.items()
    }
    again, rests = 0.0, dict[str, float]()
    for share, mark in zip(shares, marks, strict=True):
        weight = 0.5 / sizes[mark.is_positive]
        again += weight**2 * share * (1 - share) * trials / (trials - 1)
        rests[mark.group] = rests.get(mark.group, 0.0) + weight * (share - means[mark.is_positive])
    spread = math.fsum(rest**2 for rest in rests.values()) * groups / (groups - 1)
    return math.sqrt(again), math.sqrt(max(0.0, spread - again / trials))
