"""Accuracy by the number of steps: does a judge lose the thread of long recordings?"""

from pathlib import Path

from agenthorizon.report.cells import unmarked
from agenthorizon.report.figures.drawing import Drawn, canvas, legend, margins, save, spread, style


def draw(drawn: Drawn, path: Path) -> bool:
    """Write the figure; False where steps make no slices."""
    drawing = {judge: [s for s in found if s.split == drawn.split] for judge, found in drawn.steps.items()}
    drawing = {judge: found for judge, found in drawing.items() if len(found) > 1}
    with canvas(6, 3.6) as (figure, axes):
        for place, (judge, found) in enumerate(drawing.items()):
            shift = spread(place, len(drawing))
            accuracies = [one.score.accuracy for one in found]
            axes.errorbar(
                [n + shift for n in range(len(found))],
                [100 * (estimate.value or 0) for estimate in accuracies],
                yerr=margins(accuracies),
                label=unmarked(judge),
                elinewidth=0.8,
                **style(place),
            )
        ticks = next(iter(drawing.values()), [])
        axes.set_xticks(range(len(ticks)), [f"{unmarked(one.value)}\n({one.score.tasks} tasks)" for one in ticks])
        axes.set(ylim=(-2, 102), xlabel="Steps", ylabel=f"Accuracy on {drawn.split}, percent")
        if drawing:
            legend(axes)
        save(figure, path)
    return bool(drawing)
