"""Reads an outcomes.jsonl: which of its lines are outcomes, and where it was cut when a process died."""

from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from agenthorizon.errors import Finding
from agenthorizon.files.jsonlines import RepeatedKey, parse_json
from agenthorizon.files.record_faults import record_faults
from agenthorizon.outcome import Outcome


class WrittenOutcomes(NamedTuple):
    """What stands in an outcomes.jsonl."""

    outcomes: list[Outcome]
    complete: int
    """Bytes up to the end of the last whole line or record; what follows was being written when the process died."""
    warnings: list[Finding]
    """Whole lines that are no outcome, or contradict themselves: none of them is believed."""


def parse_outcomes(data: bytes, file: str = "outcomes.jsonl") -> WrittenOutcomes:
    """Read the content of an outcomes.jsonl.

    A last line without its line end counts where it is a whole JSON record: an editor leaves it so, or a process that
    was killed before the line end was written. Otherwise it was cut, and is not part of the file.
    """
    written = WrittenOutcomes([], _complete(data), [])
    for number, line in enumerate(data[: written.complete].split(b"\n"), start=1):
        if not line.strip(b" \t\r"):
            continue
        try:
            written.outcomes.append(_outcome(line))
        except ValidationError as error:
            detail = "; ".join(map(str, record_faults(error)))
            written.warnings.append(Finding("unreadable_outcome", file, number, detail=detail))
        except ValueError as error:
            written.warnings.append(Finding("unreadable_outcome", file, number, detail=str(error)))
    return written


def _outcome(line: bytes) -> Outcome:
    """Read one line. Raises ValueError, ValidationError among them.

    A line that comes out as it went in holds no key twice: so most are known, in a third of the strict reader's time.
    """
    try:
        is_plain = to_json(from_json(line)) == line
    except ValueError:
        is_plain = False
    return Outcome.model_validate_json(line) if is_plain else Outcome.model_validate(parse_json(line))


def _complete(data: bytes) -> int:
    end = data.rfind(b"\n") + 1
    try:
        parse_json(data[end:])
    except RepeatedKey:
        return len(data)
    except ValueError:
        return end
    return len(data)
