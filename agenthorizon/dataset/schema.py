"""The trajectory schema v1.0/v1.1: one JSON record → a Task, or every fault that forbids it.

One real record, shortened:
{"trajectory_id": "0103…", "task": {"instruction": "Enlarge the displayed webpage", "applications": ["Firefox"]},
 "environment": {"os": "linux", "screen_resolution": [1024, 768]},
 "steps": [{"step_id": 0, "screenshot": "./data/media/images/4e92…/step_1.jpg",
            "action": {"type": "click", "parameters": {"x": 1008, "y": 73, "button": "left"}}}]}
"""

import copy
import re
from operator import itemgetter
from typing import Any, NamedTuple

from agenthorizon.errors import DataError, Finding
from agenthorizon.task import AS_RECORDED, Task, Trajectory

VERSION = "1.1"
"""Version of the schema that records are written in."""
KNOWN_VERSIONS = frozenset({"1.0", VERSION})

LEAKING_FIELDS = frozenset(
    {
        "label",
        "mistake_type",
        "negative_source",
        "original_id",
        "pair",
        "pair_group_id",
        "pair_id",
        "paired_id",
        "paired_task_id",
        "trajectory_difficulty",
    }
)
"""Fields of label files. A trajectory record that holds one would hand the answer to whoever reads it."""

_RESERVED_NAMES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10)}
)
_SAFE_ID = re.compile(r"[^\s/\\:*?\"<>|\x00-\x1f\x7f]{1,128}")


class Place(NamedTuple):
    """Where a record stands, for messages."""

    file: str
    line: int | None = None

    def finding(
        self, code: str, detail: str = "", *, index: int | None = None, fields: tuple[str, ...] = ()
    ) -> Finding:
        """Make a Finding at this place."""
        return Finding(code, self.file, self.line, index, fields, detail)


def is_safe_id(value: object) -> bool:
    """Whether an id can be a file name on any system: no separators, blanks, dots only or reserved names."""
    if not isinstance(value, str) or not _SAFE_ID.fullmatch(value) or not value.strip("."):
        return False
    return value.split(".")[0].lower() not in _RESERVED_NAMES


def read_task(record: Any, place: Place) -> Task:
    """Check one parsed record and return its Task, steps ordered by `step_id`.

    Raises DataError with every fault of the record.
    """
    checked_id(record, place)
    environment = _object(record.get("environment"))
    trajectory = {
        "os": _text(environment.get("os")),
        "screen_resolution": _resolution(environment.get("screen_resolution")),
        "steps": sorted(map(_step, record["steps"]), key=itemgetter("step_id")),
    }
    return Task(
        id=record["trajectory_id"],
        instruction=record["task"]["instruction"],
        trajectory=Trajectory.model_validate(trajectory),  # in one go: a fifth of what making each step takes
        metadata=_metadata(record),
    )


def checked_id(record: Any, place: Place) -> str:
    """Return the id of a record that `read_task` reads, without making its Task.

    Raises DataError with every fault of the record.
    """
    faults = _faults(record, place)
    if faults:
        raise DataError(f"unusable trajectory record in {place.file}", faults)
    task_id: str = record["trajectory_id"]
    return task_id


def recorded_screenshots(record: dict[str, Any]) -> list[str | None]:
    """Return the screenshots of a record that `read_task` reads, as recorded, in the order of its steps."""
    steps = sorted(record["steps"], key=lambda step: _step_id(step["step_id"]) or 0)
    return [step.get("screenshot") for step in steps]


def _faults(record: Any, place: Place) -> list[Finding]:
    if not isinstance(record, dict):
        return [place.finding("not_an_object", f"expected a JSON object, found {_json_name(record)}")]
    faults = []
    if not is_safe_id(record.get("trajectory_id")):
        detail = f"trajectory_id {record.get('trajectory_id')!r} cannot be a file name"
        faults.append(place.finding("unsafe_id", detail))
    instruction = _object(record.get("task")).get("instruction")
    if not isinstance(instruction, str) or not instruction.strip():
        faults.append(place.finding("instruction_missing", "task.instruction must be a text that is not blank"))
    if leaks := tuple(sorted(leaking_fields(record))):
        detail = "answers belong in the label file, not where a judge could see them"
        faults.append(place.finding("label_leak", detail, fields=leaks))
    return faults + _step_faults(record.get("steps"), place)


def _step_faults(steps: Any, place: Place) -> list[Finding]:
    if not isinstance(steps, list):
        return [place.finding("steps_missing", f"steps must be a list, found {_json_name(steps)}")]
    faults = []
    for index, step in enumerate(steps):
        if step is None:
            faults.append(place.finding("null_step", index=index))
        elif not isinstance(step, dict):
            faults.append(place.finding("bad_step", f"expected an object, found {_json_name(step)}", index=index))
        elif _step_id(step.get("step_id")) is None:
            detail = f"step_id must be a whole number, found {step.get('step_id')!r}"
            faults.append(place.finding("bad_step_id", detail, index=index))
        elif not isinstance(step.get("screenshot"), str | None):
            faults.append(place.finding("bad_screenshot", "screenshot must be a path or null", index=index))
    return faults


def leaking_fields(record: dict[str, Any], prefix: str = "") -> set[str]:
    """Return the dotted names of answer fields, wherever they stand outside actions and milestones."""
    found = set()
    for key, value in record.items():
        if key in LEAKING_FIELDS:
            found.add(prefix + key)
        elif isinstance(value, dict) and key not in ("action", "parameters"):
            found |= leaking_fields(value, f"{prefix}{key}.")
        elif key == "steps" and isinstance(value, list):
            for step in value:
                found |= leaking_fields(step, f"{prefix}steps.") if isinstance(step, dict) else set()
    return found


def _step(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a recorded step as the record type wants it; what is not named here is kept as it is."""
    step = {**raw, "step_id": _step_id(raw["step_id"]), "action": _action(raw.get("action"))}
    for key in ("thought", "action_description"):
        if raw.get(key) is not None:
            step[key] = str(raw[key])
    time = raw.get("timestamp_us")
    is_number = isinstance(time, int | float) and not isinstance(time, bool)
    if time is not None and not is_number:
        step |= {"timestamp_us": None, "timestamp_as_recorded": time}
    return step


def _action(raw: Any) -> dict[str, Any] | None:
    if raw is None:
        return None
    if not isinstance(raw, dict) or not isinstance(raw.get("type"), str):
        return {"type": AS_RECORDED, "parameters": {"value": raw}}
    parameters = raw.get("parameters")
    if isinstance(parameters, dict):
        return raw
    return {**raw, "parameters": {} if parameters is None else {"value": parameters}}


def _step_id(value: Any) -> int | None:
    """Return a step id as a whole number; some recorders write it as text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value.strip()):
        return int(value)
    return None


def _metadata(record: dict[str, Any]) -> dict[str, Any]:
    """Return the rest of the record: whatever Task and Trajectory do not hold themselves."""
    rest = {key: value for key, value in record.items() if key not in ("trajectory_id", "steps")}
    for name, taken in (("task", ("instruction",)), ("environment", ("os", "screen_resolution"))):
        inner = {key: value for key, value in _object(rest.pop(name, None)).items() if key not in taken}
        if inner:
            rest[name] = inner
    return copy.deepcopy(rest)


def _resolution(value: Any) -> tuple[int, int] | None:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(n, int) and n > 0 for n in value):
        return value[0], value[1]
    return None


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _json_name(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a text", bool: "a Boolean", type(None): "nothing"}
    return names.get(type(value), "a number")
