"""Slices as tables: those that `score` prints, and those that are exported; a note says where a slice is too small."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agenthorizon.report.cells import markdown, markdown_table, percent
from agenthorizon.report.grid import IN_PERCENT, RATES, Cell, Column, Grid, figure
from agenthorizon.report.tabled import Tabled
from agenthorizon.scoring.slices import Slice

HEADS = ("Judge", "Tasks", "Positive", "Negative", "Balanced accuracy", "TPR", "TNR", "Note")


def slices_to_markdown(by_judge: Mapping[str, Sequence[Slice]]) -> str:
    """Write the slices of one or several judges, those of one value under each other."""
    rows: dict[tuple[str, str], dict[str, list[list[str]]]] = {}
    for judge, found in by_judge.items():
        for one in found:
            rows.setdefault((one.split, one.by), {}).setdefault(one.value, []).append(_row(judge, one))
    return "\n\n".join(part for key, values in rows.items() for part in _table(*key, values)) + "\n"


def _table(split: str, by: str, values: Mapping[str, Iterable[Sequence[str]]]) -> Iterable[str]:
    yield f"#### {markdown(split)} by {markdown(by)}"
    cells = [[markdown(value), *row] for value, of_value in values.items() for row in of_value]
    yield markdown_table([markdown(by), *HEADS], cells)


def _row(judge: str, one: Slice) -> list[str]:
    score = one.score
    counts = [str(count) for count in (score.tasks, score.positives, score.negatives)]
    figures = [percent(estimate) for estimate in (score.balanced_accuracy, score.tpr, score.tnr)]
    return [markdown(judge), *counts, *figures, one.note]


def slice_table(by_judge: Mapping[str, Sequence[Slice]], title: str) -> Tabled:
    """Return a grid for each split and field, and one record per judge and slice."""
    return Tabled(_grids(by_judge, title), _records(by_judge))


def _grids(by_judge: Mapping[str, Sequence[Slice]], title: str) -> list[Grid]:
    tables: dict[tuple[str, str], list[tuple[Cell, ...]]] = {}
    for judge, found in by_judge.items():
        for one in found:
            score = one.score
            rates = (score.balanced_accuracy, score.tpr, score.tnr)
            cells = (Cell(one.value), Cell(judge), Cell(str(score.tasks)), *map(figure, rates), Cell(one.note))
            tables.setdefault((one.split, one.by), []).append(cells)
    return [
        Grid(title, f"{split} by {by}. {IN_PERCENT}", _columns(by), tuple(rows)) for (split, by), rows in tables.items()
    ]


def _columns(by: str) -> tuple[Column, ...]:
    rates = (Column(head) for head in RATES)
    return (Column(by, False), Column("Judge", False), Column("Tasks"), *rates, Column("Note", False))


def _records(by_judge: Mapping[str, Sequence[Slice]]) -> list[dict[str, Any]]:
    return [
        {"judge": judge, "split": one.split, "by": one.by, "value": one.value, "note": one.note, **one.score.flat()}
        for judge, found in by_judge.items()
        for one in found
    ]
