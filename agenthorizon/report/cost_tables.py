"""What judges cost, in money and time, as a table that is exported."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any, NamedTuple

from agenthorizon.report.cells import UNDEFINED
from agenthorizon.report.grid import Cell, Column, Grid
from agenthorizon.report.tabled import Tabled


class Taken(NamedTuple):
    """What one judge's verdicts took, where it is known."""

    dollars: Sequence[float]
    """Of each verdict asked for."""
    seconds: Sequence[float]
    """Of each task."""
    kept: int = 0
    """Answers of a model that were kept and found again: paid for once, by this run or an earlier one."""


Costs = Mapping[str, Taken]
"""By judge."""

_HEADS = ("Dollars in all", "Mean a task", "Dollars known of", "Median seconds", "Seconds known of")
_COLUMNS = (Column("Judge", False), *(Column(head) for head in _HEADS))
KEPT = (
    "Answers that were kept (descriptions, notes) and found again were paid for once, by this run or an earlier one; "
    "without an earlier one it would have cost more."
)
_CAPTION = (
    "Tasks of which cost or time is not known are left out of it. A task's cost is that of all attempts at it, each "
    "repeat taken as a task; its time is that of the attempt that counts, with what this machine took to prepare it."
)


def cost_table(costs: Costs, title: str) -> Tabled:
    """Return one grid, and one record per judge."""
    return Tabled([Grid(title, _CAPTION + _of_cache(costs), _COLUMNS, tuple(_rows(costs)))], _records(costs))


def _of_cache(costs: Costs) -> str:
    """Say whose costs hang on what was asked before."""
    kept = ", ".join(f"{judge} {taken.kept}" for judge, taken in costs.items() if taken.kept)
    return f" {KEPT} Such answers: {kept}." if kept else ""


def _rows(costs: Costs) -> Iterable[tuple[Cell, ...]]:
    for judge, (dollars, seconds, _) in costs.items():
        money = (f"{sum(dollars):.2f}", f"{fmean(dollars):.4f}") if dollars else (UNDEFINED, UNDEFINED)
        time = f"{median(seconds):.1f}" if seconds else UNDEFINED
        yield tuple(map(Cell, (judge, *money, str(len(dollars)), time, str(len(seconds)))))


def _records(costs: Costs) -> list[dict[str, Any]]:
    return [
        {
            "judge": judge,
            "dollars": sum(dollars) if dollars else None,
            "dollars_mean": fmean(dollars) if dollars else None,
            "dollars_known_of": len(dollars),
            "seconds_median": median(seconds) if seconds else None,
            "seconds_known_of": len(seconds),
            "answers_kept": kept,
        }
        for judge, (dollars, seconds, kept) in costs.items()
    ]
