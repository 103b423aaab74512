"""Braces and brackets of a reply: which of them enclose objects, which open one that is cut, which make a list.

A reply mixes prose and JSON, so that a brace may be a key that was pressed. All takes linear time.
"""

import json
import re
from typing import NamedTuple

# What pairs braces: the braces themselves, and the quotes that no backslash escapes.
_MARK = re.compile(r'(?<!\\)(?:\\\\)*+"|[{}]')

# An open brace followed by a key, unlike a brace of prose ("pressed the { key").
_OBJECT_START = re.compile(r"""\{\s*+(?:\Z|(["'])(?:\w*+\Z|(?:(?!\1).)*+\1\s*+(?::|\Z))|success\s*+:)""", re.DOTALL)

_QUOTE = "[\"'`\u2018-\u201f\u00ab\u00bb]"

# The key as written, in any quotes, whole or cut.
_SUCCESS_NAMED = re.compile(rf"{_QUOTE}\s*+success|success\s*+{_QUOTE}?\s*+[:=]")
_SUCCESS_GIVEN = re.compile(rf"{_QUOTE}success{_QUOTE}\s*+:")

_QUOTED_BRACE = re.compile(rf"{_QUOTE}\{{{_QUOTE}(?!\s*+success)")

_STRICT = json.JSONDecoder(parse_int=float)


def brace_groups(text: str) -> list[tuple[int, int | None]]:
    """List where every "{" stands and where its group ends, None if it never closes.

    Which quotes enclose strings depends on the brace one starts from, and a scan from each brace would take
    quadratic time. Going from right to left, every answer follows from answers found before.
    """
    marks = [mark.end() - 1 for mark in _MARK.finditer(text)]
    nowhere = len(marks)
    brace = [nowhere] * (nowhere + 1)  # the first brace at or after a mark, the mark being outside strings
    close = [nowhere] * (nowhere + 1)  # the first "}" after a brace that closes more than opens after it
    quote = nowhere - 1  # the next quote to the right; before there is one, its successor is nowhere
    groups: list[tuple[int, int | None]] = []
    for index in reversed(range(nowhere)):
        if text[marks[index]] == '"':
            brace[index], quote = brace[quote + 1], index
            continue
        brace[index], inner = index, brace[index + 1]
        closes = inner < nowhere and text[marks[inner]] == "}"
        close[index] = inner if closes else close[close[inner]]
        if text[marks[index]] == "{":
            groups.append((marks[index], marks[close[index]] + 1 if close[index] < nowhere else None))
    return groups[::-1]


def opens_object(text: str, start: int) -> bool:
    """Whether the brace is followed by a key, or by nothing."""
    return _OBJECT_START.match(text, start) is not None


class LeftOpen(NamedTuple):
    """Braces that never close and are followed by no key: of prose, or of an answer in another notation."""

    first: int | None = None
    last: int | None = None
    """The first one after the last whole object."""

    def after(self, text: str, start: int) -> "LeftOpen":
        """Take the next one in, unless it stands alone in quotes, as the name of a key does."""
        if start > 0 and _QUOTED_BRACE.match(text, start - 1):
            return self
        return LeftOpen(start if self.first is None else self.first, start if self.last is None else self.last)

    def holds_answer(self, text: str, end: int) -> bool:
        """Whether the key success is written after one of them and after `end`, the end of the last whole object."""
        if self.last is not None and _SUCCESS_NAMED.search(text, self.last):
            return True
        return self.first is not None and _SUCCESS_GIVEN.search(text, end) is not None


def stands_in_list(text: str, start: int) -> bool:
    """Whether what begins at `start` is an element of a JSON list, whatever stands in it before.

    Each attempt ends where the text stops being JSON, and the next begins there.
    """
    closed, at = text[:start] + "0]", text.find("[", 0, start)
    while at >= 0:
        try:
            _, end = _STRICT.raw_decode(closed, at)
        except json.JSONDecodeError as error:
            end = max(error.pos, at + 1)
        except RecursionError:
            return True
        if end == len(closed):
            return True
        at = text.find("[", end, start)
    return False
