"""Slices of scorecards: brings together a judge's marks, the data set's fields and how the run showed each task."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.errors import AgentHorizonError, UsageError
from agenthorizon.results.scorecards import opened
from agenthorizon.results.task_fields import Evidence, field_values
from agenthorizon.running.store import Run
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.slices import Slice, slices


def slice_run(card: Scorecard, run: Run, fields: Sequence[str]) -> list[Slice]:
    """Slice the scorecard of a run by fields. Raises UsageError for a field that no task has."""
    return _sliced(card, fields, *_known(run))


def slice_run_where_known(card: Scorecard, run: Run, fields: Sequence[str]) -> list[Slice]:
    """Slice the scorecard of a run by those fields that its tasks have."""
    known, found = _known(run), []
    for field in fields:
        with suppress(UsageError):
            found += _sliced(card, [field], *known)
    return found


def _known(run: Run) -> tuple[Bench | None, Evidence]:
    """Return the data set of a run, and how it showed each task."""
    evidence = {task_id: outcome.evidence for (task_id, repeat), outcome in run.latest.items() if repeat == 0}
    return _bench(str(run.config.get("location", ""))), evidence


def slice_answers(card: Scorecard, locations: Sequence[str], fields: Sequence[str]) -> list[Slice]:
    """Slice the scorecard of another harness's answers, scored against the labels at `locations`.

    Fields of the tasks' records are known where one of them is a data set. Raises UsageError for a field that no task
    has.
    """
    benches = [bench for location in locations if not Path(location).is_file() and (bench := _bench(location))]
    return _sliced(card, fields, benches[0] if benches else None, {})


def _bench(location: str) -> Bench | None:
    try:
        return opened(location)
    except AgentHorizonError:
        return None  # the data set has gone elsewhere: labels' own fields are still known


def _sliced(card: Scorecard, fields: Sequence[str], bench: Bench | None, evidence: Evidence) -> list[Slice]:
    labels: dict[str, Label] = {mark.task_id: mark.label for marks in card.marks.values() for mark in marks}
    return [one for by in fields for one in slices(card, by, field_values(by, labels, bench, evidence))]
