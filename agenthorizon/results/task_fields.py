"""What is known of each task beside its answer: the fields that scores can be sliced by.

They come from the label (swap, mistake type, scenario …), the task's record (operating system, applications, category
…) and how a run showed the task (screenshots merged or missing).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.errors import UsageError, did_you_mean
from agenthorizon.task import Task

Value = str | float
Evidence = Mapping[str, Mapping[str, Any]]
"""Task id → how a run showed it."""

_OF_LABEL: Mapping[str, Callable[[Label], Any]] = {
    "swap": lambda label: label.negative_source or ("own instruction" if label.is_positive else None),
    "type": lambda label: "positive" if label.is_positive else label.mistake_type,
}
_OF_TASK: Mapping[str, Callable[[Task], Any]] = {
    "os": lambda task: task.trajectory.os,
    "app": lambda task: list(task.applications) or task.field("app"),
    "domain": lambda task: task.field("domain") or task.field("category"),
    "steps": lambda task: len(task.trajectory.steps),
    "resolution": lambda task: "×".join(map(str, task.trajectory.screen_resolution or ())),
}
NAMED = (*_OF_TASK, *_OF_LABEL, "screenshots")
"""Fields with a name of their own; every other field of a label or of a task's record goes by its own name."""


def field_values(
    by: str, labels: Mapping[str, Label], bench: Bench | None = None, evidence: Evidence | None = None
) -> dict[str, tuple[Value, ...]]:
    """Return each labelled task's values of the field `by`; a task of which nothing is recorded has none.

    Raises UsageError where no task has the field, or it stands in the tasks' records and there is no `bench`.
    """
    values = {task_id: _listed(_value(by, label, bench, evidence)) for task_id, label in labels.items()}
    if not any(values.values()) and len(labels):
        where = "" if bench else "; only labels are known here: give the data set itself to slice by its tasks' fields"
        known = known_fields(labels, bench)
        if by in known:
            raise UsageError(
                f"no task says its {by}; there are {', '.join(name for name in known if name != by)}{where}"
            )
        raise UsageError(
            f"no task has a field {by!r}{did_you_mean(by, known) or ';'} there are {', '.join(known)}{where}"
        )
    return values


def known_fields(labels: Mapping[str, Label], bench: Bench | None = None) -> list[str]:
    """Return the names of fields that some task has, beyond those that tell one task from another."""
    names = dict.fromkeys(NAMED if bench else _OF_LABEL)
    for task_id, label in labels.items():
        names |= dict.fromkeys(label.model_extra or {})
        if bench:
            metadata = bench[task_id].metadata
            names |= dict.fromkeys(metadata.get("task") or {})
    return [name for name in names if name not in ("instruction", "applications")]


def _value(by: str, label: Label, bench: Bench | None, evidence: Evidence | None) -> Any:
    if by == "screenshots":
        return _shown((evidence or {}).get(label.trajectory_id))
    if by in _OF_LABEL:
        return _OF_LABEL[by](label)
    if by not in _OF_TASK and (found := (label.model_extra or {}).get(by)) is not None:
        return found
    if bench is None:
        return None
    task = bench[label.trajectory_id]
    return _OF_TASK[by](task) if by in _OF_TASK else task.field(by)


def _shown(evidence: Mapping[str, Any] | None) -> str | None:
    if not evidence:
        return None
    kinds = {"missing": bool(evidence.get("missing")), "merged": bool(evidence.get("merged"))}
    return " and ".join(kind for kind, holds in kinds.items() if holds) or "as recorded"


def _listed(value: Any) -> tuple[Value, ...]:
    """Return what a field holds as values: a list's items, a number as it is, anything else as text."""
    items: Sequence[Any] = value if isinstance(value, list | tuple) else [value]
    return tuple(
        item if isinstance(item, int | float) and not isinstance(item, bool) else str(item)
        for item in items
        if item is not None and item != ""
    )
