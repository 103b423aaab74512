"""What a judge says of one recording under its own and under the swapped instruction.

Both right, and it looked at instruction and recording; yes to both, and it is blind to the instruction; no to both,
and it asks too much; inverted, and it takes each for the other. Signal detection says the same of all tasks: d′ is
how far apart successes and failures look, the criterion which way the judge leans.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agenthorizon.scoring.bootstrap import intervals
from agenthorizon.scoring.composites import criterion, d_prime
from agenthorizon.scoring.estimates import Estimate, Rate, estimate_of, rate_of
from agenthorizon.scoring.intervals import Tallies, pooled, tally
from agenthorizon.scoring.marks import Mark, Marks


@dataclass(frozen=True)
class PairInsight:
    """Answers by recording. The five shares are of the same couples and add up to 1."""

    couples: int
    """Couples of a recording's own task and a swapped one, both in the split."""
    both_right: Rate
    yes_to_both: Rate
    no_to_both: Rate
    inverted: Rate
    without_verdict: Rate
    """Couples of which a task has no verdict."""
    yes_rate: Rate
    """Of the tasks with a verdict, the share judged successful."""
    d_prime: Estimate
    criterion: Estimate


Couple = tuple[Mark, Mark]
"""A recording's own task and a swapped one."""


def couples(marks: Marks, recordings: Mapping[str, str]) -> list[Couple]:
    """Return each own and swapped task that show one recording; `recordings` names the recording of each task."""
    own = {recordings[mark.task_id]: mark for mark in marks if mark.is_positive and mark.task_id in recordings}
    swapped = (mark for mark in marks if not mark.is_positive and mark.task_id in recordings)
    return [(own[recordings[mark.task_id]], mark) for mark in swapped if recordings[mark.task_id] in own]


def pair_insight(marks: Marks, recordings: Mapping[str, str]) -> PairInsight:
    """Count a judge's answers by recording."""
    found = couples(marks, recordings)
    answered = [mark for mark in marks if mark.answer.success is not None]
    positives = tally((mark.group, mark.is_right) for mark in marks if mark.is_positive)
    negatives = tally((mark.group, mark.is_right) for mark in marks if not mark.is_positive)
    sensitivity, leaning = _signal(positives, negatives)
    return PairInsight(
        couples=len(found),
        both_right=_share(found, (True, False)),
        yes_to_both=_share(found, (True, True)),
        no_to_both=_share(found, (False, False)),
        inverted=_share(found, (False, True)),
        without_verdict=rate_of(tally((own.group, None in _said((own, swapped))) for own, swapped in found)),
        yes_rate=rate_of(tally((mark.group, bool(mark.answer.success)) for mark in answered)),
        d_prime=sensitivity,
        criterion=leaning,
    )


def _said(couple: Couple) -> tuple[bool | None, bool | None]:
    return couple[0].answer.success, couple[1].answer.success


def _share(found: Sequence[Couple], said: tuple[bool, bool]) -> Rate:
    return rate_of(tally((couple[0].group, _said(couple) == said) for couple in found))


def _signal(positives: Tallies, negatives: Tallies) -> tuple[Estimate, Estimate]:
    formulas = (d_prime, criterion)
    counts = np.array([*pooled(positives), *pooled(negatives)], dtype=np.float64)
    limits = intervals(positives, negatives, formulas)
    first, second = (estimate_of(float(f(counts)), limit) for f, limit in zip(formulas, limits, strict=True))
    return first, second
