"""What each part of the evidence is worth: a judge with less to see against itself with all of it, on common tasks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agenthorizon.scoring.comparing import Comparison, compared
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.significance import holm
from agenthorizon.scoring.split_score import SplitScore

COMPLETE = ""
"""Says of a judge that nothing was left out."""


@dataclass(frozen=True)
class Ablated:
    """One judge on one split, with something left out or nothing."""

    judge: str
    left_out: str
    """What was left out, in words; COMPLETE for nothing."""
    split: str
    score: SplitScore
    change: Comparison | None
    """Less evidence minus all of it, p corrected by Holm over what was left out of this judge; None for all of it."""


def ablated(judge: str, cards: Mapping[str, Scorecard]) -> list[Ablated]:
    """Compare a judge's scorecards, by what was left out, with the one of COMPLETE evidence, split by split.

    Raises UsageError where two were asked no task of a split in common.
    """
    complete = cards[COMPLETE]
    less = {words: card for words, card in cards.items() if words != COMPLETE}
    found = []
    for split, score in complete.splits.items():
        found.append(Ablated(judge, COMPLETE, split, score, None))
        asked = {words: card for words, card in less.items() if split in card.splits}
        changes = [_change(judge, words, card, complete, split) for words, card in asked.items()]
        corrected = holm([change.balanced_accuracy.p for change in changes])
        found += [
            Ablated(judge, words, split, card.splits[split], replace(change, p_holm=p))
            for (words, card), change, p in zip(asked.items(), changes, corrected, strict=True)
        ]
    return found


def _change(judge: str, words: str, less: Scorecard, complete: Scorecard, split: str) -> Comparison:
    [change] = compared({f"{judge}, {words}": less.marks[split], judge: complete.marks[split]})
    return change
