"""A table in both its shapes, cells for reading and unrounded records, and the writing of it in any format."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agenthorizon.errors import UsageError, did_you_mean
from agenthorizon.report.formats.html_tables import grids_to_html
from agenthorizon.report.formats.latex_tables import grids_to_latex
from agenthorizon.report.formats.markdown_tables import grids_to_markdown
from agenthorizon.report.formats.parquet import records_to_parquet
from agenthorizon.report.formats.spreadsheet import records_to_csv
from agenthorizon.report.grid import Column, Grid

Records = Sequence[dict[str, Any]]


def to_json(value: Any) -> str:
    """Write a value as JSON, indented."""
    return json.dumps(value, indent=1) + "\n"


@dataclass(frozen=True)
class Reading:
    """A format for reading: it writes cells."""

    write: Callable[[Sequence[Grid]], str]


@dataclass(frozen=True)
class Computing:
    """A format for computing: it writes records, unrounded."""

    write: Callable[[Records], str | bytes]


FORMATS: Mapping[str, Reading | Computing] = {
    "md": Reading(grids_to_markdown),
    "csv": Computing(records_to_csv),
    "json": Computing(to_json),
    "html": Reading(grids_to_html),
    "latex": Reading(grids_to_latex),
    "parquet": Computing(records_to_parquet),
}
"""Name of a format → what writes tables in it, in the order of the command's help."""


@dataclass(frozen=True)
class Tabled:
    """One table, which may be several under each other."""

    grids: Sequence[Grid]
    records: Records
    whole: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    """Format → what writes all of it in a shape of its own, where no columns are named."""

    def written(self, form: str, columns: Sequence[str] | None = None) -> str | bytes:
        """Write it in a format, all of it or the columns named, in their order.

        Columns for reading are named by their heads (`balanced_accuracy` for Balanced accuracy), those of records by
        their keys; before those stands the split. Raises UsageError for one that is not there.
        """
        if columns is None and form in self.whole:
            return self.whole[form]()
        to = FORMATS[form]
        if isinstance(to, Reading):
            return to.write([_chosen(grid, columns) for grid in self.grids])
        return to.write(_chosen_records(self.records, columns))


def _chosen_records(records: Records, columns: Sequence[str] | None) -> list[dict[str, Any]]:
    known = list(records[0]) if records else []
    _refuse_unknown(columns or (), known)
    # Without its split, a judge's records would look alike.
    lacks_split = columns is not None and "split" in known and "split" not in columns
    named = ["split"] * lacks_split + list(columns or known)
    return [{name: record[name] for name in named} for record in records]


def _chosen(grid: Grid, columns: Sequence[str] | None) -> Grid:
    known = {_name(column.head): place for place, column in enumerate(grid.columns)}
    _refuse_unknown(columns or (), list(known))
    named = [known[name] for name in columns] if columns else range(len(grid.columns))
    places = [place for place in named if _is_shown(grid.columns[place], bool(columns))]
    rows = tuple(tuple(row[place] for place in places) for row in grid.rows)
    return replace(grid, columns=tuple(grid.columns[place] for place in places), rows=rows)


def _is_shown(column: Column, is_named: bool) -> bool:
    return column.shown == "always" or (column.shown == "when named" and is_named)


def _refuse_unknown(columns: Sequence[str], known: Sequence[str]) -> None:
    if unknown := [name for name in columns if name not in known]:
        near = did_you_mean(unknown[0], known) or ";"
        raise UsageError(f"unknown column {', '.join(unknown)}{near} there are {', '.join(known)}")


def _name(head: str) -> str:
    """Return a head as it is named on a command line: Δ TPR is `change_tpr`, as in the records."""
    return re.sub(r"\W+", "_", head.lower().replace("δ", "change").replace("'", "")).strip("_")
