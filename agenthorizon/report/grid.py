"""Tables as cells, before any format: figures with their intervals apart, columns that can be chosen."""

from dataclasses import dataclass
from typing import Literal

from agenthorizon.report.cells import PERCENT, Scale, written
from agenthorizon.scoring.estimates import Estimate

RATES = ("Balanced accuracy", "TPR", "TNR")
IN_PERCENT = "Percent with 95 % intervals that respect pair groups."


@dataclass(frozen=True)
class Cell:
    """What stands in one place of a table, not yet written for any format."""

    text: str
    interval: str = ""
    """`low, high`, where the figure has limits."""
    is_best: bool = False
    """Whether no other judge's figure in this column is higher."""
    mark: str = ""
    """Letters or a word to set small beside the text: whom a judge is tied with, that a row is published."""


@dataclass(frozen=True)
class Column:
    """A column that can be chosen."""

    head: str
    is_number: bool = True
    shown: Literal["always", "when named", "never"] = "always"
    """One that is never shown can be named all the same: it says something in another grid of the same table."""


@dataclass(frozen=True)
class Grid:
    """One table."""

    title: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def figure(estimate: Estimate | None, scale: Scale = PERCENT, best: float | None = None) -> Cell:
    """Return an estimate with its interval apart; `best` is the highest value of its column."""
    value, limits = written(estimate, scale)
    return Cell(value, limits, best is not None and estimate is not None and estimate.value == best)
