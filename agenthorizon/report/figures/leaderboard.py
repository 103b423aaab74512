"""Balanced accuracy of every judge with its interval, best on top; published rows hollow; chance as a line."""

from pathlib import Path

from agenthorizon.report.figures.drawing import COLOURS, GREY, Drawn, canvas, margins, save


def draw(drawn: Drawn, path: Path) -> bool:
    """Write the figure; False where there is no judge."""
    scores = drawn.scores
    with canvas(6, 1 + 0.28 * len(scores)) as (figure, axes):
        for place, (_, score) in enumerate(scores):
            estimate = score.balanced_accuracy
            hollow = drawn.is_published(place)
            axes.errorbar(
                100 * (estimate.value or 0),
                -place,
                xerr=margins([estimate]),
                fmt="s" if hollow else "o",
                color=GREY if hollow else COLOURS[0],
                markerfacecolor="white" if hollow else COLOURS[0],
                capsize=3,
            )
        axes.axvline(50, color="black", linewidth=0.8, linestyle=":")
        names = [f"{name} (published)" * drawn.is_published(n) or name for n, (name, _) in enumerate(scores)]
        axes.set_yticks([-place for place in range(len(scores))], names)
        axes.set_xlim(0, 100)
        axes.set_xlabel(f"Balanced accuracy on {drawn.split} in percent, 95 % interval; dotted: chance")
        axes.grid(axis="y", visible=False)
        save(figure, path)
    return bool(scores)
