"""The verdicts of splitter runs, as the partition counts them."""

from collections.abc import Mapping, Sequence

from agenthorizon.construction.partition import Verdicts
from agenthorizon.errors import UsageError
from agenthorizon.running.store import Run


def verdicts_of(runs: Mapping[str, Run]) -> Verdicts:
    """Return every splitter's verdicts on each task in the order of repeats; an invalid or final failure is None.

    What failed in passing has no verdict yet: the run that goes on asks it again. Raises UsageError when the runs are
    of different data.
    """
    data = {name: run.config["data"] for name, run in runs.items()}
    if len({str(sorted(found.items())) for found in data.values()}) > 1:
        found = "; ".join(f"{name}: {of_run['name']} {of_run.get('form')}" for name, of_run in data.items())
        raise UsageError(f"splitters must judge one data set. Found {found}")
    return {name: _of_run(run) for name, run in runs.items()}


def _of_run(run: Run) -> Mapping[str, Sequence[bool | None]]:
    found: dict[str, list[bool | None]] = {}
    for (task_id, _), outcome in sorted(run.latest.items()):
        if outcome.is_settled:
            found.setdefault(task_id, []).append(outcome.verdict.success if outcome.verdict else None)
    return found


def count_of_repeats(verdicts: Verdicts) -> int:
    """Return how many verdicts on a task the splitters have, the most that any has."""
    return max((len(marks) for by_task in verdicts.values() for marks in by_task.values()), default=0)
