"""Cohen's kappa of every two judges: which of them see the same."""

from pathlib import Path

from agenthorizon.report.cells import unmarked
from agenthorizon.report.figures.drawing import Drawn, canvas, save


def draw(drawn: Drawn, path: Path) -> bool:
    """Write the figure; False where there are no two judges."""
    judges = list(dict.fromkeys(name for pair in drawn.pairs for name in (pair.first, pair.second)))
    kappas = {frozenset((pair.first, pair.second)): pair.kappa for pair in drawn.pairs}
    values = [[1.0 if a == b else kappas.get(frozenset((a, b))) for b in judges] for a in judges]
    size = 1.8 + 0.6 * len(judges)
    with canvas(size, size) as (figure, axes):
        if judges:
            # Lightness grows with agreement all the way, so that grey says the same.
            shown = [[float("nan") if value is None else value for value in row] for row in values]
            axes.imshow(shown, cmap="cividis", vmin=-1, vmax=1)
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                words = "–" if value is None else f"{value:z.2f}"
                dark = value is not None and value < 0.3
                axes.text(j, i, words, ha="center", va="center", color="white" if dark else "black", fontsize=8)
        names = [unmarked(judge) for judge in judges]
        axes.set_xticks(range(len(names)), names, rotation=40, ha="right")
        axes.set_yticks(range(len(names)), names)
        axes.grid(visible=False)
        axes.set_title(f"Cohen's kappa of verdicts on {drawn.split}", fontsize=9)
        save(figure, path)
    return bool(judges)
