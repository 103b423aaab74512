"""The tables that can be exported, by name, each made from runs and their scorecards."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agenthorizon.report.tabled import Tabled
    from agenthorizon.scoring.scorecard import Scorecard

LEADERBOARD = "leaderboard"


@dataclass(frozen=True)
class Scored:
    """What tables are made from."""

    runs: Sequence[Path]
    cards: "Sequence[Scorecard]"
    """Those of the runs, in their order; in a leaderboard published results may follow."""
    by: Sequence[str]
    """Fields of the slices."""

    @property
    def title(self) -> str:
        """The data set and its form."""
        return self.cards[0].conditions.title


def _leaderboard(scored: Scored) -> "Tabled":
    from agenthorizon.report.leaderboard_table import leaderboard_table

    return leaderboard_table(scored.cards)


def _slices(scored: Scored) -> "Tabled":
    from agenthorizon.report.slice_tables import slice_table
    from agenthorizon.running.store import read_run
    from agenthorizon.slicing import slice_run

    pairs = zip(scored.cards, scored.runs, strict=True)
    return slice_table({card.judge: slice_run(card, read_run(run), scored.by) for card, run in pairs}, scored.title)


def _mistakes(scored: Scored) -> "Tabled":
    from agenthorizon.report.mistake_tables import mistake_table

    return mistake_table(scored.cards)


def _costs(scored: Scored) -> "Tabled":
    from agenthorizon.report.cost_tables import cost_table
    from agenthorizon.report.page.answers import JudgeAnswers
    from agenthorizon.scorecards import named_runs

    answers = {run.judge: JudgeAnswers(run) for run in named_runs(scored.runs)}
    return cost_table({judge: (one.costs(), one.seconds()) for judge, one in answers.items()}, scored.title)


def _comparisons(scored: Scored) -> "Tabled":
    from agenthorizon.cli.compare import common_split
    from agenthorizon.report.comparison_tables import comparison_table
    from agenthorizon.scoring.comparing import compare

    return comparison_table(compare(scored.cards, common_split(list(scored.cards))), scored.title)


def _ablations(scored: Scored) -> "Tabled":
    from agenthorizon.report.ablation_tables import ablation_table
    from agenthorizon.running.store import read_run
    from agenthorizon.running.variants import variants
    from agenthorizon.scoring.ablations import ablated

    card_of = dict(zip(scored.runs, scored.cards, strict=True))
    rows = [
        row
        for judge, shown in variants(map(read_run, scored.runs)).items()
        for row in ablated(judge, {str(ablation): card_of[run.folder] for ablation, run in shown.items()})
    ]
    return ablation_table(rows, scored.title)


TABLES: Mapping[str, Callable[[Scored], "Tabled"]] = {
    LEADERBOARD: _leaderboard,
    "slices": _slices,
    "mistakes": _mistakes,
    "costs": _costs,
    "comparisons": _comparisons,
    "ablations": _ablations,
}
"""Name of a table → what makes it. Raises UsageError where it cannot be made."""
