"""Tables as LaTeX with booktabs: a document that compiles as it is; its tables can be pasted into another."""

import re
from collections.abc import Iterable, Sequence

from agenthorizon.report.cells import unmarked
from agenthorizon.report.grid import Cell, Column, Grid

_HEAD = r"""\documentclass{article}
\usepackage[a4paper,landscape,margin=1.5cm]{geometry}
\usepackage{booktabs}  % all that the tables need
\begin{document}
"""
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "–": "--",
    "—": "---",
    "×": r"$\times$",
    "Δ": r"$\Delta$",
    "·": r"$\cdot$",
    "−": "$-$",
    "’": "'",
    "‘": "`",
    "…": r"\dots{}",
}

# What fonts draw as one sign: two hyphens as a dash, ?` as a Spanish question mark, two quotes as one.
_JOINED = re.compile(r"--+|[?!][`‘]|['`’‘]{2,}|<<+|>>+|,,+")
_PARTING = "\x00"
"""Parts two signs; `plain` leaves no such character in a text."""


def grids_to_latex(found: Iterable[Grid]) -> str:
    """Write a document of tables: figures right-aligned, intervals small beside them, the best in bold."""
    return _HEAD + "\n".join(_table(grid) for grid in found) + "\\end{document}\n"


def _table(grid: Grid) -> str:
    wide = [any(row[n].interval for row in grid.rows) for n in range(len(grid.columns))]
    columns = "".join(_kind(column, is_wide) for column, is_wide in zip(grid.columns, wide, strict=True))
    heads = [_head(column, is_wide) for column, is_wide in zip(grid.columns, wide, strict=True)]
    lines = [_line(heads), r"\midrule", *(_line(_cells(row, wide)) for row in grid.rows)]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering\small\setlength{\tabcolsep}{4pt}",
            rf"\caption{{{_text(grid.title)}. {_text(grid.caption)}}}",
            rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _kind(column: Column, is_wide: bool) -> str:
    """Return the alignment: of figures to their last digit, of intervals to their first bracket, so both stand under
    each other."""
    return r"r@{\,}l" if is_wide else "r" if column.is_number else "l"


def _head(column: Column, is_wide: bool) -> str:
    return rf"\multicolumn{{2}}{{c}}{{{_text(column.head)}}}" if is_wide else _text(column.head)


def _cells(row: Sequence[Cell], wide: Sequence[bool]) -> list[str]:
    cells = []
    for cell, is_wide in zip(row, wide, strict=True):
        text = rf"\textbf{{{_text(cell.text)}}}" if cell.is_best else _text(cell.text)
        cells.append(text + (rf"\textsuperscript{{{_text(cell.mark)}}}" if cell.mark else ""))
        if is_wide:
            cells.append(rf"{{\scriptsize[{cell.interval}]}}" if cell.interval else "")
    return cells


def _line(cells: Iterable[str]) -> str:
    # After a row's end, LaTeX takes "[" and "*" for its options, rules and white space between or not.
    guarded = ["{}" + cell if cell[:1] in ("[", "*") else cell for cell in cells]
    return " & ".join(guarded) + r" \\"


def _text(text: str) -> str:
    return "".join(map(_written, _JOINED.sub(_parted, unmarked(text)))).replace(_PARTING, "{}")


def _parted(joined: re.Match[str]) -> str:
    return _PARTING.join(joined[0])


def _written(char: str) -> str:
    """Return a character as LaTeX sets it; one that its standard fonts lack is named by its number."""
    if char in _SPECIAL:
        return _SPECIAL[char]
    is_known = char.isascii() or ("\xc0" <= char <= "\xff" and char not in "ÐðÞþ÷")
    return char if is_known else rf"\texttt{{U+{ord(char):04X}}}"
