"""Leaves things out on purpose, to measure what a judge's verdicts rest on: instruction, screenshots, actions.

What was left out is said to the judge once, recorded in the run's configuration and in every outcome, and named in
every table. Dropping duplicates is of the same kind: a screenshot equal to the one before is named, not repeated.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from agenthorizon.case import Case, ShownStep
from agenthorizon.errors import UsageError
from agenthorizon.evidence.blind import BlindCase
from agenthorizon.evidence.markdown import NOT_SHOWN

PARTS = ("instruction", "screenshots", "actions")
FINAL = "final"

_ALL_BUT_FINAL = "every screenshot but the final one"


@dataclass(frozen=True)
class Ablation:
    """What a judge is not shown."""

    without: frozenset[str] = frozenset()
    """Of PARTS."""
    only_final: bool = False
    """Show the last screenshot alone; the actions stay unless they are left out too."""
    drop_duplicates: bool = False
    """Name a screenshot that equals the one before instead of showing it again. The last one is always shown."""

    def __str__(self) -> str:
        """Say it as tables do; empty when all is shown."""
        left_out = [part for part in PARTS if part in self.without]
        parts = [f"without {', '.join(left_out)}"] if left_out else []
        parts += ["only the final screenshot"] if self.only_final else []
        parts += ["duplicates dropped"] if self.drop_duplicates else []
        return "; ".join(parts)

    def to_record(self) -> dict[str, Any]:
        """Return it for a run's configuration: only what is so."""
        record: dict[str, Any] = {"without": sorted(self.without)} if self.without else {}
        record |= {"only": FINAL} if self.only_final else {}
        return record | ({"drop_duplicates": True} if self.drop_duplicates else {})


COMPLETE = Ablation()


def make_ablation(without: Iterable[str] = (), only: str | None = None, drop_duplicates: bool = False) -> Ablation:
    """Return an ablation from words. Raises UsageError for unknown or contradicting ones."""
    parts = frozenset([without] if isinstance(without, str) else without)
    if unknown := sorted(parts.difference(PARTS)):
        raise UsageError(f"cannot leave out {', '.join(unknown)}; what can be left out: {', '.join(PARTS)}")
    if parts == frozenset(PARTS):
        raise UsageError(f"without {', '.join(PARTS)} nothing is left to judge; leave out two of them at most")
    if only not in (None, FINAL):
        raise UsageError(f"only {only!r} is not known; only {FINAL!r} is")
    if only and "screenshots" in parts:
        raise UsageError("the final screenshot cannot be shown without screenshots; choose one of the two")
    return Ablation(parts, only is not None, drop_duplicates)


def ablate(shown: BlindCase, ablation: Ablation) -> BlindCase:
    """Return the case with less in it, and an account of what is not shown.

    Raises JudgeFailure (class evidence) when a screenshot that must be compared cannot be read.
    """
    if ablation == COMPLETE:
        return shown
    case = shown.case
    steps, dropped = _without_duplicates(case.steps) if ablation.drop_duplicates else (case.steps, [])
    if ablation.only_final or "screenshots" in ablation.without:
        keep = _final(case) if ablation.only_final else None
        steps = tuple(step if step.number == keep else replace(step, picture=None, note=None) for step in steps)
    if "actions" in ablation.without:
        steps = tuple(replace(step, action=None, wording=NOT_SHOWN) for step in steps)
    withheld = ablation.without | ({_ALL_BUT_FINAL} if ablation.only_final else set())
    instruction = "" if "instruction" in ablation.without else case.instruction
    made = replace(case, steps=steps, instruction=instruction, withheld=frozenset(withheld))
    evidence = {**shown.evidence, "pictures": made.pictures, "ablation": ablation.to_record()}
    if ablation.drop_duplicates:
        evidence["duplicates"] = dropped
    return BlindCase(made, evidence)


def _final(case: Case) -> int | None:
    """Return the number of the last step that has a screenshot."""
    return max((step.number for step in case.steps if step.picture is not None), default=None)


def _without_duplicates(steps: tuple[ShownStep, ...]) -> tuple[tuple[ShownStep, ...], list[int]]:
    """Return the steps with screenshots that equal the one before named, and the numbers of those steps."""
    pictured = [step for step in steps if step.picture is not None]
    made: list[ShownStep] = []
    dropped: list[int] = []
    digest: str | None = None
    holder = 0
    for step in steps:
        if step.picture is None:
            made.append(step)
            continue
        before, digest = digest, step.picture.digest
        if digest == before and step is not pictured[-1]:
            dropped.append(step.number)
            made.append(replace(step, picture=None, note=f"the same screenshot as at step {holder}"))
        else:
            holder = step.number
            made.append(step)
    return tuple(made), dropped
