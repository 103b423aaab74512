"""Applies what reviewers decided of positives: kept or dropped, never relabelled. Negatives are so by construction.

One line of a review file; severity, from 1 (slight) to 4 (the recording failed), stands with or without a decision:
{"recording": "0103…", "decision": "drop", "severity": 3, "reason": "The chart was never saved."}
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenthorizon.construction.candidates import Candidate
from agenthorizon.dataset.schema import Place
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.jsonlines import Line, read_lines

SEVERITIES = (1, 2, 3, 4)


@dataclass(frozen=True)
class Decision:
    """What was decided of one recording's positive."""

    is_dropped: bool
    severity: int | None = None


@dataclass(frozen=True)
class Reviewed:
    """Candidates after review."""

    tasks: tuple[Candidate, ...]
    dropped: tuple[Candidate, ...]
    severities: Mapping[int | None, int] = field(default_factory=dict)
    """Severity → how many positives of it were dropped."""


def read_review(path: Path, recordings: Container[str], drop_from: int | None = None) -> dict[str, Decision]:
    """Read a file of decisions, by recording.

    A line without a decision is dropped when its severity is `drop_from` or more. Raises DataError with every line
    that says something else than keep or drop of one known recording's positive.
    """
    decisions: dict[str, Decision] = {}
    faults: list[Finding] = []
    for line in read_lines(path):
        place = Place(path.name, line.number)
        fault = _fault(line, place, recordings, drop_from)
        if fault is None and line.value["recording"] in decisions:
            fault = place.finding("duplicate_review", f"{line.value['recording']} is reviewed before")
        if fault:
            faults.append(fault)
        else:
            decisions[line.value["recording"]] = _decision(line.value, drop_from)
    if faults:
        raise DataError(f"{path.name} cannot be used as a review file", faults)
    return decisions


def _fault(line: Line, place: Place, recordings: Container[str], drop_from: int | None) -> Finding | None:
    if line.fault:
        return line.fault
    if not isinstance(line.value, dict):
        return place.finding("not_an_object", "a decision is a JSON object")
    recording, decision = line.value.get("recording"), line.value.get("decision")
    if not isinstance(recording, str) or recording not in recordings:
        return place.finding("unknown_recording", f"no recording {recording!r}")
    if line.value.get("instruction_of", recording) != recording:
        return place.finding(
            "review_of_negative", "only positives are reviewed away; a swap is negative by construction"
        )
    if decision not in ("keep", "drop", None):
        return place.finding("bad_decision", f"{decision!r} is not keep or drop; a positive is never relabelled")
    return _severity_fault(line.value, place, drop_from)


def _severity_fault(value: Mapping[str, Any], place: Place, drop_from: int | None) -> Finding | None:
    severity = value.get("severity")
    if severity is not None and (isinstance(severity, bool) or severity not in SEVERITIES):
        return place.finding("bad_severity", f"{severity!r} is not 1, 2, 3 or 4")
    if value.get("decision") is None and (severity is None or drop_from is None):
        return place.finding("no_decision", "needs keep or drop, or a severity together with --drop-from")
    return None


def _decision(value: Mapping[str, Any], drop_from: int | None) -> Decision:
    severity = value.get("severity")
    if value.get("decision") is not None:
        return Decision(value["decision"] == "drop", severity)
    return Decision(severity is not None and drop_from is not None and severity >= drop_from, severity)


def apply_review(candidates: Sequence[Candidate], decisions: Mapping[str, Decision]) -> Reviewed:
    """Drop the positives that were decided against; their swaps stay."""
    dropped = tuple(each for each in candidates if each.is_positive and _is_out(decisions.get(each.recording)))
    gone = set(dropped)
    severities = Counter(decisions[each.recording].severity for each in dropped)
    return Reviewed(tuple(each for each in candidates if each not in gone), dropped, severities)


def _is_out(decision: Decision | None) -> bool:
    return decision is not None and decision.is_dropped
