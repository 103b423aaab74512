"""Everything that is wrong with a submission, at once: what `score` would refuse or count as an error."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, get_args

from agenthorizon.errors import Finding, UsageError
from agenthorizon.files.jsonlines import Line, read_lines
from agenthorizon.scoring.submission import id_of, row_faults
from agenthorizon.verdict import Confidence, normalise_mistake_type

_KNOWN = {"trajectory_id", "success", "confidence", "mistake_type", "reasoning"}


def check_submission(path: Path, manifest_ids: Collection[str], elsewhere: Collection[str] = ()) -> list[Finding]:
    """Return every fault of a submission; none means that it is one. Raises UsageError when there is no such file.

    `elsewhere` has the ids of splits that are not looked at: their rows are passed over.
    """
    if not path.exists():
        raise UsageError(f"no submission file at {path}")
    faults: list[Finding] = []
    seen: dict[str, int] = {}
    before = ""
    for line in read_lines(path):
        task_id = id_of(line)
        if task_id in elsewhere and not line.fault:
            continue
        faults += row_faults(line, path.name, manifest_ids, seen)
        if task_id is None:
            continue
        if not line.fault:
            faults += _content_faults(line, path.name)
        if task_id not in seen and task_id < before:
            detail = f"{task_id!r} comes after {before!r}; rows are sorted by id"
            faults.append(Finding("not_sorted", path.name, line.number, detail=detail))
        seen.setdefault(task_id, line.number)
        before = task_id  # the row before alone: one wrong id is one fault
    absent = sorted(set(manifest_ids) - seen.keys())
    faults += [Finding("no_row", path.name, detail=f"{task_id!r} has none; write nulls") for task_id in absent]
    return faults


def _content_faults(line: Line, file: str) -> Iterator[Finding]:
    for detail in _verdict_faults(line.value):
        yield Finding("bad_verdict", file, line.number, detail=detail)
    if lacking := sorted(_KNOWN - line.value.keys()):
        yield Finding("missing_field", file, line.number, detail=f"{', '.join(lacking)}; write null")
    if more := sorted(line.value.keys() - _KNOWN):
        yield Finding("unknown_field", file, line.number, detail=f"{', '.join(map(repr, more))}")


def _verdict_faults(row: dict[str, Any]) -> Iterator[str]:
    success, confidence, kind = row.get("success"), row.get("confidence"), row.get("mistake_type")
    if success is None:
        if given := [name for name in ("confidence", "mistake_type", "reasoning") if row.get(name) is not None]:
            yield f"success is null, so {', '.join(given)} must be null too"
        return
    if not isinstance(success, bool):
        yield f"success must be true, false or null, found {success!r}"
    if confidence is not None and confidence not in get_args(Confidence):
        yield f"confidence must be low, medium, high or null, found {confidence!r}"
    if success is True and kind is not None:
        yield "mistake_type must be null where success is true"
    elif kind is not None and normalise_mistake_type(kind) is None:
        yield f"mistake_type is none of the three, found {kind!r}"
    if not isinstance(row.get("reasoning"), str | None):
        yield "reasoning must be a text or null"
