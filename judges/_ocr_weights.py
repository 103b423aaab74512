"""Turns what was found into a probability of success, by weights that were fitted on AH-D alone."""

import hashlib
import math
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from ._ocr_looking import Look
from ._ocr_terms import Term

FILE = "ocr_weights.json"


class Shares(NamedTuple):
    """How much of what the instruction names was found, each term by what it is worth; from 0 to 1."""

    typed: float
    """In what was typed."""
    last: float
    """On the last screen."""
    anywhere: float
    """In anything that was typed, pressed or read."""


class Rarity(BaseModel):
    """How telling a term is, by the instructions of the development split."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    instructions: int = Field(ge=0)
    """How many different ones there are."""
    counts: dict[str, int]
    """Term → how many of them have it. Terms that only one has are left out: they are as rare as unseen ones."""

    def worth(self, term: Term) -> float:
        """Return nothing for a term that all instructions have, its full weight for a rare one."""
        if self.instructions < 2:
            return term.weight
        return term.weight * (1 - math.log(self.counts.get(term.key, 1)) / math.log(self.instructions))

    def shares(self, seen: Look) -> Shares:
        """Return the features of a case."""
        total = sum(self.worth(found.term) for found in seen.findings) or 1.0
        last_screen = seen.screens[-1] if seen.screens else None
        typed = last = anywhere = 0.0
        for term, sources in seen.findings:
            worth = self.worth(term) / total
            typed += worth * any(source.kind == "typed" for source in sources)
            last += worth * any(source.kind == "screen" and source.step == last_screen for source in sources)
            anywhere += worth * bool(sources)
        return Shares(typed, last, anywhere)


class Weights(BaseModel):
    """What was fitted, and from what."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bias: float
    typed: float
    """The weight of the share of this name, as are `last` and `anywhere`."""
    last: float
    anywhere: float
    threshold: float = Field(ge=0, le=1)
    """Probability of success from which the answer is yes."""
    rarity: Rarity
    provenance: dict[str, Any]

    def probability(self, shares: Shares) -> float:
        """Return the probability of success."""
        score = self.bias + self.typed * shares.typed + self.last * shares.last + self.anywhere * shares.anywhere
        return 1 / (1 + math.exp(-score))


@cache
def stored_weights() -> Weights:
    """Read the weights that come with the judge."""
    return Weights.model_validate_json(_stored())


@cache
def weights_version() -> str:
    """Return what tells these weights from others: the beginning of their file's SHA-256."""
    return hashlib.sha256(_stored()).hexdigest()[:12]


def _stored() -> bytes:
    return (files("agenthorizon.judges") / FILE).read_bytes()
