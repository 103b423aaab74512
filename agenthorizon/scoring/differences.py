"""The difference of two judges on the same tasks, with a 95 % interval and a test that know of pair groups.

A task counts +1 where the first judge alone is right, -1 where the second alone is, else 0. A class's mean of these
is the difference of the judges' accuracies on it; the mean over both classes that of their balanced accuracies. The
variance is that of the groups' sums around the mean (linearised, groups as units), with Student's t of one degree of
freedom less than there are groups. Few discordant tasks say little about their own variance, so that two made-up tasks
are added to each class, one won by each judge (Agresti and Min 2005, Bonett and Price 2012, for independent tasks);
the interval is centred on the difference with them, the difference shown is without.

benchmarks/coverage.py shows how often the interval holds the true difference. The test is the same statistic: at
the level of 5 % it finds a difference exactly when the interval leaves out 0.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scipy.special import ndtri, stdtr, stdtrit

from agenthorizon.scoring.estimates import Estimate
from agenthorizon.scoring.intervals import Tallies, Tally

ADDED = 2
"""Made-up tasks in a class: one that the first judge alone gets right, one that the second does."""


@dataclass(frozen=True)
class Difference(Estimate):
    """First minus second, from -1 to 1; all None where a class is absent."""

    p: float | None
    """Two-sided, of no difference; not corrected for other comparisons."""
    error: float | None
    """Standard error; with few groups, or one, the limits are further away than it says."""

    @property
    def detectable(self) -> float | None:
        """The true difference that these tasks would show at 5 % with a chance of 80 %."""
        return None if self.error is None else POWER * self.error

    def tasks_needed(self, tasks: int, true: float) -> int | None:
        """Return how many tasks like these `tasks` would show a true difference with a chance of 80 %."""
        return None if self.detectable is None else math.ceil(tasks * (self.detectable / true) ** 2)


UNDEFINED = Difference(None, None, None, None, None)
POWER = float(ndtri(0.975) + ndtri(0.8))
"""Standard errors that a true difference must have to be found at 5 %, two-sided, in four of five samples."""


class _Class(NamedTuple):
    """One class's tasks."""

    net: int
    total: int
    centre: float
    """The difference with the made-up tasks."""
    rests: Mapping[str, float]
    """By group, what its tasks add to the centre beyond their share of it."""
    added: float
    """Sum of squares of the made-up tasks' rests."""


def difference(*classes: tuple[Tallies, Tallies]) -> Difference:
    """Compare two judges by their tallies of the same tasks, a pair of tallies for each class.

    With one class it is the difference of two accuracies, with both that of balanced accuracies.
    """
    parts = [_part(first, second) for first, second in classes]
    if not all(part.total for part in parts):
        return UNDEFINED
    value = float(sum((Fraction(part.net, part.total) for part in parts), Fraction()) / len(parts))
    groups = {group for part in parts for group in part.rests}
    if len(groups) == 1:
        return Difference(value, -1.0, 1.0, 1.0, None)  # one group knows nothing of how groups differ
    squares = math.fsum(math.fsum(part.rests.get(group, 0.0) for part in parts) ** 2 for group in groups)
    freedom = len(groups) - 1
    variance = squares * len(groups) / freedom + sum(part.added for part in parts)
    error = math.sqrt(variance) / len(parts)
    centre = sum(part.centre for part in parts) / len(parts)
    half = float(stdtrit(freedom, 0.975)) * error
    p = 2 * float(stdtr(freedom, -abs(centre) / error))
    return Difference(value, max(-1.0, centre - half), min(1.0, centre + half), p, error)


def _part(first: Tallies, second: Tallies) -> _Class:
    total = sum(tally.total for tally in first.values())
    nets = {group: tally.right - second.get(group, Tally(0, 0)).right for group, tally in first.items()}
    size = total + ADDED
    centre = sum(nets.values()) / size
    return _Class(
        net=sum(nets.values()),
        total=total,
        centre=centre,
        rests={group: (nets[group] - tally.total * centre) / size for group, tally in first.items()},
        added=((1 - centre) ** 2 + (1 + centre) ** 2) / size**2,
    )
