"""The leaderboard as an exported table: one grid per split with columns to choose, one record per judge and split."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agenthorizon.report.grid import Cell, Column, Grid
from agenthorizon.report.leaderboard import Leaderboard, LeaderboardRow, leaderboards
from agenthorizon.report.leaderboard_columns import FIGURES, Count, Figure
from agenthorizon.report.leaderboard_markdown import boards_to_markdown
from agenthorizon.report.tabled import Tabled, to_json
from agenthorizon.scoring.scorecard import Scorecard, as_json

PUBLISHED_MARK = "published"


@dataclass(frozen=True)
class _Words(Column):
    words: Callable[[LeaderboardRow, str], str] = lambda row, split: ""
    mark: Callable[[LeaderboardRow], str] = lambda row: ""


def _judge_mark(row: LeaderboardRow) -> str:
    tied = ",".join(row.standing.groups) if row.standing else ""
    return PUBLISHED_MARK if row.card.source == "published" else tied


_RANK = _Words("Rank", words=lambda row, _: row.place)
_COLUMNS: tuple[_Words | Figure | Count, ...] = (
    _Words("Judge", is_number=False, words=lambda row, _: row.card.judge, mark=_judge_mark),
    *FIGURES,
    _Words("Protocol", is_number=False, shown="when named", words=lambda row, _: row.card.conditions.protocol),
    _Words("Notes", is_number=False, words=lambda row, split: row.notes([split])),
)


def leaderboard_table(cards: Sequence[Scorecard]) -> Tabled:
    """Return the table: Markdown and JSON of all of it say more than the columns that can be named."""
    boards = leaderboards(cards)
    return Tabled(
        [_grid(board, split) for board in boards for split in board.splits],
        _records(boards),
        {"md": lambda: boards_to_markdown(boards), "json": lambda: to_json(as_json(cards))},
    )


def _grid(board: Leaderboard, split: str) -> Grid:
    rows = [row for row in board.rows if split in row.card.splits]
    size = rows[0].card.splits[split]
    # The rank is that of one split; beside another's figures it would be read as theirs.
    columns = (_RANK if split == board.ranked_on else replace(_RANK, shown="never"), *_COLUMNS)
    best = [_best(column, rows, split) for column in columns]
    caption = (
        f"{split}: {size.tasks} tasks, {size.positives} positive, {size.negatives} negative. Percent with 95 % "
        "intervals that respect pair groups; a task without a verdict counts as wrong. Bold: highest."
    )
    # So are the letters: they say on whose tasks judges were compared.
    if split == board.ranked_on and any(row.standing for row in rows):
        caption += " Judges that share a letter cannot be told apart on these tasks."
    elif split != board.ranked_on:
        rows = [replace(row, standing=None) for row in rows]
    cells = (tuple(_cell(column, row, split, top) for column, top in zip(columns, best, strict=True)) for row in rows)
    return Grid(board.title, caption, columns, tuple(cells))


def _best(column: Column, rows: Sequence[LeaderboardRow], split: str) -> float | None:
    if not isinstance(column, Figure) or len(rows) < 2:
        return None
    values = [column.estimate(row.card.splits[split]).value for row in rows]
    return max((value for value in values if value is not None), default=None)


def _cell(column: _Words | Figure | Count, row: LeaderboardRow, split: str, best: float | None) -> Cell:
    if isinstance(column, _Words):
        return Cell(column.words(row, split), mark=column.mark(row))
    return column.cell(row.card.splits[split], best)


def _records(boards: Iterable[Leaderboard]) -> list[dict[str, Any]]:
    """Return one record per judge and split, best judge first: rank, standing and every figure, unrounded."""
    return [
        {"rank": row.rank, **_standing(row), **record, "notes": row.notes([record["split"]])}
        for board in boards
        for row in board.rows
        for record in row.card.records()
    ]


def _standing(row: LeaderboardRow) -> dict[str, int | str | None]:
    if row.standing is None:
        return {"rank_best": None, "rank_worst": None, "tied": None}
    return {"rank_best": row.standing.best, "rank_worst": row.standing.worst, "tied": " ".join(row.standing.groups)}
