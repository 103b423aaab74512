"""Names what an instruction asks for, and looks for it in what was typed and what was read on the screen.

OCR runs words together ("ThisPC", "FileEdit View"), so that texts are compared without blanks and punctuation; only
what is too short for that ("3", "pc") must stand apart.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

PARTICULAR_WEIGHT = 2.0
"""How much a quoted text, a name, a number or the like counts, where a plain word counts 1."""

_LONGEST_NAME = 6
"""Words; a longer row of capitals is shouting, not a name."""
_APART = 4
"""Needles of fewer characters must stand apart, numbers of fewer than _APART_DIGITS too."""
_APART_DIGITS = 6
_WRAPPED = 8
"""Needles of so many characters may go over the end of a line."""

_STOP_WORDS = frozenset(
    """
    a about after all also an and any are as at be been before both but by can do does each ensure every everything
    for from had has have her his how if in into is it its just make more must my need new no not now of on one only
    or other our out over please same set she should so some such sure than that the their them then there these
    they this those through to under until up use used user using via want was we were what when where which while
    who will with within without you your
    """.split()  # noqa: SIM905 - a list of words reads as words
)

_QUOTED = re.compile(
    r"""["“”„]([^"“”„\n]{2,120})["“”]|`([^`\n]{2,120})`|「([^「」\n]{1,120})」|(?<!\w)['‘]([^'‘’\n]{2,120})['’](?!\w)"""
)
_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_EDGES = "\"'“”„‘’`「」()[]{}<>.,;:!?…。，"
_SENTENCE_ENDS = ".!?:。"
_RUN_TOGETHER = re.compile(r"(?<=[a-z])(?=[A-Z])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


class Term(NamedTuple):
    """One thing an instruction names."""

    text: str
    """As the instruction writes it."""
    key: str
    """In the form that is looked for; equal things have equal keys."""
    weight: float


class Text:
    """A text in the forms that terms are looked for in."""

    def __init__(self, lines: Iterable[str]) -> None:
        lines = list(lines)
        self._plain = "\n".join(map(_plain, lines))
        self._squeezed = "\n".join(map(squeeze, lines))
        self._wrapped = self._squeezed.replace("\n", "")

    def holds(self, term: Term) -> bool:
        """Whether the term stands in it."""
        needle = term.key
        is_short = len(needle) < (_APART_DIGITS if needle.isdigit() else _APART)
        if is_short and not _CJK.search(needle):
            return _stands_apart(_plain(term.text), self._plain)
        return needle in (self._wrapped if len(needle) >= _WRAPPED else self._squeezed)


def terms_of(instruction: str) -> list[Term]:
    """Return what the instruction names, each once: particulars first, then the other words that carry meaning."""
    terms: dict[str, Term] = {}
    for text in [*_quotes(instruction), *_names(_QUOTED.sub(' "" ', instruction))]:
        if key := _stem(squeeze(text)):
            terms.setdefault(key, Term(text, key, PARTICULAR_WEIGHT))
    for text in _words(instruction):
        if (key := _stem(squeeze(text))) and text.casefold() not in _STOP_WORDS:
            terms.setdefault(key, Term(text, key, 1.0))
    return list(terms.values())


def squeeze(text: str) -> str:
    """Return the letters and digits alone, in one case and one width."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _quotes(text: str) -> Iterator[str]:
    for match in _QUOTED.finditer(text):
        yield match[match.lastindex or 0].strip()


def _names(text: str) -> Iterator[str]:
    """Yield rows of capitalised words within a sentence, file names, addresses, numbers and identifiers."""
    row: list[str] = []
    is_first = True
    for word in text.split():
        bare = word.strip(_EDGES)
        is_name = _is_code(bare) or (bare[:1].isupper() and not is_first)
        if row and (not is_name or word[0] in _EDGES or len(row) == _LONGEST_NAME):
            yield " ".join(row)
            row = []
        if is_name:
            row.append(bare)
        is_first = word[-1] in _SENTENCE_ENDS
        if row and word[-1] in _EDGES:
            yield " ".join(row)
            row = []
    if row:
        yield " ".join(row)


def _is_code(word: str) -> bool:
    """Whether a word is no ordinary one: GIMP, MockMed, q3.csv, a@b.org, 2024-05-01, max_len."""
    return any(c.isupper() or c.isdigit() or c in "@_./\\" for c in word[1:]) or word[:1].isdigit()


def _words(text: str) -> Iterator[str]:
    """Yield words; text of languages written without blanks in pairs of characters."""
    for match in _WORD.finditer(_THOUSANDS.sub("", text)):
        word = match[0]
        if len(word) > 2 and _CJK.search(word):
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        elif len(word) > 1 or word.isdigit():
            yield word


def _stem(key: str) -> str:
    """Cut the endings that grammar adds to an English word; what is left is looked for as a part of words."""
    if key.isascii() and key.isalpha():
        for ending in ("ing", "ed", "s", "e"):
            if key.endswith(ending) and not key.endswith("ss") and len(key) - len(ending) >= _APART:
                key = key.removesuffix(ending)
    return key


def _plain(text: str) -> str:
    normal = unicodedata.normalize("NFKC", _RUN_TOGETHER.sub(" ", text))
    return _THOUSANDS.sub("", normal).casefold()


def _stands_apart(needle: str, text: str) -> bool:
    at = text.find(needle)
    while at >= 0:
        end = at + len(needle)
        if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(needle, at + 1)
    return False
