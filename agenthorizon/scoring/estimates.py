"""Figures with their 95 % intervals, as every table and JSON shows them."""

from dataclasses import asdict, dataclass

from agenthorizon.scoring.intervals import Interval, Tallies, grouped_wilson, pooled


@dataclass(frozen=True)
class Estimate:
    """A figure and its interval; all None where it is undefined, the limits alone where nothing is known of them."""

    value: float | None
    low: float | None
    high: float | None

    def flat(self, name: str) -> dict[str, float | int | None]:
        """Return it as columns of a record: `name`, `name_low`, `name_high` and whatever else it has, unrounded."""
        figures = asdict(self)
        return {name: figures.pop("value"), **{f"{name}_{key}": figure for key, figure in figures.items()}}


@dataclass(frozen=True)
class Rate(Estimate):
    """An estimate, from 0 to 1, that is a share of some tasks."""

    numerator: int
    denominator: int


def rate_of(tallies: Tallies) -> Rate:
    """Return the share of right ones with the interval that respects groups."""
    low, high = grouped_wilson(tallies) or (None, None)
    right, total = pooled(tallies)
    return Rate(right / total if total else None, low, high, right, total)


def estimate_of(value: float | None, interval: Interval | None) -> Estimate:
    """Put a figure and its interval together. A figure that is no number (NaN) is undefined."""
    if value is None or value != value:
        return Estimate(None, None, None)
    low, high = interval or (None, None)
    return Estimate(value, low, high)
