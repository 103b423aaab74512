"""Tables as one HTML page, plain enough to paste into another."""

from collections.abc import Iterable
from html import escape

from agenthorizon.report.cells import unmarked
from agenthorizon.report.grid import Cell, Grid

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>AgentHorizon</title>
<style>
table { border-collapse: collapse; font: 14px sans-serif; margin-bottom: 2em; }
caption { text-align: left; max-width: 60em; padding: .5em 0; }
th, td { text-align: left; padding: .3em .8em; border-bottom: 1px solid #ccc; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
small { color: #666; }
</style>
</head>
<body>
"""


def grids_to_html(found: Iterable[Grid]) -> str:
    """Write each table with its caption; the best figures in `<b>`, intervals and marks in `<small>`."""
    return _HEAD + "".join(_table(grid) for grid in found) + "</body>\n</html>\n"


def _table(grid: Grid) -> str:
    kinds = [' class="number"' if column.is_number else "" for column in grid.columns]
    pairs = zip(grid.columns, kinds, strict=True)
    heads = "".join(f'<th scope="col"{kind}>{_text(column.head)}</th>' for column, kind in pairs)
    rows = "".join(
        "<tr>" + "".join(f"<td{kind}>{_cell(cell)}</td>" for cell, kind in zip(row, kinds, strict=True)) + "</tr>\n"
        for row in grid.rows
    )
    caption = f"<b>{_text(grid.title)}</b> {_text(grid.caption)}"
    return (
        f"<table>\n<caption>{caption}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )


def _cell(cell: Cell) -> str:
    text = f"<b>{_text(cell.text)}</b>" if cell.is_best else _text(cell.text)
    small = [f"[{cell.interval}]"] * bool(cell.interval) + [_text(cell.mark)] * bool(cell.mark)
    return " ".join([text, *(f"<small>{one}</small>" for one in small)])


def _text(text: str) -> str:
    return escape(unmarked(text))
