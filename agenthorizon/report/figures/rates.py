"""TPR against TNR, with lines of equal balanced accuracy: which way each judge leans."""

from pathlib import Path

from agenthorizon.report.figures.drawing import GREY, Drawn, canvas, legend, margins, save, style


def draw(drawn: Drawn, path: Path) -> bool:
    """Write the figure; False where no judge has both rates."""
    known = [(n, name, s) for n, (name, s) in enumerate(drawn.scores) if None not in (s.tpr.value, s.tnr.value)]
    with canvas(5, 5) as (figure, axes):
        for level in range(30, 100, 10):
            ends = [max(0, 2 * level - 100), min(100, 2 * level)]
            axes.plot(ends, [2 * level - end for end in ends], color="#bbbbbb", linewidth=0.7, zorder=1)
            axes.annotate(str(level), (level, level), color=GREY, fontsize=7, ha="center", va="center", zorder=1)
        for place, name, score in known:
            axes.errorbar(
                100 * (score.tnr.value or 0),
                100 * (score.tpr.value or 0),
                xerr=margins([score.tnr]),
                yerr=margins([score.tpr]),
                label=name,
                elinewidth=0.8,
                clip_on=False,
                **{**style(place), "linestyle": "none"},
            )
        axes.set(xlim=(0, 100), ylim=(0, 100), aspect="equal")
        axes.set_xlabel(f"TNR on {drawn.split}: failures seen, percent")
        axes.set_ylabel("TPR: successes seen, percent")
        axes.grid(visible=False)
        if known:
            legend(axes)
        save(figure, path)
    return bool(known)
