"""How many tasks each point of a figure stands on, in rows under its axis: one row per judge, one column per place."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FIRST, _NEXT = 40, 11
"""Points from the axis down to the first row, past ticks and label, and from row to row."""


def write_counts(axes: "Axes", places: Sequence[float], rows: Mapping[str, Sequence[int]]) -> None:
    """Write `rows`, counts by judge in the order of `places` on the x axis, under it. A count of 0 is left out."""
    for line, (name, counts) in enumerate(rows.items()):
        below = -_FIRST - _NEXT * line
        axes.annotate(
            f"{name}, tasks",
            (0, 0),
            (-6, below),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            fontsize=7,
        )
        for place, count in zip(places, counts, strict=True):
            axes.annotate(
                str(count) if count else "",
                (place, 0),
                (0, below),
                xycoords=axes.get_xaxis_transform(),
                textcoords="offset points",
                ha="center",
                fontsize=7,
            )
