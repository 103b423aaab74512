"""Leaderboards as Markdown for reading: an overview of the judges, then a table for each split."""

from collections.abc import Callable, Iterable, Mapping

from agenthorizon.report.cells import UNDEFINED, decimal, markdown, markdown_table, percent
from agenthorizon.report.leaderboard import Leaderboard, leaderboards
from agenthorizon.report.leaderboard_columns import DETAILED, OVERVIEW
from agenthorizon.scoring.pair_insight import PairInsight
from agenthorizon.scoring.scorecard import Scorecard

PAIR_COLUMNS: Mapping[str, Callable[[PairInsight], str]] = {
    "Both right": lambda pairs: percent(pairs.both_right),
    "Yes to both": lambda pairs: percent(pairs.yes_to_both),
    "No to both": lambda pairs: percent(pairs.no_to_both),
    "Inverted": lambda pairs: percent(pairs.inverted),
    "Without verdict": lambda pairs: percent(pairs.without_verdict),
    "Yes-rate": lambda pairs: percent(pairs.yes_rate),
    "d′": lambda pairs: decimal(pairs.d_prime),
    "Criterion": lambda pairs: decimal(pairs.criterion),
}
"""What a table can say of answers by recording: heading → cell."""

TIED = (
    "Judges that share a letter cannot be told apart on these tasks, and the ranks in brackets are those left open "
    "(paired differences, 5 % over all pairs by Holm)."
)


def to_markdown(cards: Iterable[Scorecard], *, details: bool = True) -> str:
    """Write each leaderboard as a table of its judges and, with `details`, then a table for each split."""
    return boards_to_markdown(leaderboards(cards), details=details)


def boards_to_markdown(boards: Iterable[Leaderboard], *, details: bool = True) -> str:
    """Write leaderboards as `to_markdown` does."""
    return "\n\n".join(part for board in boards for part in _parts(board, details)) + "\n"


def _parts(board: Leaderboard, details: bool) -> list[str]:
    rank = f"Ranked on balanced accuracy on {markdown(board.ranked_on)}" if board.ranked_on else "Not ranked"
    caption = f"{rank}. Percent with 95 % intervals that respect pair groups; a task without a verdict counts as wrong."
    if any(row.standing for row in board.rows):
        caption += f" {TIED}"
    parts = [f"### {markdown(board.title)}", caption, _overview(board)]
    for name in board.splits if details else ():
        size = next(row.card.splits[name] for row in board.rows if name in row.card.splits)
        about = f"{size.tasks} in all, {size.positives} positive, {size.negatives} negative"
        parts += [f"#### {markdown(name)} ({about})", _detail(board, name), *_pairs(board, name)]
    return parts


def _overview(board: Leaderboard) -> str:
    shown = [(name, column) for name in board.splits for column in OVERVIEW[: None if name == board.ranked_on else 1]]
    compared = any(row.standing for row in board.rows)
    rows = []
    for row in board.rows:
        scores = [(row.card.splits.get(name), column) for name, column in shown]
        figures = [column.text(score) if score else UNDEFINED for score, column in scores]
        tied = [" ".join(row.standing.groups) if row.standing else UNDEFINED] if compared else []
        about = [markdown(row.card.conditions.protocol), markdown(row.notes(board.splits))]
        rows.append([row.place, markdown(row.card.judge), *tied, *figures, *about])
    heads = [f"{markdown(name)} {column.head}" for name, column in shown]
    return markdown_table(["Rank", "Judge", *["Tied"][:compared], *heads, "Protocol", "Notes"], rows)


def _detail(board: Leaderboard, name: str) -> str:
    rows = []
    for row in board.rows:
        if score := row.card.splits.get(name):
            figures = [column.text(score) for column in DETAILED]
            about = [markdown(row.card.conditions.protocol), markdown(row.notes([name]))]
            rows.append([markdown(row.card.judge), *figures, *about])
    return markdown_table(["Judge", *(column.head for column in DETAILED), "Protocol", "Notes"], rows)


def _pairs(board: Leaderboard, name: str) -> Iterable[str]:
    """Yield the table of what judges say of one recording under two instructions, where any couple is in the split."""
    of_split = [(row.card.judge, row.card.splits[name].pairs) for row in board.rows if name in row.card.splits]
    couples = max((pairs.couples for _, pairs in of_split), default=0)
    if not couples:
        return
    rows = [[markdown(judge), *(cell(pairs) for cell in PAIR_COLUMNS.values())] for judge, pairs in of_split]
    yield f"One recording under its own and the swapped instruction, {couples} times in {markdown(name)}:"
    yield markdown_table(["Judge", *PAIR_COLUMNS], rows)
