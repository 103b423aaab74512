"""Leaderboards, slices and comparisons as the page's JSON: figures unrounded, for the page to sort and draw."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agenthorizon.errors import UsageError
from agenthorizon.evidence.safe_text import escape
from agenthorizon.report.leaderboard import Leaderboard, LeaderboardRow, leaderboards
from agenthorizon.scoring.comparing import Comparison, compare
from agenthorizon.scoring.estimates import Estimate
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.slices import Slice
from agenthorizon.scoring.split_score import SplitScore

Figure = list[float | None]
"""Value, lower limit, upper limit."""


def boards(cards: Iterable[Scorecard]) -> list[dict[str, Any]]:
    """Return the leaderboards of scorecards."""
    return [_board(board) for board in leaderboards(cards)]


def _board(board: Leaderboard) -> dict[str, Any]:
    return {
        "title": escape(board.title),
        "ranked_on": board.ranked_on,
        "splits": [_split(board, name) for name in board.splits],
        "rows": [_row(row, board) for row in board.rows],
    }


def _split(board: Leaderboard, name: str) -> dict[str, Any]:
    score = next(row.card.splits[name] for row in board.rows if name in row.card.splits)
    return {"name": escape(name), "tasks": score.tasks, "positives": score.positives, "negatives": score.negatives}


def _row(row: LeaderboardRow, board: Leaderboard) -> dict[str, Any]:
    scores = [row.card.splits.get(name) for name in board.splits]
    return {
        "rank": row.rank,
        "place": row.place,
        "tied": " ".join(row.standing.groups) if row.standing else "",
        "judge": escape(row.card.judge),
        "source": row.card.source,
        "protocol": escape(row.card.conditions.protocol),
        "notes": [escape(row.notes([name])) for name in board.splits],
        "scores": [score and _score(score) for score in scores],
    }


def _score(score: SplitScore) -> dict[str, Any]:
    return {
        **_rates(score),
        "mistakes": _figure(score.mistake_type_recall.overall),
        "accuracy": _figure(score.accuracy),
        "no_verdict": None if score.verdicts is None else score.tasks - score.verdicts,
    }


def _rates(score: SplitScore) -> dict[str, Figure]:
    return {"ba": _figure(score.balanced_accuracy), "tpr": _figure(score.tpr), "tnr": _figure(score.tnr)}


def _figure(estimate: Estimate) -> Figure:
    return [estimate.value, estimate.low, estimate.high]


def comparisons(cards: Sequence[Scorecard]) -> list[dict[str, Any]]:
    """Return every pair of judges, split by split, where two were asked a task in common."""
    names = dict.fromkeys(name for card in cards for name in card.marks)
    found = []
    for name in names:
        asked = [card for card in cards if name in card.marks]
        try:
            pairs = compare(asked, name).pairs
        except UsageError:  # one judge alone, or nobody was asked the same
            continue
        found.append({"split": escape(name), "pairs": [_pair(pair) for pair in pairs]})
    return found


def _pair(pair: Comparison) -> dict[str, Any]:
    return {
        "first": escape(pair.first),
        "second": escape(pair.second),
        "tasks": pair.tasks,
        "ba": _figure(pair.balanced_accuracy),
        "tpr": _figure(pair.tpr),
        "tnr": _figure(pair.tnr),
        "p": pair.p_holm,
        "better": escape(pair.better) if pair.better else None,
        "alone": [
            pair.positives_test.first_only + pair.negatives_test.first_only,
            pair.positives_test.second_only + pair.negatives_test.second_only,
        ],
        "kappa": pair.kappa,
        "overlap": _figure(pair.error_overlap),
    }


def sliced(by_judge: Mapping[str, Sequence[Slice]]) -> list[dict[str, Any]]:
    """Return the slices of judges, gathered by split and field."""
    tables: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for judge, found in by_judge.items():
        for one in found:
            tables.setdefault((one.split, one.by), []).append(_slice(judge, one))
    return [{"split": escape(split), "by": escape(by), "rows": rows} for (split, by), rows in tables.items()]


def _slice(judge: str, one: Slice) -> dict[str, Any]:
    score = one.score
    counts = {"tasks": score.tasks, "positives": score.positives, "negatives": score.negatives}
    return {"judge": escape(judge), "value": escape(one.value), "note": escape(one.note), **counts, **_rates(score)}
