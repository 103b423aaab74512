"""The figures that a leaderboard shows of a judge on a split: each is named, headed and read here alone."""

from collections.abc import Callable
from dataclasses import dataclass

from agenthorizon.report.cells import PERCENT, PLAIN, UNDEFINED, Scale, number
from agenthorizon.report.grid import Cell, Column, figure
from agenthorizon.scoring.estimates import Estimate
from agenthorizon.scoring.split_score import SplitScore


@dataclass(frozen=True)
class Figure(Column):
    """A figure with an interval."""

    estimate: Callable[[SplitScore], Estimate] = lambda score: score.balanced_accuracy
    scale: Scale = PERCENT

    def cell(self, score: SplitScore, best: float | None = None) -> Cell:
        """Return the cell; `best` is the highest value of the column."""
        return figure(self.estimate(score), self.scale, best)

    def text(self, score: SplitScore) -> str:
        """Return it in one piece, for the tables of one split."""
        cell = self.cell(score)
        return f"{cell.text} [{cell.interval}]" if cell.interval else cell.text


@dataclass(frozen=True)
class Count(Column):
    """A number of tasks."""

    count: Callable[[SplitScore], int | None] = lambda score: score.tasks
    about: Callable[[SplitScore], str] = lambda score: ""
    """What follows the number where there is room for it."""

    def cell(self, score: SplitScore, best: float | None = None) -> Cell:
        """Return the cell; no count is the best one."""
        return Cell(number(self.count(score)))

    def text(self, score: SplitScore) -> str:
        """Return it with what follows it, for the tables of one split."""
        return UNDEFINED if self.count(score) is None else f"{self.count(score)}{self.about(score)}"


def _failures(score: SplitScore) -> str:
    kinds = {"refused": score.refusal_rate.numerator, "truncated": score.truncation_rate.numerator}
    named = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
    return f" ({named})" if named else ""


FIGURES: tuple[Figure | Count, ...] = (
    Figure("Balanced accuracy", estimate=lambda score: score.balanced_accuracy),
    Figure("TPR", estimate=lambda score: score.tpr),
    Figure("TNR", estimate=lambda score: score.tnr),
    Figure("Mistake-type recall", estimate=lambda score: score.mistake_type_recall.overall),
    Figure("Accuracy", shown="when named", estimate=lambda score: score.accuracy),
    Figure("Precision", shown="when named", estimate=lambda score: score.precision),
    Figure("F1", shown="when named", estimate=lambda score: score.f1),
    Figure("MCC", shown="when named", estimate=lambda score: score.mcc, scale=PLAIN),
    Figure("Coverage", shown="when named", estimate=lambda score: score.coverage),
    Count("Verdicts", shown="when named", count=lambda score: score.verdicts, about=lambda score: f" of {score.tasks}"),
    Count("Malformed", shown="when named", count=lambda score: score.malformed),
    Count("Failed", shown="when named", count=lambda score: score.failed, about=_failures),
    Count("Missing", shown="when named", count=lambda score: score.missing),
)

OVERVIEW = FIGURES[:4]
"""The figures of the ranked split in an overview; other splits show the first of them."""
DETAILED = tuple(column for column in FIGURES if column.head != "Coverage")
"""The figures of a split's own table; its coverage stands in the notes."""
