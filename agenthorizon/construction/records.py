"""Reads every record of a data set once and keeps what checks and audits compare: a few facts a task and a step."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeGuard

from agenthorizon.construction.pictures import Progress
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.oddities import oddities, screenshot_findings
from agenthorizon.dataset.schema import Place, read_task
from agenthorizon.dataset.screenshots import verified
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.jsonlines import has_lone_surrogate
from agenthorizon.task import Action, Step, Task

_POINTS = (("x", "y"), ("start_x", "start_y"), ("end_x", "end_y"))


@dataclass(frozen=True)
class StepFacts:
    """One step: its picture's file and where it points."""

    step_id: int
    path: Path | None
    points: tuple[tuple[float, float], ...]
    time: float | None
    """Microseconds from the recording's start."""


@dataclass(frozen=True)
class TaskFacts:
    """One task as it stands in its file."""

    id: str
    split: str | None
    """None where no label names it."""
    instruction: str
    place: Place
    resolution: tuple[int, int] | None
    steps: tuple[StepFacts, ...] = field(repr=False)
    actions: str = field(repr=False)
    """Digest of the actions, in order."""
    label: Label | None = field(default=None, repr=False)

    @property
    def pictures(self) -> Iterator[Path]:
        """The files its steps show."""
        return (step.path for step in self.steps if step.path)


@dataclass(frozen=True)
class Records:
    """All tasks that could be read, and what was found on the way."""

    tasks: tuple[TaskFacts, ...]
    findings: tuple[Finding, ...]
    broken: tuple[Finding, ...] = ()
    """Why records could not be read."""


def read_records(bench: Bench, progress: Progress | None = None) -> Records:
    """Read every record, also those that no label names. A broken one is no task."""
    tasks: list[TaskFacts] = []
    findings: list[Finding] = []
    broken: list[Finding] = []
    homes = {task_id: split for split, ids in bench.splits.items() for task_id in ids}
    ids = list(dict.fromkeys([*homes, *bench.files.ids()]))
    for number, task_id in enumerate(ids, start=1):
        if progress:
            progress(number, len(ids), "records")
        try:
            facts, odd = _read(bench, homes.get(task_id), task_id)
        except DataError as error:
            broken += error.faults or [Finding("unreadable", task_id, detail=str(error))]
            continue
        tasks.append(facts)
        findings += odd
    return Records(tuple(tasks), tuple(findings), tuple(broken))


def _read(bench: Bench, split: str | None, task_id: str) -> tuple[TaskFacts, list[Finding]]:
    raw = bench.files.read(task_id)
    task = read_task(raw.record, raw.place)
    shots = [verified(shot) for shot in bench.screenshots(task)]
    steps = [
        StepFacts(step.step_id, shot.path, _points(step.action), step.timestamp_us)
        for step, shot in zip(task.trajectory.steps, shots, strict=True)
    ]
    odd = [
        *oddities(raw.record, raw.place, has_lone_surrogate(raw.record)),
        *_milestone_faults(raw.record, task, raw.place),
        *screenshot_findings(raw.place, shots),
        *_time_findings(task, raw.place),
    ]
    label = bench.label_splits.get(task_id) if bench.label_splits is not None else None
    resolution = task.trajectory.screen_resolution
    digest = _digest_of_actions(task.trajectory.steps)
    return TaskFacts(task_id, split, task.instruction, raw.place, resolution, tuple(steps), digest, label), odd


def _points(action: Action | None) -> tuple[tuple[float, float], ...]:
    if action is None or not action.is_known:
        return ()
    pairs = [(action.parameters.get(x), action.parameters.get(y)) for x, y in _POINTS]
    return tuple((x, y) for x, y in pairs if _is_number(x) and _is_number(y))


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _digest_of_actions(steps: tuple[Step, ...]) -> str:
    actions = [step.action and [step.action.type, step.action.parameters] for step in steps]
    return hashlib.sha256(json.dumps(actions, sort_keys=True).encode()).hexdigest()


def _milestone_faults(record: dict[str, Any], task: Task, place: Place) -> Iterator[Finding]:
    ids = {step.step_id for step in task.trajectory.steps}
    milestones = record.get("milestones")
    for milestone in milestones if isinstance(milestones, list) else []:
        step_id = milestone.get("step_id") if isinstance(milestone, dict) else None
        if step_id is not None and not (isinstance(step_id, int) and step_id in ids):
            yield place.finding("milestone_step", f"a milestone names step {step_id!r}, which is not there")


def _time_findings(task: Task, place: Place) -> Iterator[Finding]:
    times = [step.timestamp_us for step in task.trajectory.steps]
    if not times:
        yield place.finding("no_steps", "a recording without a step shows nothing to judge")
    elif all(time is None for time in times):
        yield place.finding("null_timestamps", "no step has a time")
    elif any(time is None for time in times):
        yield place.finding("null_timestamps", f"{times.count(None)} of {len(times)} steps have no time")
    known = [(index, time) for index, time in enumerate(times) if time is not None]
    for (_, before), (index, time) in pairwise(known):
        if time < before:
            detail = f"{time} µs comes after {before} µs: steps out of order, or a clock that was set back"
            yield place.finding("timestamp_order", detail, index=index)
