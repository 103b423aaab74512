"""What stands in one cell of a table: a figure by its scale, or a text that its format cannot mistake for its own.

Names of judges and data sets come from users and files: one may hold a pipe, a line break, HTML, an escape
sequence of a terminal, or what a spreadsheet takes for a formula.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agenthorizon.scoring.estimates import Estimate

UNDEFINED = "–"
"""Stands for a figure that does not exist; it is no zero."""

_MARKDOWN = re.compile(r"([\\`*_\[\]|~$])")
_FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


class Figure(NamedTuple):
    """A figure as every format writes it."""

    value: str
    interval: str
    """`low, high`; empty where the figure has no limits."""


@dataclass(frozen=True)
class Scale:
    """How the value of an estimate is written."""

    factor: int
    digits: int
    """After the decimal point."""
    sign: Literal["-", "+"]
    """Which values have one: those below zero, or all."""

    def write(self, value: float) -> str:
        """Return a value; what rounds to zero has no sign of its own."""
        return f"{self.factor * value:{self.sign}z.{self.digits}f}"


PERCENT = Scale(100, 1, "-")
"""For shares."""
POINTS = Scale(100, 1, "+")
"""For differences of shares, in percentage points."""
PLAIN = Scale(1, 2, "-")
"""For what is no share, such as a correlation."""


def written(estimate: Estimate | None, scale: Scale) -> Figure:
    """Write an estimate and its interval."""
    if estimate is None or estimate.value is None:
        return Figure(UNDEFINED, "")
    limits = [scale.write(limit) for limit in (estimate.low, estimate.high) if limit is not None]
    return Figure(scale.write(estimate.value), ", ".join(limits) if len(limits) == 2 else "")


def percent(estimate: Estimate | None, interval: bool = True) -> str:
    """Write an estimate as `77.3 [71.0, 82.6]`."""
    figure = written(estimate, PERCENT)
    return _on_one_line(figure) if interval else figure.value


def points(estimate: Estimate | None) -> str:
    """Write a difference of two estimates in percentage points, with its sign: `+3.1 [-1.2, +7.4]`."""
    return _on_one_line(written(estimate, POINTS))


def decimal(estimate: Estimate | None) -> str:
    """Write a figure that is no share, such as a correlation, as `0.41 [0.22, 0.58]`."""
    return _on_one_line(written(estimate, PLAIN))


def _on_one_line(figure: Figure) -> str:
    return f"{figure.value} [{figure.interval}]" if figure.interval else figure.value


def probability(p: float | None) -> str:
    """Write a p value; a very small one as a bound."""
    if p is None:
        return UNDEFINED
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def number(count: int | None) -> str:
    """Write a count, or that there is none."""
    return UNDEFINED if count is None else str(count)


def unmarked(text: str) -> str:
    """Put a text on one line, with control, format and other invisible characters spelt out."""
    return "".join(_visible(char) for char in text).strip()


def _visible(char: str) -> str:
    if char in "\t\n\r\u2028\u2029":
        return " "
    hidden = unicodedata.category(char) in ("Cc", "Cf", "Cs")
    return char.encode("unicode_escape").decode() if hidden else char


def markdown(text: str) -> str:
    """Write a text so that Markdown shows it as it is, inside a table too."""
    escaped = _MARKDOWN.sub(r"\\\1", unmarked(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Put cells, each already written for Markdown, into a table. Raises ValueError for a row of another width."""
    rule = ["---"] * len(heads)
    lines = [heads, rule, *rows]
    if odd := [cells for cells in lines if len(cells) != len(heads)]:
        raise ValueError(f"{len(heads)} headings over {len(odd[0])} cells")
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def spreadsheet(text: str) -> str:
    """Write a text so that no spreadsheet runs it: one that begins like a formula gets an apostrophe (OWASP)."""
    safe = unmarked(text)
    return f"'{safe}" if safe.startswith(_FORMULA_STARTS) else safe
