"""What is unusual in a trajectory record but no reason to refuse it: the warnings, each with its code."""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agenthorizon.dataset.action_fields import Sieve
from agenthorizon.dataset.recorded_places import recorded_places
from agenthorizon.dataset.schema import KNOWN_VERSIONS, Place
from agenthorizon.dataset.screenshots import Screenshot
from agenthorizon.errors import Finding
from agenthorizon.task import KNOWN_ACTIONS

KNOWN_SYSTEMS = frozenset({"linux", "windows", "macos", "web", "android", "ios", "chromeos"})

_Limits = tuple[int | None, int | None]
_AXES = {"x": 0, "y": 1, "start_x": 0, "start_y": 1, "end_x": 0, "end_y": 1}
"""Parameters that are coordinates, each with its place in `screen_resolution`."""


def oddities(record: dict[str, Any], place: Place, has_surrogate: bool) -> list[Finding]:
    """Return the warnings of a record that `schema.read_task` accepts.

    `has_surrogate`: what `has_lone_surrogate` says of it; who has it as JSON knows that sooner.
    """
    steps = record["steps"]
    notes = [*_of_record(record, place, has_surrogate), *_of_ids([step["step_id"] for step in steps], place)]
    limits = _limits(_dict(record.get("environment")).get("screen_resolution"))
    sieve = Sieve(recorded_places((step.get("screenshot") for step in steps), record["trajectory_id"]))
    for index, step in enumerate(steps):
        action = step.get("action")
        if hidden := sieve.hidden_fields(action):
            detail = "named like an answer or telling the recording: not shown to judges"
            notes.append(place.finding("hidden_in_action", detail, index=index, fields=hidden))
        notes += _of_action(action, limits, place, index)
    return notes


def screenshot_findings(place: Place, shots: Sequence[Screenshot]) -> list[Finding]:
    """Return which screenshots of a record, verified, in the order of its steps, are missing or oddly written."""
    notes = []
    for index, shot in enumerate(shots):
        if shot.had_backslashes:
            notes.append(place.finding("backslash_path", "read as a path with slashes", index=index))
        if shot.fault:
            notes.append(place.finding(shot.fault, shot.detail, index=index))
    return notes


def _of_record(record: dict[str, Any], place: Place, has_surrogate: bool) -> Iterator[Finding]:
    try:
        uuid.UUID(record["trajectory_id"])
    except ValueError:
        yield place.finding("non_uuid_id", f"{record['trajectory_id']!r} is readable; judges are shown another id")
    if has_surrogate:
        yield place.finding("lone_surrogate", "half a surrogate pair; shown as U+FFFD")
    system = _dict(record.get("environment")).get("os")
    if system is not None and not _is_one_of(system, KNOWN_SYSTEMS):
        yield place.finding("os_value", f"environment.os {system!r} is kept as it is")
    version = record.get("version")
    if version is not None and not _is_one_of(version, KNOWN_VERSIONS):
        yield place.finding("version", f"schema version {version!r} is not one of {sorted(KNOWN_VERSIONS)}")


def _of_ids(ids: list[Any], place: Place) -> Iterator[Finding]:
    if any(isinstance(step_id, str) for step_id in ids):
        yield place.finding("step_id_type", "step ids are texts; read as numbers")
    numbers = [int(step_id) for step_id in ids]
    distinct = sorted(set(numbers))
    if len(distinct) < len(numbers):
        yield place.finding("duplicate_step_id", "steps that share an id keep the order of the file")
    if numbers != sorted(numbers):
        yield place.finding("step_order", "steps are put in the order of their ids")
    if distinct and distinct[0] != 0:
        yield place.finding("step_id_base", f"step ids begin at {distinct[0]}, not at 0")
    if distinct and distinct[-1] - distinct[0] + 1 != len(distinct):
        yield place.finding("step_id_gap", "step ids have gaps")


def _of_action(action: Any, limits: _Limits, place: Place, index: int) -> Iterable[Finding]:
    if action is None:
        return [place.finding("null_action", index=index)]
    if not isinstance(action, dict) or not isinstance(action.get("type"), str):
        return [place.finding("action_not_object", "kept and shown as recorded", index=index)]
    if action["type"] not in KNOWN_ACTIONS:
        return [place.finding("unknown_action_type", f"{action['type']!r} is kept and shown", index=index)]
    return _of_parameters(action, limits, place, index)


def _of_parameters(action: dict[str, Any], limits: _Limits, place: Place, index: int) -> Iterator[Finding]:
    parameters = _dict(action.get("parameters"))
    missing = [name for name in KNOWN_ACTIONS[action["type"]] if parameters.get(name) is None]
    if missing:
        yield place.finding("missing_parameter", f"{action['type']} lacks them", index=index, fields=tuple(missing))
    if "keys" in parameters and not isinstance(parameters["keys"], list):
        yield place.finding("keys_not_list", "keys are kept as recorded", index=index)
    values = [(value, limits[_AXES[name]]) for name, value in parameters.items() if name in _AXES and value is not None]
    if not all([type(value) is int and limit is not None and 0 <= value < limit for value, limit in values]):
        yield from _of_coordinates(values, place, index)


def _of_coordinates(values: list[tuple[Any, int | None]], place: Place, index: int) -> Iterator[Finding]:
    numbers = [value for value, _ in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) < len(values):
        yield place.finding("coordinate_type", "a coordinate is not a number; shown as recorded", index=index)
    if numbers and all(0 < abs(value) < 1 for value in numbers):
        yield place.finding("coordinate_maybe_normalised", "0 to 1, not pixels? shown as recorded", index=index)
    if any(_is_off_screen(value, limit) for value, limit in values):
        yield place.finding("coordinate_out_of_range", "shown as recorded", index=index)


def _is_off_screen(value: Any, limit: int | None) -> bool:
    return isinstance(value, int | float) and (value < 0 or (limit is not None and value >= limit))


def _limits(resolution: Any) -> _Limits:
    """Return width and height of the screen, as far as they are recorded."""
    width, height = resolution if isinstance(resolution, list) and len(resolution) == 2 else (None, None)
    return width if isinstance(width, int) else None, height if isinstance(height, int) else None


def _is_one_of(value: Any, names: frozenset[str]) -> bool:
    return isinstance(value, str) and value in names


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
