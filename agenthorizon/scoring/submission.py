"""Reads a submission: one JSONL row per task of the whole label manifest.

One real row, shortened; where a judge gave no verdict all but the id is null:
{"trajectory_id": "0103…", "success": false, "confidence": "high", "mistake_type": "Critical Mistake",
 "reasoning": "Row 7 was deleted."}
"""

from collections.abc import Collection, Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from agenthorizon.errors import DataError, Finding, UsageError
from agenthorizon.files.jsonlines import Line, read_lines
from agenthorizon.scoring.answers import MISSING, Answer, Answers, answer_of


def from_submission(path: Path, manifest_ids: Collection[str], judge: str | None = None) -> Answers:
    """Read a submission. A row without a Boolean `success`, or no row at all, is an error of the judge's.

    Raises UsageError when there is no such file, DataError with every row that is no JSON object with an id, or
    whose id is unknown or repeated, or for a file without any row.
    """
    if not path.exists():
        raise UsageError(f"no submission file at {path}")
    by_id: dict[str, Answer] = {}
    seen: dict[str, int] = {}
    faults: list[Finding] = []
    for line in read_lines(path):
        found = list(row_faults(line, path.name, manifest_ids, seen))
        faults += found
        if (task_id := id_of(line)) is not None and not found:
            by_id[task_id] = _answer(line.value)
            seen[task_id] = line.number
    if not by_id and not faults:
        raise DataError(f"no row can be read from {path}: nothing in it; expected one JSON object a task, a line each")
    if faults:
        raise DataError(f"{path.name} is not a submission for these labels", faults)
    return Answers(judge or path.stem, "submission", by_id)


def id_of(line: Line) -> str | None:
    """Return the id that a row names, or None where it names none."""
    task_id = line.value.get("trajectory_id") if isinstance(line.value, dict) else None
    return task_id if isinstance(task_id, str) else None


def row_faults(line: Line, file: str, known: Container[str], seen: Mapping[str, int]) -> Iterator[Finding]:
    """Yield why a line is no row of its own for a task of the manifest; `seen` has the lines of the ids before it."""
    task_id = id_of(line)
    if line.fault:
        yield line.fault
    elif task_id is None:
        yield Finding("no_task_id", file, line.number, detail="a row is an object with a trajectory_id")
    elif task_id not in known:
        yield Finding("unknown_result_id", file, line.number, detail=f"{task_id!r} has no label")
    if task_id is not None and task_id in seen:
        detail = f"{task_id!r} has a row on line {seen[task_id]} too"
        yield Finding("duplicate_result", file, line.number, detail=detail)


def _answer(row: dict[str, Any]) -> Answer:
    return MISSING if row.get("success") is None else answer_of(row.items())
