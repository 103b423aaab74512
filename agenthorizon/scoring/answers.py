"""Answers: what a judge said of each task, ready to be counted, whichever file it stood in."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agenthorizon.errors import Finding, MalformedVerdict
from agenthorizon.outcome import Outcome, latest
from agenthorizon.verdict import Verdict, normalise_mistake_type, verdict_from_pairs

Origin = Literal["run", "results", "submission", "published"]
"""Where answers were read from; `published` figures have none."""


@dataclass(frozen=True)
class Answer:
    """What became of one task. Only a verdict can be right."""

    kind: Literal["verdict", "malformed", "failed", "missing"]
    success: bool | None = None
    """True or false for a verdict, else None."""
    mistake_type: str | None = None
    """One of verdict.MISTAKE_TYPES, of a verdict of failure that names one."""
    failure: str | None = None
    """Class of a failure, e.g. `refused` or `truncated`; None where nothing says it."""
    confidence: str | None = field(default=None, compare=False)
    """low, medium or high, of a verdict that says it; two answers that differ in it alone agree."""


ONE_REPEAT = "repeats_not_scored"
"""Code of the warning that a score is of one repeat among several."""

MALFORMED = Answer("malformed")
FAILED = Answer("failed")
MISSING = Answer("missing")


@dataclass(frozen=True)
class Answers:
    """One judge's answers by task id; a task without one is missing."""

    judge: str
    source: Origin
    by_id: Mapping[str, Answer] = field(repr=False)
    warnings: tuple[Finding, ...] = ()
    """What was unusual about the files they were read from."""


def from_outcomes(outcomes: Iterable[Outcome], judge: str, repeat: int = 0) -> Answers:
    """Take the answers of a run's repeat: of each task the outcome written last.

    That there are other repeats is a warning: a score is of one of them.
    """
    last = latest(list(outcomes))
    others = sum(number != repeat for _, number in last)
    detail = f"{others} outcomes of other repeats are not in this score of repeat {repeat}; --repeats scores them all"
    warnings = (Finding(ONE_REPEAT, "outcomes.jsonl", detail=detail),) if others else ()
    by_id = {task_id: _of_outcome(outcome) for (task_id, number), outcome in last.items() if number == repeat}
    return Answers(judge, "run", by_id, warnings)


def _of_outcome(outcome: Outcome) -> Answer:
    if outcome.status == "verdict":
        return MALFORMED if outcome.verdict is None else _of_verdict(outcome.verdict)
    if outcome.status == "malformed":
        return MALFORMED
    return Answer("failed", failure=outcome.error.kind if outcome.error else None)


def _of_verdict(verdict: Verdict) -> Answer:
    named = None if verdict.success else normalise_mistake_type(verdict.mistake_type)
    return Answer("verdict", verdict.success, named, confidence=verdict.confidence)


def answer_of(pairs: Iterable[tuple[str, Any]]) -> Answer:
    """Take the answer of a verdict record's pairs: malformed unless its `success` is true or false."""
    try:
        return _of_verdict(verdict_from_pairs(tuple(pairs)))
    except MalformedVerdict:
        return MALFORMED


def keep_known(answers: Answers, ids: Collection[str]) -> Answers:
    """Leave out, with a warning each, the answers to tasks that have no label."""
    strangers = [task_id for task_id in answers.by_id if task_id not in ids]
    if not strangers:
        return answers
    warnings = [Finding("unknown_result_id", answers.judge, detail=f"{name!r} has no label") for name in strangers]
    known = {task_id: answer for task_id, answer in answers.by_id.items() if task_id in ids}
    return replace(answers, by_id=known, warnings=(*answers.warnings, *warnings))
