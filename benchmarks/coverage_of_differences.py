"""How often do the 95 % intervals of paired differences (scoring/differences.py) hold the true one?

    python benchmarks/coverage_of_differences.py make docs/coverage_of_differences.csv
    python benchmarks/coverage_of_differences.py check docs/coverage_of_differences.csv
    python benchmarks/coverage_of_differences.py show docs/coverage_of_differences.csv

Two judges answer the same tasks. Whether an answer is right is decided by a normal variable that has parts in common:
`shared`, between both judges inside a pair group and on a task (half each), and `own`, between a judge's answers
inside a group. A part inside groups turns its sign on negatives where pairs `lean`. Groups are those of coverage.py.
Pairs ignored: the same interval with every task a group of its own.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from statistics import mean
from typing import NamedTuple

import numpy as np
from coverage import group_sizes
from scipy.special import ndtri
from simulation import Cell, Study, spread

from agenthorizon.scoring.differences import difference
from agenthorizon.scoring.intervals import Tallies, tally

SIZES = (30, 162, 528)
TIES = (("none", 0.0, 0.0), ("hard", 0.6, 0.0), ("hard", 0.3, 0.3), ("hard", 0.0, 0.6), ("lean", 0.3, 0.3))
JUDGES = (
    (0.5, 0.5, 0.5, 0.5),
    (0.7, 0.9, 0.7, 0.9),
    (0.7, 0.9, 0.5, 0.7),
    (0.9, 0.9, 0.9, 0.9),
    (0.95, 0.9, 0.7, 0.95),
    (0.95, 0.95, 0.95, 0.95),
)
COLUMNS = ("Balanced accuracy", "pairs ignored", "TPR", "TPR, pairs ignored")


class Setting(NamedTuple):
    """One case that is simulated: its size, what two judges share, and the true rates of both."""

    tasks: int
    tie: str
    shared: float
    own: float
    tpr: float
    tnr: float
    other_tpr: float
    other_tnr: float


class Tasks(NamedTuple):
    """The tasks of one case: arrays of one length, an element a task."""

    group: np.ndarray
    positive: np.ndarray
    sign: np.ndarray
    """Of the parts inside groups."""


def settings() -> Iterator[Setting]:
    """Yield every combination of the sizes, ties and pairs of judges above."""
    for tasks, tie, rates in itertools.product(SIZES, TIES, JUDGES):
        yield Setting(tasks, *tie, *rates)


def tasks_of(setting: Setting, random: np.random.Generator) -> Tasks:
    """Draw the tasks of one case, in pair groups."""
    sizes = group_sizes(setting.tasks, random)
    group = np.concatenate([np.repeat(np.arange(len(sizes)), sizes[:, column]) for column in (0, 1)])
    positive = np.arange(len(group)) < sizes[:, 0].sum()
    return Tasks(group, positive, np.where(positive | (setting.tie != "lean"), 1.0, -1.0))


def drawn(setting: Setting, tasks: Tasks, random: np.random.Generator) -> list[np.ndarray]:
    """Return which tasks each judge got right."""

    def by_group(share: float) -> np.ndarray:
        return math.sqrt(share) * random.standard_normal(tasks.group.max() + 1)[tasks.group] * tasks.sign

    n = len(tasks.group)
    common = by_group(setting.shared / 2) + math.sqrt(setting.shared / 2) * random.standard_normal(n)
    rest = math.sqrt(1 - setting.shared - setting.own)
    right = []
    for tpr, tnr in (setting[4:6], setting[6:8]):
        latent = common + by_group(setting.own) + rest * random.standard_normal(n)
        right.append(latent < np.where(tasks.positive, ndtri(tpr), ndtri(tnr)))
    return right


def coverage(setting: Setting, rounds: int, seed: int) -> list[float]:
    """Return the coverage of each of COLUMNS."""
    random = np.random.default_rng([seed, *(int(1000 * part) for part in setting if not isinstance(part, str))])
    tasks = tasks_of(setting, random)
    true = (setting.tpr + setting.tnr - setting.other_tpr - setting.other_tnr) / 2, setting.tpr - setting.other_tpr
    return [mean(column) for column in zip(*(_hits(setting, tasks, true, random) for _ in range(rounds)), strict=True)]


def _hits(setting: Setting, tasks: Tasks, true: tuple[float, float], random: np.random.Generator) -> Sequence[bool]:
    right = drawn(setting, tasks, random)
    hits = []
    for names in (tasks.group.tolist(), range(len(tasks.group))):
        positives, negatives = (_both(names, right, tasks.positive == kind) for kind in (True, False))
        for found, value in zip((difference(positives, negatives), difference(positives)), true, strict=True):
            hits.append(found.low is not None and found.low <= value <= found.high)
    return [hits[0], hits[2], hits[1], hits[3]]


def _both(names: Sequence[int], right: Sequence[np.ndarray], of_class: np.ndarray) -> tuple[Tallies, Tallies]:
    kept = [str(name) for name, wanted in zip(names, of_class, strict=True) if wanted]
    first, second = (tally(zip(kept, of_judge[of_class].tolist(), strict=True)) for of_judge in right)
    return first, second


def tables(cells: Sequence[Cell]) -> Iterator[str]:
    """Yield one table."""
    yield spread("Differences of two judges", ("Tasks", "Pairs", "Shared", "Own"), COLUMNS, cells, 4)


if __name__ == "__main__":
    Study(__doc__ or "", Setting, COLUMNS, tuple(settings()), coverage, tables).main()
