"""Ablations as a table that is exported: what a judge scores with less to see, and how far that is from all of it."""

from collections.abc import Sequence
from typing import Any

from agenthorizon.report.cells import POINTS, UNDEFINED, probability
from agenthorizon.report.comparison_tables import difference_record
from agenthorizon.report.grid import IN_PERCENT, RATES, Cell, Column, Grid, figure
from agenthorizon.report.tabled import Tabled
from agenthorizon.scoring.ablations import Ablated

_COLUMNS = (
    Column("Judge", False),
    Column("Evidence", False),
    Column("Tasks"),
    *(Column(head) for head in RATES),
    *(Column(f"Δ {head}") for head in RATES),
    Column("p"),
)


_PARTIAL = "Where fewer tasks were asked than there are, the others count as wrong: only Δ compares like with like."


def ablation_table(rows: Sequence[Ablated], title: str) -> Tabled:
    """Return one grid per split and one record per row; a judge's complete evidence stands before what was left out."""
    return Tabled(_grids(rows, title), _records(rows))


def _grids(rows: Sequence[Ablated], title: str) -> list[Grid]:
    return [
        Grid(title, _caption(own), _COLUMNS, tuple(map(_cells, own)))
        for own in ([row for row in rows if row.split == split] for split in dict.fromkeys(row.split for row in rows))
    ]


def _caption(rows: Sequence[Ablated]) -> str:
    partial = f" {_PARTIAL}" if any(row.score.partial for row in rows) else ""
    return (
        f"Ablations on {rows[0].split}. {IN_PERCENT}{partial} Δ: less minus complete evidence, in points, on the tasks "
        "asked with both. "
        "p is that of the balanced accuracies' difference, by Holm over what was left out of one judge."
    )


def _cells(row: Ablated) -> tuple[Cell, ...]:
    score, change = row.score, row.change
    rates = [figure(rate) for rate in (score.balanced_accuracy, score.tpr, score.tnr)]
    about = (
        Cell(row.judge),
        Cell(row.left_out or "complete"),
        Cell(f"{score.asked} of {score.tasks}" if score.partial else str(score.asked)),
    )
    if change is None:
        return (*about, *rates, *(Cell(UNDEFINED) for _ in (*RATES, "p")))
    changes = [figure(one, POINTS) for one in (change.balanced_accuracy, change.tpr, change.tnr)]
    return (*about, *rates, *changes, Cell(probability(change.p_holm)))


def _records(rows: Sequence[Ablated]) -> list[dict[str, Any]]:
    changes = [difference_record(row.change) if row.change else {} for row in rows]
    names = dict.fromkeys(name for change in changes for name in change)
    return [
        {
            "judge": row.judge,
            "split": row.split,
            "left_out": row.left_out,
            **row.score.flat(),
            **{f"change_{name}": change.get(name) for name in names},
        }
        for row, change in zip(rows, changes, strict=True)
    ]
