"""Mistake-type recall: of the failures of each type, how many a judge calls failed for that reason."""

from pathlib import Path

from agenthorizon.report.figures.drawing import COLOURS, Drawn, canvas, legend, margins, save
from agenthorizon.verdict import MISTAKE_TYPES

_HATCHES = ("", "///", "...")


def draw(drawn: Drawn, path: Path) -> bool:
    """Write the figure; False where no negative has a type."""
    known = [(name, s.mistake_type_recall) for name, s in drawn.scores if s.mistake_type_recall.overall.denominator]
    width = 0.8 / len(MISTAKE_TYPES)
    with canvas(max(5, 1.2 * len(known) + 2), 3.4) as (figure, axes):
        for n, kind in enumerate(MISTAKE_TYPES):
            rates = [(place, recall.by_type[kind]) for place, (_, recall) in enumerate(known) if kind in recall.by_type]
            rates = [(place, rate) for place, rate in rates if rate.value is not None]
            axes.bar(
                [place + (n - 1) * width for place, _ in rates],
                [100 * (rate.value or 0) for _, rate in rates],
                width,
                yerr=margins(rate for _, rate in rates),
                label=kind,
                color=COLOURS[n],
                hatch=_HATCHES[n],
                edgecolor="white",
                error_kw={"elinewidth": 0.8, "capsize": 2},
            )
        axes.set_xticks(range(len(known)), [name for name, _ in known])
        axes.set(ylim=(0, 100), ylabel=f"Mistake-type recall on {drawn.split}, percent")
        if known:
            legend(axes)
        save(figure, path)
    return bool(known)
