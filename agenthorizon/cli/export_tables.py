"""The tables that can be exported, by name, each made from runs and their scorecards."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agenthorizon.report.tabled import Tabled
    from agenthorizon.results.scorecards import ScoredRun
    from agenthorizon.scoring.scorecard import Scorecard

LEADERBOARD = "leaderboard"


@dataclass(frozen=True)
class Scored:
    """What tables are made from."""

    runs: "Sequence[ScoredRun]"
    rows: "Sequence[Scorecard]"
    """The runs' scorecards, in their order; in a leaderboard published results may follow."""
    by: Sequence[str]
    """Fields of the slices."""

    @property
    def title(self) -> str:
        """The data set and its form."""
        return self.rows[0].conditions.title


def _leaderboard(scored: Scored) -> "Tabled":
    from agenthorizon.report.leaderboard_table import leaderboard_table

    return leaderboard_table(scored.rows)


def _slices(scored: Scored) -> "Tabled":
    from agenthorizon.report.slice_tables import slice_table
    from agenthorizon.results.slicing import slice_run

    return slice_table({card.judge: slice_run(card, run, scored.by) for run, card in scored.runs}, scored.title)


def _mistakes(scored: Scored) -> "Tabled":
    from agenthorizon.report.mistake_tables import mistake_table

    return mistake_table(scored.rows)


def _costs(scored: Scored) -> "Tabled":
    from agenthorizon.report.cost_tables import Taken, cost_table
    from agenthorizon.running.taken import answers_kept, dollars_taken, seconds_taken

    taken = {card.judge: Taken(dollars_taken(run), seconds_taken(run), answers_kept(run)) for run, card in scored.runs}
    return cost_table(taken, scored.title)


def _comparisons(scored: Scored) -> "Tabled":
    from agenthorizon.cli.leaving_out import said_split
    from agenthorizon.report.comparison_tables import comparison_table
    from agenthorizon.scoring.comparing import compare

    return comparison_table(compare(scored.rows, said_split(scored.rows)), scored.title)


def _ablations(scored: Scored) -> "Tabled":
    from agenthorizon.report.ablation_tables import ablation_table
    from agenthorizon.running.variants import variants
    from agenthorizon.scoring.ablations import ablated

    card_of = {run.folder: card for run, card in scored.runs}
    rows = [
        row
        for judge, shown in variants(run for run, _ in scored.runs).items()
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
