"""What the verdicts of a run took: dollars and seconds, as far as they are known."""

from agenthorizon.running.spending import costs_by_verdict
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
