"""The bootstrap over pair groups, for figures that have no formula for their interval.

Whole groups are drawn with replacement. A resample is a row of weights (how often each group was drawn), so that
all resamples of all judges are one product of two matrices: resamples × groups by groups × judges × counts.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from agenthorizon.scoring.composites import Figures, Formula
from agenthorizon.scoring.intervals import Interval, Tallies, Tally, pooled

RESAMPLES = 10_000
SEED = 0
LEVELS = (2.5, 97.5)
"""Percentiles that bound a 95 % interval."""

_BLOCK = 200
"""Resamples drawn at once: few enough to stay in the processor's cache."""

Weights = NDArray[np.float32]


@lru_cache(maxsize=4)
def weights(groups: int, resamples: int = RESAMPLES, seed: int = SEED) -> Weights:
    """Draw how often each group stands in each resample; shape (resamples, groups), the same for the same seed."""
    random = np.random.default_rng(seed)
    made = np.empty((resamples, groups), dtype=np.float32)  # counts far below 2**24: products of float32 are exact
    for start in range(0, resamples, _BLOCK):
        rows = made[start : start + _BLOCK]
        places = random.integers(groups, size=rows.shape)
        places += np.arange(len(rows))[:, None] * groups
        rows[:] = np.bincount(places.ravel(), minlength=rows.size).reshape(rows.shape)
    made.setflags(write=False)
    return made


def group_counts(judges: Sequence[tuple[Tallies, Tallies]]) -> Weights:
    """Return each judge's (true positives, positives, true negatives, negatives) by group.

    `judges` holds the tallies of positives and of negatives of judges that judged the same tasks; the shape is
    (groups, judges, 4), groups in the order of their names.
    """
    names = sorted({name for both in judges for tallies in both for name in tallies})
    nothing = Tally(0, 0)
    rows = [
        [(*both[0].get(name, nothing), *both[1].get(name, nothing)) for both in judges]  # one group
        for name in names
    ]
    return np.array(rows, dtype=np.float32).reshape(len(names), len(judges), 4)


def resampled(counts: Weights, drawn: Weights) -> Figures:
    """Return the counts of every resample: (resamples, judges, 4) from (groups, judges, 4)."""
    groups, judges, columns = counts.shape
    return (drawn @ counts.reshape(groups, -1)).reshape(-1, judges, columns).astype(np.float64)


def percentile_intervals(replicates: Figures) -> list[Interval | None]:
    """Return the 95 % percentile interval of each column (Efron 1979).

    None where more than one resample in twenty has no such figure, and where all have the same one: a bootstrap
    of what never varied knows nothing of how far it might.
    """
    low, high = np.nanpercentile(_sayable(replicates), LEVELS, axis=0)
    return [
        Interval(float(a), float(b)) if b > a else None  # NaN compares false
        for a, b in zip(low, high, strict=True)
    ]


def _sayable(replicates: Figures) -> Figures:
    undefined = np.isnan(replicates).mean(axis=0) > 0.05
    return np.where(undefined, 0.0, replicates)


def intervals(positives: Tallies, negatives: Tallies, formulas: Sequence[Formula]) -> list[Interval | None]:
    """Return the interval of each figure of one judge.

    None throughout where there is no task, or where a class has no error or nothing else: drawing again what never
    varied shows none of the errors (or right answers) that more tasks would.
    """
    counts = group_counts([(positives, negatives)])
    if not counts.size or any(total and right in (0, total) for right, total in map(pooled, (positives, negatives))):
        return [None] * len(formulas)
    totals = resampled(counts, weights(len(counts)))[:, 0]
    return percentile_intervals(np.column_stack([formula(totals) for formula in formulas]))
