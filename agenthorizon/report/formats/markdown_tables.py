"""Tables as Markdown, each under a heading and its caption."""

from collections.abc import Iterable

from agenthorizon.report.cells import markdown, markdown_table
from agenthorizon.report.grid import Cell, Grid


def grids_to_markdown(found: Iterable[Grid]) -> str:
    """Write each table under a heading, the best figures in bold, intervals in brackets."""
    return "\n\n".join(_table(grid) for grid in found) + "\n"


def _table(grid: Grid) -> str:
    rows = [[_cell(cell) for cell in row] for row in grid.rows]
    table = markdown_table([markdown(column.head) for column in grid.columns], rows)
    return f"#### {markdown(grid.title)}\n\n{markdown(grid.caption)}\n\n{table}"


def _cell(cell: Cell) -> str:
    text = markdown(cell.text)
    bold = f"**{text}**" if cell.is_best else text
    return bold + (f" [{cell.interval}]" if cell.interval else "") + (f" ({markdown(cell.mark)})" if cell.mark else "")
