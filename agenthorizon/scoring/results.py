"""Reads verdict files that other harnesses left: one file per task, or one line per task.

One real file, shortened; its name is its task's id:
{"success": false, "reasoning": "Row 7 was deleted.", "confidence": "high", "mistake_type": "Critical Mistake",
 "deliverable_id": "0103…", "_meta": {"cost_usd": 0.21, "model_used": "…", "raw": "…"}}
A reply from which nothing could be read leaves `raw_response` and no `success`.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from agenthorizon.errors import DataError, Finding, UsageError
from agenthorizon.files.jsonlines import RawLine, RepeatedKey, bad_json, bad_line, raw_lines
from agenthorizon.files.regular_file import read_regular
from agenthorizon.scoring.answers import MALFORMED, Answer, Answers, answer_of
from agenthorizon.scoring.result_row import ID_FIELDS, Pairs, parse_row, task_id_of, task_id_written

_FAILURES = {
    "failed": None,
    "infra_error": None,
    "refusal": "refused",
    "too_large": "too_large",
    "truncated": "truncated",
}
"""Values of `status` by which a record without `success` says that there was no reply, rather than a bad one, and the
class of that failure."""

_RUN_FILE = "outcomes.jsonl"


class _Row(NamedTuple):
    task_id: str | None
    """None where the row does not say whose it is: it counts for no task."""
    answer: Answer
    file: str
    line: int | None = None
    odd: Finding | None = None


def from_results(path: Path, judge: str | None = None, *, may_be_empty: bool = False) -> Answers:
    """Read a folder of `<trajectory_id>.json`, a JSONL file, or a folder that holds one JSONL file.

    Raises UsageError when there is nothing at `path` or it is a run, DataError when two rows of a task disagree or no
    row of a JSONL file can be read: that it has none at all is right only where it `may_be_empty`.
    """
    rows = list(_rows(path, may_be_empty))
    first: dict[str, _Row] = {}
    warnings = [row.odd for row in rows if row.odd]
    faults: list[Finding] = []
    for row in rows:
        if row.task_id is None or first.setdefault(row.task_id, row) is row:
            continue
        agrees = row.answer == first[row.task_id].answer
        (warnings if agrees else faults).append(_duplicate(first[row.task_id], row))
    if faults:
        raise DataError(f"{path} has rows that contradict each other; keep the ones that count", faults)
    if not first:
        warnings.append(Finding("no_results", path.name, detail="nothing to score: every task counts as missing"))
    return Answers(judge or path.stem, "results", {name: row.answer for name, row in first.items()}, tuple(warnings))


def _duplicate(first: _Row, again: _Row) -> Finding:
    """Describe a second row of a task: a warning where both agree, else a fault."""
    if first.answer == again.answer:
        detail = f"{again.task_id!r} stands on line {first.line} too, with the same answer; it counts once"
        return Finding("duplicate_result", again.file, again.line, detail=detail)
    now, before = (f"{row.answer.kind} {row.answer.success} {row.answer.mistake_type}" for row in (again, first))
    detail = f"{again.task_id!r} is {now} here but {before} on line {first.line}"
    return Finding("conflicting_results", again.file, again.line, detail=detail)


def _rows(path: Path, may_be_empty: bool) -> Iterable[_Row]:
    if path.name == _RUN_FILE or (path / _RUN_FILE).is_file():
        raise UsageError(f"{path} is a run: give it as RUN, not as results")
    if path.exists() and not path.is_dir():
        return _lines(path, may_be_empty)
    if not path.is_dir():
        raise UsageError(f"no results at {path}; expected a folder of <trajectory_id>.json or a .jsonl file")
    files = [file for file in sorted(path.iterdir()) if not file.name.startswith(("_", ".")) and not file.is_dir()]
    results = [file for file in files if file.suffix == ".json" and file.name != "summary.json"]
    tables = [file for file in files if file.suffix == ".jsonl"]
    if not results and len(tables) > 1:
        raise UsageError(f"{path} holds {len(tables)} .jsonl files; name the one to score")
    return map(_file, results) if results or not tables else _lines(tables[0], may_be_empty)


def _file(file: Path) -> _Row:
    try:
        value = parse_row(read_regular(file))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        unreadable = Finding("unreadable_result", file.name, detail=reason or "unreadable")
        return _Row(file.stem, MALFORMED, file.name, odd=unreadable)
    inner = task_id_of(value)
    detail = f"the record inside names {inner!r}; the file's name counts"
    odd = Finding("id_differs", file.name, detail=detail) if inner not in (None, file.stem) else None
    return _Row(file.stem, _answer(value), file.name, odd=odd or _repeated(value, file.name))


def _lines(path: Path, may_be_empty: bool) -> list[_Row]:
    """Read a JSONL file; one without a single row is refused, since every task would count as missing."""
    rows = [_row(line, path.name) for line in raw_lines(path)]
    named = [row for row in rows if row.task_id is not None]
    is_table = len(named) == len(rows) or any(row.odd is None or row.odd.code != "bad_json" for row in named)
    if is_table and (rows or may_be_empty):
        return rows
    found = f"{len(rows)} lines, none of them a result" if rows else "nothing in it"
    expected = f"expected UTF-8 with one JSON object a line, its task's id in one of {', '.join(ID_FIELDS)}"
    raise DataError(f"no result can be read from {path}: {found}; {expected}", [row.odd for row in rows if row.odd])


def _row(line: RawLine, file: str) -> _Row:
    try:
        value = parse_row(line.data)
    except ValueError as error:  # the task it names was judged, whatever the judgement was
        return _Row(task_id_written(line.data), MALFORMED, file, line.number, bad_line(file, error, line))
    task_id, odd = task_id_of(value), _repeated(value, file, line.number)
    if task_id is None and odd is None:
        detail = f"none of {', '.join(ID_FIELDS)} holds a text; the line counts for no task"
        odd = Finding("no_task_id", file, line.number, detail=detail)
    return _Row(task_id, _answer(value), file, line.number, odd)


def _repeated(value: Any, file: str, line: int | None = None) -> Finding | None:
    """Tell of a key that stands twice; where it is `success`, and says two things, the record is malformed."""
    key = value.repeated() if isinstance(value, Pairs) else None
    return None if key is None else bad_json(file, RepeatedKey(key), line)


def _answer(value: Any) -> Answer:
    if not isinstance(value, Pairs):
        return MALFORMED
    status = value.get("status")
    if value.get("success") is None and isinstance(status, str) and status in _FAILURES:
        return Answer("failed", failure=_FAILURES[status])
    return answer_of(value.pairs)
