"""Counts and the rates made of them, with denominators that the label manifest fixes and no judge can change.

A task without a usable verdict is an error whichever class it has. A rate of nothing is None, never 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from agenthorizon.scoring.intervals import Tallies, pooled, tally
from agenthorizon.scoring.marks import Marks
from agenthorizon.verdict import MISTAKE_TYPES


@dataclass(frozen=True)
class Counts:
    """What one judge did on some tasks, right answers kept by pair group."""

    positives: Tallies
    negatives: Tallies
    tasks: Tallies
    """Both classes together."""
    accepted: Tallies
    """Tasks that count as judged successful, right where they were: the true positives among them and every negative
    not judged a failure (one without a verdict counts as the wrong answer)."""
    mistakes: Mapping[str, Tallies]
    """By mistake type: negatives of that type, right where failure and type were both named."""
    typed: Tallies
    """The same over all negatives that have a type; untyped ones are in `negatives` only."""
    verdicts: Tallies
    """All tasks, "right" where there is a verdict."""
    refused: Tallies
    """All tasks, "right" where the judge refused."""
    truncated: Tallies
    """All tasks, "right" where a token limit cut the answer."""
    kinds: Mapping[str, int]
    """How many tasks have a verdict, a malformed reply, a failure, nothing."""

    @property
    def balanced_accuracy(self) -> float | None:
        """Half the sum of the accuracies on positives and on negatives."""
        (tp, positives), (tn, negatives) = pooled(self.positives), pooled(self.negatives)
        if not (positives and negatives):
            return None
        # One division of whole numbers, so that judges with equal accuracy tie to the last bit.
        return (tp * negatives + tn * positives) / (2 * positives * negatives)


def count(marks: Marks) -> Counts:
    """Count one judge's marks."""

    def named(*types: str | None) -> Tallies:
        typed = (mark for mark in marks if not mark.is_positive and mark.label.mistake_type in types)
        return tally((mark.group, mark.names_mistake) for mark in typed)

    def failed(kind: str) -> Tallies:
        return tally((mark.group, mark.answer.failure == kind) for mark in marks)

    kinds = [mark.answer.kind for mark in marks]
    return Counts(
        positives=tally((mark.group, mark.is_right) for mark in marks if mark.is_positive),
        negatives=tally((mark.group, mark.is_right) for mark in marks if not mark.is_positive),
        tasks=tally((mark.group, mark.is_right) for mark in marks),
        accepted=tally((mark.group, mark.is_positive) for mark in marks if mark.is_right is mark.is_positive),
        mistakes={name: named(name) for name in MISTAKE_TYPES},
        typed=named(*MISTAKE_TYPES),
        verdicts=tally((mark.group, mark.answer.kind == "verdict") for mark in marks),
        refused=failed("refused"),
        truncated=failed("truncated"),
        kinds={kind: kinds.count(kind) for kind in ("verdict", "malformed", "failed", "missing")},
    )
