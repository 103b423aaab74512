"""How often do the 95 % intervals of scoring/ hold the true value, beside intervals that ignore pairs?

    python benchmarks/coverage.py make docs/coverage.csv            every setting anew (about half an hour on a core)
    python benchmarks/coverage.py check docs/coverage.csv           some settings anew: must be those of the file
    python benchmarks/coverage.py show docs/coverage.csv            the file as tables

Groups are made as in the benchmark: two recordings, two swapped negatives, two positives of which a quarter fell in
review (43 % positives). Every group has its own chance of a right answer, drawn from a beta distribution whose mean
is the true rate (beta-binomial counts with the given correlation inside a group). The chances of its positives
and negatives rise together (`hard`: the pair is hard or easy) or against each other (`lean`: the judge leans to
yes or to no on this pair). A setting is drawn from its own seed, so that it can be re-made alone.
"""

import itertools
from collections.abc import Iterator, Sequence
from statistics import mean
from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv
from simulation import Cell, Study, spread

from agenthorizon.scoring.bootstrap import group_counts, percentile_intervals, resampled, weights
from agenthorizon.scoring.composites import f1, mcc
from agenthorizon.scoring.intervals import (
    Interval,
    Tallies,
    Tally,
    balanced_accuracy_interval,
    grouped_wilson,
    pooled,
    wilson,
)

RATES = (0.5, 0.7, 0.9, 0.95)
SIZES = (30, 162, 528)
TIES = (("none", 0.0), ("hard", 0.3), ("hard", 0.6), ("lean", 0.3), ("lean", 0.6))
COLUMNS = ("TPR", "TPR, pairs ignored", "BA", "BA, pairs ignored", "F1, bootstrap", "MCC, bootstrap")
KEPT = 0.75
"""Share of positives that passed review."""
RESAMPLES = 1000
"""Of the bootstrap here: ten times fewer than a score takes, for time."""


class Setting(NamedTuple):
    """One case that is simulated: its size, how groups are tied, and the judge's true rates."""

    tasks: int
    tie: str
    correlation: float
    tpr: float
    tnr: float


def settings() -> Iterator[Setting]:
    """Yield every combination of the sizes, ties and rates above."""
    for tasks, (tie, inside), tpr, tnr in itertools.product(SIZES, TIES, RATES, RATES):
        yield Setting(tasks, tie, inside, tpr, tnr)


def group_sizes(tasks: int, random: np.random.Generator) -> np.ndarray:
    """Return a row (positives, negatives) for each group, about `tasks` in all."""
    groups = round(tasks / (2 + 2 * KEPT))
    return np.column_stack([random.binomial(2, KEPT, groups), np.full(groups, 2)])


def chances(mean_chance: float, inside: float, level: np.ndarray) -> np.ndarray:
    """Return the chance of each group at its level (0 to 1) among groups."""
    if inside == 0:
        return np.full(level.shape, mean_chance)
    strength = (1 - inside) / inside
    return np.asarray(betaincinv(mean_chance * strength, (1 - mean_chance) * strength, level))


def drawn(setting: Setting, sizes: np.ndarray, random: np.random.Generator) -> tuple[Tallies, Tallies]:
    """Draw the answers of one judge."""
    level = random.random(len(sizes))
    other = 1 - level if setting.tie == "lean" else level
    tallies = []
    for column, rate, where in ((0, setting.tpr, level), (1, setting.tnr, other)):
        right = random.binomial(sizes[:, column], chances(rate, setting.correlation, where))
        counts = zip(right.tolist(), sizes[:, column].tolist(), strict=True)
        tallies.append({str(group): Tally(*count) for group, count in enumerate(counts) if count[1]})
    return tallies[0], tallies[1]


def ungrouped(tallies: Tallies, name: str) -> Tallies:
    """Make every task a group of its own."""
    right, total = pooled(tallies)
    return {f"{name}{n}": Tally(int(n < right), 1) for n in range(total)}


def holds(interval: Interval | None, value: float) -> bool:
    """Whether an interval holds the true value; no interval holds none."""
    return interval is not None and interval.low <= value <= interval.high


def coverage(setting: Setting, rounds: int, seed: int) -> list[float]:
    """Return the coverage of each of COLUMNS."""
    random = np.random.default_rng([seed, *(int(1000 * part) for part in setting if not isinstance(part, str))])
    sizes = group_sizes(setting.tasks, random)
    positives, negatives = (int(count) for count in sizes.sum(axis=0))
    expected = np.array([setting.tpr * positives, positives, setting.tnr * negatives, negatives])
    true = {formula: float(formula(expected)) for formula in (f1, mcc)}
    return [mean(column) for column in zip(*(_hits(setting, sizes, true, random) for _ in range(rounds)), strict=True)]


def _hits(setting: Setting, sizes: np.ndarray, true: dict, random: np.random.Generator) -> Sequence[bool]:
    positives, negatives = drawn(setting, sizes, random)
    balanced = (setting.tpr + setting.tnr) / 2
    counts = group_counts([(positives, negatives)])
    totals = resampled(counts, weights(len(counts), RESAMPLES))[:, 0]
    composites = percentile_intervals(np.column_stack([formula(totals) for formula in true]))
    return (
        holds(grouped_wilson(positives), setting.tpr),
        holds(wilson(*pooled(positives)), setting.tpr),
        holds(balanced_accuracy_interval(positives, negatives), balanced),
        holds(balanced_accuracy_interval(ungrouped(positives, "+"), ungrouped(negatives, "-")), balanced),
        *(holds(interval, value) for interval, value in zip(composites, true.values(), strict=True)),
    )


def tables(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield the summary for rates up to .9, then for those with .95."""
    for title, wanted in (("Both rates .5, .7 or .9", False), ("A rate of .95", True)):
        some = [cell for cell in cells if ("0.95" in cell.setting[3:]) is wanted]
        yield spread(title, ("Tasks", "Pairs", "Correlation"), COLUMNS, some, 3)


if __name__ == "__main__":
    Study(__doc__ or "", Setting, COLUMNS, tuple(settings()), coverage, tables).main()
