"""What a judge's errors do to what is built on its verdicts: an agent's success rate, a filtered training set.

An agent whose n trajectories the judge graded, x of them successful, has not succeeded x / n of the time: the judge
misses successes and passes failures. With its TPR and TNR the rate is corrected (Rogan and Gladen 1978); the interval
is that of Lang and Reiczigel (2014), which carries the uncertainty of all three, with the sample sizes that pair
groups leave. It assumes that the judge errs on the agent's tasks as on the benchmark's.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agenthorizon.errors import UsageError
from agenthorizon.scoring.estimates import Estimate, estimate_of
from agenthorizon.scoring.intervals import (
    Z95,
    Tallies,
    balanced_accuracy_interval,
    design_effect,
    grouped_wilson,
    pooled,
    wilson,
)

BASE_RATES = (0.1, 0.3, 0.5, 0.7, 0.9)
CHANCE = 0.5
"""Balanced accuracy of a judge that knows nothing: TPR + TNR = 1, where the correction divides by 0."""


@dataclass(frozen=True)
class Grades:
    """What a judge said of an agent's trajectories."""

    successes: int
    total: int


@dataclass(frozen=True)
class Filtered:
    """A training set of what the judge passed."""

    base_rate: float
    """Share of successes before the filter."""
    wrong: Estimate
    """Share of failures among what passed; the limits take TPR and TNR at theirs together, which is cautious."""


@dataclass(frozen=True)
class Downstream:
    """What a judge's errors do, by its rates on one split."""

    graded: Estimate | None
    """The share graded successful, as it is; None where no grades were given."""
    corrected: Estimate | None
    """The success rate behind it."""
    filtered: tuple[Filtered, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)


def downstream(
    positives: Tallies, negatives: Tallies, grades: Grades | None = None, base_rates: Sequence[float] = BASE_RATES
) -> Downstream:
    """Work out what a judge with these tallies does.

    Raises UsageError for grades or base rates that are no share, without one of the classes, and, where there is
    something to correct, for a judge that is not shown to be better than chance.
    """
    if not (positives and negatives):
        raise UsageError("the split has one class only: TPR and TNR are both needed")
    if bad := [rate for rate in base_rates if not 0 <= rate <= 1]:
        raise UsageError(f"a base rate is a share from 0 to 1, not {bad[0]:g}")
    return Downstream(
        graded=_share(grades) if grades else None,
        corrected=corrected_rate(positives, negatives, grades) if grades else None,
        filtered=tuple(Filtered(rate, wrong_share(positives, negatives, rate)) for rate in base_rates),
    )


def corrected_rate(positives: Tallies, negatives: Tallies, grades: Grades) -> Estimate:
    """Return the success rate of an agent graded `grades`, from 0 to 1.

    Raises UsageError when the interval of the judge's balanced accuracy reaches down to chance: the correction divides
    by TPR + TNR - 1, and could be anything.
    """
    _share(grades)
    limits = balanced_accuracy_interval(positives, negatives)
    if limits is None or limits.low <= CHANCE:
        reach = "undefined" if limits is None else f"{100 * limits.low:.1f} %"
        raise UsageError(
            f"the judge is not shown to be better than chance (balanced accuracy from {reach}); its grades tell "
            "nothing of the success rate, and no correction can"
        )
    tpr, tnr = (right / total for right, total in (pooled(positives), pooled(negatives)))
    value = (grades.successes / grades.total + tnr - 1) / (tpr + tnr - 1)
    low, high = _lang_reiczigel(positives, negatives, grades)
    held = min(1.0, max(0.0, value))
    return Estimate(held, min(low, held), max(high, held))


def _lang_reiczigel(positives: Tallies, negatives: Tallies, grades: Grades) -> tuple[float, float]:
    """Return the interval: one task of each kind is added to either class, z² / 2 of each to the grades."""
    z2 = Z95 * Z95
    (tpr, tpr_variance), (tnr, tnr_variance) = _padded(positives), _padded(negatives)
    size = grades.total + z2
    share = (grades.successes + z2 / 2) / size
    informed = tpr + tnr - 1
    rate = (share + tnr - 1) / informed
    shift = 2 * z2 * (rate * tpr_variance - (1 - rate) * tnr_variance)
    variance = share * (1 - share) / size + rate**2 * tpr_variance + (1 - rate) ** 2 * tnr_variance
    half = Z95 * math.sqrt(variance) / informed
    return max(0.0, rate + shift - half), min(1.0, rate + shift + half)


def _padded(tallies: Tallies) -> tuple[float, float]:
    """Return a rate and its variance, a right and a wrong task added to what pair groups leave of the sample."""
    right, total = pooled(tallies)
    size = total / design_effect(tallies)
    rate = (right / total * size + 1) / (size + 2)
    return rate, rate * (1 - rate) / (size + 2)


def wrong_share(positives: Tallies, negatives: Tallies, base_rate: float) -> Estimate:
    """Return the share of failures among what the judge passes, of trajectories of which `base_rate` succeeded."""

    def wrong(tpr: float, tnr: float) -> float | None:
        failures, successes = (1 - base_rate) * (1 - tnr), base_rate * tpr
        return failures / (failures + successes) if failures + successes else None

    tpr, tnr = (right / total for right, total in (pooled(positives), pooled(negatives)))
    of_positives, of_negatives = grouped_wilson(positives), grouped_wilson(negatives)
    value = wrong(tpr, tnr)
    if value is None or of_positives is None or of_negatives is None:
        return Estimate(None, None, None)
    return Estimate(value, wrong(of_positives.high, of_negatives.high), wrong(of_positives.low, of_negatives.low))


def _share(grades: Grades) -> Estimate:
    if not 0 <= grades.successes <= grades.total or grades.total < 1:
        raise UsageError(f"graded {grades.successes} of {grades.total}: give X/N with X from 0 to N and N at least 1")
    return estimate_of(grades.successes / grades.total, wilson(grades.successes, grades.total))
