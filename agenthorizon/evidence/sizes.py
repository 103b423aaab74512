"""What a request's texts and encoded pictures are thought to take: one estimate for its plan, its money and its pace.

What a picture takes in tokens is its provider's to say: `Limits.tokens_of`.
"""

from agenthorizon.case import Case

CHARACTERS_A_TOKEN = 3.0
"""Coordinates and key names are short tokens."""
BASE64 = 4 / 3
"""Bytes in a request for a byte of a picture."""

_CHARACTERS_A_STEP = 60  # of the words around a step
_BYTES_A_CHARACTER = 1.1  # JSON around mostly ASCII


def characters_of(case: Case) -> int:
    """Return the length of all texts that a case is told with."""
    return len(case.guide) + len(case.instruction) + sum(len(step.wording) + _CHARACTERS_A_STEP for step in case.steps)


def text_tokens(characters: int) -> float:
    """Return what texts of so many characters take in tokens."""
    return characters / CHARACTERS_A_TOKEN


def text_bytes(characters: int) -> float:
    """Return what texts of so many characters take in a request, in bytes."""
    return characters * _BYTES_A_CHARACTER
