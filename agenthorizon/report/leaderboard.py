"""Leaderboards: which judges may be compared, and who comes first.

Only scorecards of one data set in one form are ranked together. The rank is that of the unrounded balanced accuracy
on AH, or on the only split where there is no AH. Beside it stands what the data know of that rank: judges asked the
whole split are compared pair by pair, and a row says which ranks are left to it and whom it cannot be told from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agenthorizon.dataset.splits import MAIN, in_order
from agenthorizon.scoring.answers import ONE_REPEAT
from agenthorizon.scoring.comparing import compared, standings_of
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.ties import Standing


@dataclass(frozen=True)
class LeaderboardRow:
    """One judge in a leaderboard."""

    rank: int | None
    """Shared by equal judges; None where the ranked figure is undefined."""
    card: Scorecard
    standing: Standing | None = None
    """None where there is nobody to compare with, or nothing to compare: less than the split asked, counts alone."""

    @property
    def place(self) -> str:
        """The rank and those that the data allow: `3 (2 to 5)`."""
        rank = "–" if self.rank is None else str(self.rank)
        if self.standing is None or self.standing.best == self.standing.worst:
            return rank
        return f"{rank} ({self.standing.best} to {self.standing.worst})"

    def notes(self, splits: Iterable[str]) -> str:
        """Say what a reader must know of these splits' figures: that they cover less, or are others' counts."""
        if self.card.source == "published":
            return "as published; intervals take tasks for independent"
        scores = {name: self.card.splits[name] for name in splits if name in self.card.splits}
        notes = [
            score.partial if len(scores) == 1 else f"{name} {score.partial}"
            for name, score in scores.items()
            if score.partial
        ]
        if ONE_REPEAT in self.card.warning_counts:
            notes.append("repeat 0 of several")
        return "; ".join(notes)


@dataclass(frozen=True)
class Leaderboard:
    """The judges that can be compared: same data set, same form."""

    data: str
    form: str | None
    ranked_on: str | None
    """The split of the rank; None where there are several and none is AH."""
    splits: tuple[str, ...]
    """Every split that a row has, the ranked one first."""
    rows: tuple[LeaderboardRow, ...]
    """Best first, undefined last."""
    version: str | None = None
    """Begin of the data's fingerprint, where two leaderboards are of data sets of one name and form."""

    @property
    def title(self) -> str:
        """The data set and its form."""
        return " · ".join(part for part in (self.data, self.form, self.version) if part) or "Leaderboard"


def leaderboards(cards: Iterable[Scorecard]) -> list[Leaderboard]:
    """Sort scorecards into leaderboards, one for each data set and form, in the order of their first scorecards."""
    together: dict[str, list[Scorecard]] = {}
    for card in cards:
        together.setdefault(card.conditions.origin, []).append(card)
    boards = [_leaderboard(some) for some in together.values()]
    titles = [board.title for board in boards]
    return [
        replace(board, version=(board.rows[0].card.conditions.fingerprint or "")[:8])
        if titles.count(title) > 1
        else board
        for board, title in zip(boards, titles, strict=True)
    ]


def _leaderboard(cards: Sequence[Scorecard]) -> Leaderboard:
    names = in_order(name for card in cards for name in card.splits)
    ranked_on = MAIN if MAIN in names else names[0] if len(names) == 1 else None
    values = [_ranked_value(card, ranked_on) for card in cards]
    ranks, standings = ranked(values), _standings(cards, ranked_on)
    order = sorted(range(len(cards)), key=lambda n: (ranks[n] is None, ranks[n] or 0, cards[n].judge))
    about = cards[0].conditions
    rows = tuple(LeaderboardRow(ranks[n], cards[n], standings.get(str(n))) for n in order)
    return Leaderboard(about.data, about.form, ranked_on, tuple(names), rows)


def _standings(cards: Sequence[Scorecard], split: str | None) -> dict[str, Standing]:
    """Return the standings by position of those cards that cover the whole split task by task."""
    if split is None:
        return {}
    whole = {
        str(n): card.marks[split]
        for n, card in enumerate(cards)
        if card.marks.get(split) and not card.splits[split].partial
    }
    return standings_of(whole, compared(whole)) if len(whole) > 1 else {}


def _ranked_value(card: Scorecard, split: str | None) -> float | None:
    score = card.splits.get(split) if split else None
    return score.balanced_accuracy.value if score else None


def ranked(values: Sequence[float | None]) -> list[int | None]:
    """Rank values, the highest first: equal ones share a rank, the next is as many places down; None has none."""
    defined = [value for value in values if value is not None]
    return [None if value is None else 1 + sum(other > value for other in defined) for value in values]
