"""What the verdicts of a run took: dollars and seconds, as far as they are known, and what was there already."""

from agenthorizon.outcome import Outcome
from agenthorizon.running.spending import attempts, costs_by_verdict
from agenthorizon.running.store import Run


def dollars_taken(run: Run) -> list[float]:
    """Return what each verdict asked for took in US dollars, all attempts at it, where it is known.

    Every repeat is one, so that the sum is what the run has cost and the mean does not hang on how many there are.
    """
    return list(costs_by_verdict(run.outcomes).values())


def seconds_taken(run: Run) -> list[float]:
    """Return what the attempt that counts took in seconds for each task, where it is known."""
    counting = [outcome for (_, repeat), outcome in run.latest.items() if repeat == 0]
    return [each.telemetry.seconds for each in counting if each.telemetry.seconds is not None]


def answers_kept(run: Run) -> int:
    """Return how many answers of a model a run found in the user's cache, where they cost it nothing.

    On an empty cache the same run would have paid for them.
    """
    return sum(_kept(attempt) for attempt in attempts(run.outcomes))


def _kept(attempt: Outcome) -> int:
    if attempt.telemetry.answers_kept is not None:
        return attempt.telemetry.answers_kept
    # A run of an earlier version: two judges said so, each in its own words.
    described = attempt.evidence.get("described")
    found = (described.get("kept") if isinstance(described, dict) else None, attempt.evidence.get("notes_kept"))
    return sum(count for count in found if isinstance(count, int))
