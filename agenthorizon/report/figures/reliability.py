"""Stated confidence against accuracy: is a judge more often right where it says that it is sure?"""

from pathlib import Path

from agenthorizon.report.figures.counts import write_counts
from agenthorizon.report.figures.drawing import Drawn, canvas, legend, margins, save, spread, style
from agenthorizon.scoring.calibration import LEVELS

_NOT_SAID = "not said"


def draw(drawn: Drawn, path: Path) -> bool:
    """Write the figure; False where no judge says how sure it is."""
    known = [
        (place, name, {level.confidence: level.accuracy for level in found.levels})
        for place, name, found in drawn.calibrated
        if any(level.confidence for level in found.levels)
    ]
    are_silent = any(None in accuracy for *_, accuracy in known)
    scale = [*([None] if are_silent else []), *(level for level in reversed(LEVELS) if level)]
    with canvas(5, 3.6) as (figure, axes):
        for nth, (place, name, accuracy) in enumerate(known):
            stated = [n for n, level in enumerate(scale) if level in accuracy]
            rates = [accuracy[scale[n]] for n in stated]
            axes.errorbar(
                [n + spread(nth, len(known)) for n in stated],
                [100 * (rate.value or 0) for rate in rates],
                yerr=margins(rates),
                label=name,
                elinewidth=0.8,
                capsize=2,
                **style(place),
            )
        axes.set_xticks(range(len(scale)), [level or _NOT_SAID for level in scale])
        axes.set(xlim=(-0.5, len(scale) - 0.5), ylim=(-2, 102), xlabel="Confidence that the judge states")
        axes.set_ylabel(f"Accuracy on {drawn.split}, percent")
        axes.grid(axis="x", visible=False)
        if known:
            legend(axes)
        counted = {n: [a[level].denominator if level in a else 0 for level in scale] for _, n, a in known}
        write_counts(axes, range(len(scale)), counted)
        save(figure, path)
    return bool(known)
