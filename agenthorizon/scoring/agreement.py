"""How alike judges answer: chance-corrected agreement of their verdicts, and how far their errors are the same."""

from collections.abc import Sequence

from agenthorizon.scoring.estimates import Rate, rate_of
from agenthorizon.scoring.intervals import tally
from agenthorizon.scoring.marks import Marks


def cohen_kappa(first: Marks, second: Marks) -> float | None:
    """Return Cohen's kappa (1960) of two judges' verdicts on the same tasks, those with both verdicts.

    None where there is no such task, or both judges gave one and the same verdict throughout.
    """
    said = [(a.answer.success, b.answer.success) for a, b in zip(first, second, strict=True)]
    both = [pair for pair in said if None not in pair]
    if not both:
        return None
    n = len(both)
    agreed = sum(a is b for a, b in both)
    yes = sum(a is True for a, _ in both), sum(b is True for _, b in both)
    expected = yes[0] * yes[1] + (n - yes[0]) * (n - yes[1])  # times n², to stay in whole numbers
    return (agreed * n - expected) / (n * n - expected) if expected != n * n else None


def fleiss_kappa(judges: Sequence[Marks]) -> float | None:
    """Return Fleiss' kappa (1971) of several judges' verdicts on the same tasks, those with a verdict of each.

    None where there is no such task, fewer than two judges, or one and the same verdict throughout.
    """
    rows = [[mark.answer.success for mark in marks] for marks in zip(*judges, strict=True)]
    yes = [row.count(True) for row in rows if None not in row]
    n, raters = len(yes), len(judges)
    if not n or raters < 2:
        return None
    pairs = raters * (raters - 1)
    agreed = sum(k * (k - 1) + (raters - k) * (raters - k - 1) for k in yes) / (n * pairs)
    share = sum(yes) / (n * raters)
    expected = share**2 + (1 - share) ** 2
    return (agreed - expected) / (1 - expected) if 0 < share < 1 else None


def error_overlap(first: Marks, second: Marks) -> Rate:
    """Return, of the tasks that at least one of two judges got wrong, the share that both got wrong."""
    wrong = (
        (a.group, not (a.is_right or b.is_right))
        for a, b in zip(first, second, strict=True)
        if not (a.is_right and b.is_right)
    )
    return rate_of(tally(wrong))
