"""Share of yes over repeats against the share of successes: what a judge's repeated verdicts are worth as a chance."""

from pathlib import Path

from agenthorizon.report.figures.counts import write_counts
from agenthorizon.report.figures.drawing import GREY, Drawn, canvas, legend, margins, save, spread, style


def draw(drawn: Drawn, path: Path) -> bool:
    """Write the figure; False where no judge was asked repeatedly."""
    known = [(place, name, found.repeats.bins) for place, name, found in drawn.calibrated if found.repeats]
    shares = sorted({one.yes for *_, bins in known for one in bins})
    with canvas(5, 4) as (figure, axes):
        axes.plot([0, 100], [0, 100], color=GREY, linewidth=0.8, linestyle=":", zorder=1)
        for nth, (place, name, bins) in enumerate(known):
            axes.errorbar(
                [100 * one.yes + 20 * spread(nth, len(known)) for one in bins],
                [100 * (one.positives.value or 0) for one in bins],
                yerr=margins(one.positives for one in bins),
                label=name,
                elinewidth=0.8,
                capsize=2,
                **style(place),
            )
        axes.set(
            xlim=(-6, 106), ylim=(-2, 102), xlabel="Share of yes over repeats, percent; dotted: as good as its word"
        )
        axes.set_ylabel(f"Share of successes on {drawn.split}, percent")
        if known:
            legend(axes)
        counted = {name: {one.yes: one.positives.denominator for one in bins} for _, name, bins in known}
        places = [100 * share for share in shares]
        write_counts(axes, places, {name: [of.get(share, 0) for share in shares] for name, of in counted.items()})
        save(figure, path)
    return bool(known)
