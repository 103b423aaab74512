"""Label: whether a task succeeded, kept apart from everything a judge can reach.

One real line of a label file:
{"trajectory_id": "b97d…", "label": "negative", "original_id": "screenagent/task117",
 "paired_id": "screenagent/task118", "negative_source": "child_instruction_parent_trajectory", "pair_group_id": "3b38"}
"""

from pathlib import Path
from typing import Any, Literal, NamedTuple

from agenthorizon.dataset.schema import Place, is_safe_id
from agenthorizon.dataset.splits import split_name
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.jsonlines import Line, read_lines
from agenthorizon.task import Record
from agenthorizon.verdict import MISTAKE_TYPES, normalise_mistake_type

_GROUPS = ("pair_group_id", "pair_id", "pair")
"""Names under which label files give the pair group; the first one that is there counts."""
_NAMING = (*_GROUPS, "original_id", "paired_id", "negative_source")

_NO_TYPE = frozenset({"", "none", "null"})

_TYPES = ", ".join(MISTAKE_TYPES)


class Label(Record):
    """The answer to one task. Fields beyond those named here are kept as they are."""

    trajectory_id: str
    label: Literal["positive", "negative"]
    mistake_type: str | None = None
    """One of verdict.MISTAKE_TYPES, for a negative whose type was reviewed; else None."""
    original_id: str | None = None
    """The recording that the task shows."""
    paired_id: str | None = None
    """The recording whose instruction a swapped negative carries."""
    negative_source: str | None = None
    """Which way the swap goes: whose instruction and whose trajectory."""
    pair_group_id: str | None = None
    """The pair group, under whichever of its three names the file uses; None when the file names none."""

    @property
    def is_positive(self) -> bool:
        """Whether the trajectory did what was asked."""
        return self.label == "positive"


class LabelFile(NamedTuple):
    """One label file: a split and its labels in the order of the file."""

    split: str
    labels: tuple[Label, ...]
    warnings: tuple[Finding, ...]
    faults: tuple[Finding, ...] = ()
    """Lines that are not labels, and ids labelled twice; none of them is in `labels`."""


def read_labels(path: Path) -> LabelFile:
    """Read one label file.

    Raises DataError with every line that is not a label, and every id labelled twice.
    """
    file = scan_labels(path)
    if file.faults:
        raise DataError(f"{path.name} cannot be used as a label file", file.faults)
    return file


def scan_labels(path: Path) -> LabelFile:
    """Read one label file as far as it can be used, and say what cannot."""
    labels: dict[str, Label] = {}
    faults: list[Finding] = []
    warnings: list[Finding] = []
    for line in read_lines(path):
        place = Place(path.name, line.number)
        if fault := _fault(line, place):
            faults.append(fault)
        elif line.value["trajectory_id"] in labels:
            faults.append(place.finding("duplicate_label", f"{line.value['trajectory_id']} is labelled before"))
        else:
            labels[line.value["trajectory_id"]] = _label(line.value)
            warnings += _warnings(line.value, place)
    return LabelFile(split_name(path), tuple(labels.values()), tuple(warnings), tuple(faults))


def _fault(line: Line, place: Place) -> Finding | None:
    if line.fault:
        return line.fault
    if not isinstance(line.value, dict):
        return place.finding("not_an_object", "a label is a JSON object")
    if not is_safe_id(line.value.get("trajectory_id")):
        return place.finding("unsafe_id", f"trajectory_id {line.value.get('trajectory_id')!r}")
    if line.value.get("label") not in ("positive", "negative"):
        return place.finding("bad_label", f'label {line.value.get("label")!r} is not "positive" or "negative"')
    if odd := tuple(name for name in _NAMING if not _is_name(line.value.get(name))):
        detail = f"expected a text, found {', '.join(repr(line.value[name])[:100] for name in odd)}"
        return place.finding("bad_field", detail, fields=odd)
    return None


def _is_name(value: Any) -> bool:
    """Whether a value can name a recording or a group; some files use numbers."""
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def _label(value: dict[str, Any]) -> Label:
    positive = value["label"] == "positive"
    group = next((value[key] for key in _GROUPS if value.get(key) is not None), None)
    fields = {
        **value,
        "mistake_type": None if positive else normalise_mistake_type(value.get("mistake_type")),
        "pair_group_id": None if group is None else str(group),
    }
    for key in ("original_id", "paired_id", "negative_source"):
        if fields.get(key) is not None:
            fields[key] = str(fields[key])
    return Label(**fields)


def _warnings(value: dict[str, Any], place: Place) -> list[Finding]:
    given = value.get("mistake_type")
    if given is None or (isinstance(given, str) and given.strip().lower() in _NO_TYPE):
        return []
    if value["label"] == "positive":
        return [place.finding("mistake_type_on_positive", f"{given!r} is ignored")]
    if normalise_mistake_type(given) is None:
        return [place.finding("unknown_mistake_type", f"{given!r} counts as untyped; the types: {_TYPES}")]
    return []
