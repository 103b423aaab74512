"""Says of a record that did not pass its check which keys are wrong, what stands there and what was expected."""

from typing import NamedTuple

from pydantic import ValidationError

_QUOTED = 80


class RecordFault(NamedTuple):
    """One key of a record that cannot be used."""

    key: str
    """Dotted, e.g. `judge.name` or `asked.3`; empty where the record as a whole is wrong."""
    detail: str
    """What was found and what was expected."""

    def __str__(self) -> str:
        return f"{self.key}: {self.detail}" if self.key else self.detail


def record_faults(error: ValidationError) -> list[RecordFault]:
    """Return what is wrong with a record, a key each."""
    faults = []
    for each in error.errors(include_url=False, include_context=False):
        words = each["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
        detail = f"found {each['input']!r:.{_QUOTED}}, expected {words}"
        if each["type"] in ("value_error", "missing"):  # these say all there is to say
            detail = words
        faults.append(RecordFault(".".join(map(str, each["loc"])), detail))
    return faults
