"""Parses one record of a result file by the rules of replies: what is no field of the verdict cannot lose it.

A key may stand twice where it says the same, and numbers of any length beside the verdict; NaN too, which is no JSON
and which many programs write. A record counts the same as a line of a table and as a file of its own.
"""

import json
import re
from collections import Counter
from typing import Any, NamedTuple

from agenthorizon.files.jsonlines import utf8_text

ID_FIELDS = ("trajectory_id", "id", "deliverable_id")
"""Names of the field that holds a row's task id; the first one that is there counts."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:]')


class Pairs(NamedTuple):
    """A JSON object as its pairs, so that keys said twice are seen."""

    pairs: tuple[tuple[str, Any], ...]

    def get(self, name: str) -> Any:
        """Return the value of a key: of one said twice the last, None of one that is not there."""
        return dict(self.pairs).get(name)

    def repeated(self) -> str | None:
        """Return the first key that is there more than once, if any."""
        counts = Counter(key for key, _ in self.pairs)
        return next((key for key, count in counts.items() if count > 1), None)

    def all_of(self, name: str) -> list[Any]:
        """Return all values of a key."""
        return [value for key, value in self.pairs if key == name]


def _pairs(found: list[tuple[str, Any]]) -> Pairs:
    return Pairs(tuple(found))


# No number of a record is used, and float takes any number of digits where int refuses long ones.
_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=float)


def parse_row(data: bytes) -> Any:
    """Parse a record, its objects as Pairs. Raises ValueError with a readable reason."""
    try:
        return _DECODER.decode(utf8_text(data).strip(" \t\r\n"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def task_id_of(record: Any) -> str | None:
    """Return the id of a record, None where it has none, or two."""
    if not isinstance(record, Pairs):
        return None
    given = next((values for name in ID_FIELDS if (values := _not_null(record.all_of(name)))), [None])
    is_one = isinstance(given[0], str) and all(value == given[0] for value in given)
    return given[0] if is_one else None


def task_id_written(data: bytes) -> str | None:
    """Return the id that a broken record names among its own fields, as far as it can be read."""
    found: dict[str, list[Any]] = {}
    depth, last, key = 0, "", ""
    for token in _TOKEN.findall(data.decode("utf-8", "replace")):
        if key in ID_FIELDS and token[0] == '"':
            found.setdefault(key, []).append(_string(token))
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token, 0)
        key = _string(last) if token == ":" and depth == 1 and last[:1] == '"' else ""
        last = token
    return task_id_of(Pairs(tuple((name, value) for name, values in found.items() for value in values)))


def _string(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:  # a control character, or half an escape
        return ""


def _not_null(values: list[Any]) -> list[Any]:
    return [value for value in values if value is not None]
