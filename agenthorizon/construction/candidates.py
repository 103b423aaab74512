"""Makes the candidate tasks of recordings and their pairs: each recording's own (positive) and both swaps of a pair.

Two recordings give two positives and two negatives; three that hang together (a parent with two children) give three
and four; one alone gives a positive.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agenthorizon.construction.links import components
from agenthorizon.construction.pair_checks import bare_instruction
from agenthorizon.dataset.pair_link import CHILD_SHOWN, PARENT_SHOWN, PairLink
from agenthorizon.errors import DataError, Finding

Identical = Literal["refuse", "drop"]
"""What becomes of a pair whose instructions are the same: its swaps would be no negatives."""


@dataclass(frozen=True)
class Candidate:
    """One (instruction, recording) combination."""

    instruction_of: str
    """The recording whose instruction it carries."""
    recording: str
    """The recording it shows."""
    group: str
    """Its pair group."""
    paired: str | None
    """The other recording of the pair; None for a lone recording."""
    direction: str | None = None
    """Of a swap, which way it goes (`negative_source`); None for a positive."""
    mistake_type: str | None = None

    @property
    def is_positive(self) -> bool:
        """Whether the recording was made for this instruction."""
        return self.instruction_of == self.recording


@dataclass(frozen=True)
class Candidates:
    """All candidates, and which of them identical instructions took away."""

    pairs: int
    all: tuple[Candidate, ...]
    identical_pairs: int
    kept: tuple[Candidate, ...]


def make_candidates(
    instructions: Mapping[str, str], links: Sequence[PairLink], identical: Identical = "refuse"
) -> Candidates:
    """Return the candidates of recordings (id → instruction) in a fixed order: positives, then swaps by pair.

    A pair whose instructions are the same, up to letter case, spacing and a final stop, is refused with DataError
    naming every such pair, or dropped: both swaps and both positives, as the protocol does.
    """
    groups = components(instructions, links)
    partner = {name: None for name in instructions} | _partners(links)
    positives = [Candidate(name, name, groups[name], partner[name]) for name in instructions]
    made = (*positives, *(swap for link in links for swap in _swaps(link, groups)))
    bare = {name: bare_instruction(text) for name, text in instructions.items()}
    same = [link for link in links if bare[link.parent] == bare[link.child]]
    if same and identical == "refuse":
        faults = [Finding("identical_instructions", "pairs", detail=f"{link.parent} and {link.child}") for link in same]
        raise DataError("pairs with one instruction twice; mend them, or have them dropped (--identical drop)", faults)
    return Candidates(len(links), made, len(same), tuple(each for each in made if not _is_dropped(each, same)))


def _partners(links: Iterable[PairLink]) -> dict[str, str | None]:
    """Return the recording that each is paired with; the first, where it stands in several pairs."""
    partners: dict[str, str | None] = {}
    for link in links:
        partners.setdefault(link.parent, link.child)
        partners.setdefault(link.child, link.parent)
    return partners


def _swaps(link: PairLink, groups: Mapping[str, str]) -> tuple[Candidate, Candidate]:
    group, types = groups[link.parent], link.mistake_types
    return (
        Candidate(link.parent, link.child, group, link.parent, CHILD_SHOWN, types.get(CHILD_SHOWN)),
        Candidate(link.child, link.parent, group, link.child, PARENT_SHOWN, types.get(PARENT_SHOWN)),
    )


def _is_dropped(candidate: Candidate, same: Iterable[PairLink]) -> bool:
    ends = {candidate.instruction_of, candidate.recording}
    return any(ends <= {link.parent, link.child} for link in same)
