"""Which ranks the data allow a judge, and which judges cannot be told apart."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Standing:
    """Where a judge stands among those it was compared with."""

    judge: str
    best: int
    """The best rank that the tests allow: 1 + the number of judges shown to be better."""
    worst: int
    """The worst: the number of judges less those shown to be worse."""
    groups: tuple[str, ...]
    """Letters of its groups. Judges with a letter in common cannot be told apart (Piepho 2004)."""


def standings(judges: Sequence[str], is_better: Mapping[tuple[str, str], bool]) -> dict[str, Standing]:
    """Return the standing of each judge; `judges` come best first.

    `is_better[a, b]` says that `a` was shown to be better than `b`. The ranks follow from all pairs at once (Al
    Mohamad, Goeman and van Zwet 2022), so that they hold together as the tests do.
    """
    tied = {a: {b for b in judges if b != a and not (is_better[a, b] or is_better[b, a])} for a in judges}
    place = {judge: n for n, judge in enumerate(judges)}
    cliques = sorted(sorted(place[judge] for judge in clique) for clique in _cliques(set(), set(judges), set(), tied))
    letters: dict[str, list[str]] = {judge: [] for judge in judges}
    for letter, clique in zip(_letters(), cliques, strict=False):
        for n in clique:
            letters[judges[n]].append(letter)
    return {
        judge: Standing(
            judge,
            best=1 + sum(is_better[other, judge] for other in judges if other != judge),
            worst=len(judges) - sum(is_better[judge, other] for other in judges if other != judge),
            groups=tuple(letters[judge]),
        )
        for judge in judges
    }


def _cliques(chosen: set[str], open_to: set[str], done: set[str], tied: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Yield every largest set of judges all tied with each other (Bron and Kerbosch 1973, with a pivot)."""
    if not open_to and not done:
        yield chosen
        return
    pivot = max(sorted(open_to | done), key=lambda judge: len(tied[judge] & open_to))
    for judge in sorted(open_to - tied[pivot]):
        yield from _cliques(chosen | {judge}, open_to & tied[judge], done & tied[judge], tied)
        open_to, done = open_to - {judge}, done | {judge}


def _letters() -> Iterator[str]:
    """Yield a, b, … z, aa, ab, …"""
    for length in itertools.count(1):
        for letters in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=length):
            yield "".join(letters)
