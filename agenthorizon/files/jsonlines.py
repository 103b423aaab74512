"""Reads JSON and JSON Lines exactly: strict JSON, lines end at LF alone, nothing is skipped or guessed in silence.

An object that has one key twice says two things: which of them a reader takes is a guess, so it is refused. So is what
no record can hold: a key with half a surrogate pair, and lists in lists without end. Text splitting helpers also cut at
U+2028, U+0085 or form feed, which are legal inside a JSON string.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from agenthorizon.errors import DataError, Finding
from agenthorizon.files.regular_file import open_regular
from agenthorizon.surrogates import without_lone_surrogates

BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


DEEPEST = 200
"""Levels of lists and objects in each other that are read; what writes JSON gives up soon beyond."""

_HALF_PAIR = re.compile(r"\\u[Dd][89A-Fa-f]")


class RefusedJson(ValueError):
    """What is JSON to other readers and refused here: its reading would be a guess, or no record could hold it."""


class RepeatedKey(RefusedJson):
    """JSON in which an object has one key twice."""

    def __init__(self, key: str, value: Any = None) -> None:
        """Take the key, and what a reader that lets the last one win reads."""
        super().__init__(f"the key {key[:100]!r} stands twice in one object; keep the one that counts")
        self.key = key
        self.value = value


class Line(NamedTuple):
    """One non-blank line of a JSONL file."""

    number: int
    """1-based."""
    offset: int
    """Byte position of the line in the file."""
    value: Any
    """The parsed JSON value; None together with a fault, but for a key that stands twice: there the last one's."""
    fault: Finding | None


class RawLine(NamedTuple):
    """One non-blank line of a file, as it lies there."""

    number: int
    """1-based."""
    offset: int
    """Byte position of the line in the file."""
    data: bytes


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def parse_json(data: bytes, *, allows_nan: bool = False) -> Any:
    """Parse strict UTF-8 JSON, with an optional byte order mark; NaN and Infinity, which JSON lacks, if allowed.

    Raises ValueError with a readable reason, RefusedJson of what others read, RepeatedKey where a key stands twice;
    nothing else, whatever the bytes.
    """
    repeated: list[str] = []

    def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            repeated.append(_first_repeated(pairs))
        return value

    try:
        constant = float if allows_nan else _refuse_constant
        text = utf8_text(data)
        value = json.loads(text, parse_constant=constant, object_pairs_hook=made)
    except RecursionError as error:
        raise RefusedJson("nested too deeply") from error
    _refuse_unholdable(text, value)
    if repeated:
        raise RepeatedKey(repeated[0], value)
    return value


def _refuse_unholdable(text: str, value: Any) -> None:
    """Raise RefusedJson for what parses and no record can hold; most texts show at a glance that they are fine."""
    may_have_half = _HALF_PAIR.search(text) is not None
    if not may_have_half and text.count("[") + text.count("{") <= DEEPEST:
        return
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return
        keys = (key for each in level if isinstance(each, dict) for key in each) if may_have_half else ()
        if odd := next((key for key in keys if without_lone_surrogates(key) != key), None):
            raise RefusedJson(f"the key {odd[:100]!r} holds half a surrogate pair, which is no character")
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    raise RefusedJson(f"nested too deeply: more than {DEEPEST} lists and objects in each other")


def utf8_text(data: bytes) -> str:
    """Return the text of bytes without a byte order mark. Raises ValueError with a readable reason if not UTF-8."""
    if data.startswith(_UTF16):
        raise ValueError("UTF-16, expected UTF-8: save it anew, for example with iconv -f UTF-16 -t UTF-8")
    try:
        return data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from error


def _first_repeated(pairs: list[tuple[str, Any]]) -> str:
    counts = Counter(key for key, _ in pairs)
    return next(key for key, count in counts.items() if count > 1)


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the non-blank lines of a JSONL file; a line that is not JSON comes with its fault.

    Raises DataError when the file cannot be read at all.
    """
    for raw in raw_lines(path):
        yield _line(path.name, raw)


def raw_lines(path: Path) -> Iterator[RawLine]:
    """Yield the non-blank lines of a file as bytes. Raises DataError when the file cannot be read at all."""
    offset = 0
    try:
        with open_regular(path) as file:
            for number, data in enumerate(file, start=1):
                if data.strip(b" \t\r\n" + BOM):
                    yield RawLine(number, offset, data)
                if number == 1 and data.startswith(_UTF16):
                    return  # no line after it is what it seems
                offset += len(data)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error


def bad_json(file: str, error: ValueError, line: int | None = None, more: str = "") -> Finding:
    """Return the fault of a file or line that `parse_json` refused."""
    if isinstance(error, RepeatedKey):
        return Finding("repeated_key", file, line, fields=(error.key,), detail=str(error))
    return Finding("bad_json", file, line, detail=f"{error}{more}")


def bad_line(file: str, error: ValueError, raw: RawLine) -> Finding:
    """Return the fault of a line, which may be the last one and cut."""
    is_whole = raw.data.endswith(b"\n") or isinstance(error, RefusedJson)
    cut = "" if is_whole else " (the file ends inside this line: it may have been cut)"
    return bad_json(file, error, raw.number, cut)


def _line(file: str, raw: RawLine) -> Line:
    try:
        return Line(raw.number, raw.offset, parse_json(raw.data), None)
    except ValueError as error:
        value = error.value if isinstance(error, RepeatedKey) else None
        return Line(raw.number, raw.offset, value, bad_line(file, error, raw))


def to_json_text(value: Any) -> str:
    """Return a value as one line of JSON; ASCII only where it holds half a surrogate pair, which no file can."""
    text = json.dumps(value, ensure_ascii=False)
    return (json.dumps(value) if has_lone_surrogate(value) else text) + "\n"


def has_lone_surrogate(value: Any) -> bool:
    """Whether any string inside a JSON value holds half of a surrogate pair, which no encoder accepts."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False
