"""Judges made of judges: what the best choice among their answers, and what a vote of them, would score."""

from collections.abc import Sequence
from dataclasses import replace

from agenthorizon.scoring.answers import MISSING, Answer
from agenthorizon.scoring.marks import Marks


def ideal(judges: Sequence[Marks]) -> Marks:
    """Return marks that are right wherever one of the judges is: the most that any way of choosing could reach."""
    best = []
    for marks in zip(*judges, strict=True):
        right = next((mark for mark in marks if mark.is_right), marks[0])
        best.append(right)
    return tuple(best)


def majority(judges: Sequence[Marks]) -> Marks:
    """Return the verdicts given by more than half of all judges; a judge without one votes for neither."""
    voted = []
    for marks in zip(*judges, strict=True):
        verdict = majority_verdict([mark.answer.success for mark in marks])
        voted.append(replace(marks[0], answer=MISSING if verdict is None else Answer("verdict", verdict)))
    return tuple(voted)


def majority_verdict(said: Sequence[bool | None]) -> bool | None:
    """Return the verdict of more than half of all votes, None where neither has it; invalid ones are not dropped."""
    return next((verdict for verdict in (True, False) if said.count(verdict) * 2 > len(said)), None)
