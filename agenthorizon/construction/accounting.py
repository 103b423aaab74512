"""The construction table: how many pairs became how many tasks, each number with the one it came from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agenthorizon.construction.candidates import Candidate, Candidates
from agenthorizon.construction.review import Reviewed
from agenthorizon.dataset.pair_link import DIRECTIONS
from agenthorizon.verdict import MISTAKE_TYPES


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    count: int
    of: int | None = None
    """The number it is a part of; None for one that everything begins with."""
    detail: str = ""


def construction_rows(
    recordings: int, made: Candidates, reviewed: Reviewed, splits: Mapping[str, Sequence[Candidate]]
) -> list[Row]:
    """Return the table from recordings to splits."""
    candidates, gone = len(made.all), len(made.all) - len(made.kept)
    tasks = reviewed.tasks
    positives = sum(task.is_positive for task in tasks)
    rows = [
        Row("recordings", recordings),
        Row("pairs", made.pairs),
        Row("candidates", candidates, None, _classes(made.all)),
        Row("dropped: identical instructions", gone, candidates, f"{made.identical_pairs} pairs"),
        Row("dropped: positives in review", len(reviewed.dropped), _positives(made.kept), _severities(reviewed)),
        Row("tasks", len(tasks), candidates, _classes(tasks)),
        *_type_rows(tasks, len(tasks) - positives),
        *_group_rows(tasks),
    ]
    return rows + [
        Row(f"split {name}", len(members), len(tasks), _classes(members)) for name, members in splits.items()
    ]


def _type_rows(tasks: Iterable[Candidate], negatives: int) -> list[Row]:
    counts = Counter((task.mistake_type, task.direction) for task in tasks if not task.is_positive)
    rows = []
    for kind in (*MISTAKE_TYPES, None):
        ways = [counts[kind, direction] for direction in DIRECTIONS]
        detail = f"{ways[0]} parent's instruction, {ways[1]} child's"
        rows.append(Row(f"negatives: {kind or 'untyped'}", sum(ways), negatives, detail))
    return rows


def _group_rows(tasks: Iterable[Candidate]) -> list[Row]:
    sizes = Counter(Counter(task.group for task in tasks).values())
    return [
        Row("pair groups", sizes.total(), None, ", ".join(f"{n} of {size} tasks" for size, n in sorted(sizes.items())))
    ]


def _positives(candidates: Iterable[Candidate]) -> int:
    return sum(each.is_positive for each in candidates)


def _classes(candidates: Sequence[Candidate]) -> str:
    positives = _positives(candidates)
    return f"{positives} positive, {len(candidates) - positives} negative"


def _severities(reviewed: Reviewed) -> str:
    known = {severity: n for severity, n in reviewed.severities.items() if severity is not None}
    return ", ".join(f"{n} of severity {severity}" for severity, n in sorted(known.items()))


def to_text(rows: Iterable[Row]) -> str:
    """Return the table for people, its columns aligned."""
    lines = [(row.what, f"{row.count:,}", "" if row.of is None else f"of {row.of:,}", row.detail) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    return "\n".join(
        f"{what:{widths[0]}}  {count:>{widths[1]}}  {of:{widths[2]}}  {detail}".rstrip()
        for what, count, of, detail in lines
    )


def to_json(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the table for machines."""
    return [{"what": row.what, "count": row.count, "of": row.of, "detail": row.detail} for row in rows]
