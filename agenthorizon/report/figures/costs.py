"""What a judge costs against how far it can be trusted."""

from pathlib import Path

from agenthorizon.report.figures.drawing import Drawn, canvas, legend, margins, save, style


def draw(drawn: Drawn, path: Path) -> bool:
    """Write the figure; False where the cost of no judge is known to be above 0, which the scale cannot show."""
    named = list(zip((card.judge for card in drawn.cards), drawn.scores, strict=True))
    known = [(n, drawn.costs[judge], shown) for n, (judge, shown) in enumerate(named) if drawn.costs.get(judge)]
    with canvas(6, 3.6) as (figure, axes):
        for place, cost, (name, score) in known:
            axes.errorbar(
                cost,
                100 * (score.balanced_accuracy.value or 0),
                yerr=margins([score.balanced_accuracy]),
                label=name,
                elinewidth=0.8,
                **{**style(place), "linestyle": "none"},
            )
        if known:
            axes.set_xscale("log")
            legend(axes)
        axes.set(ylim=(0, 100), xlabel="US dollars a task (logarithmic)")
        axes.set_ylabel(f"Balanced accuracy on {drawn.split}, percent")
        save(figure, path)
    return bool(known)
