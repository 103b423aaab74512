"""Free text made safe to print and to send."""

import sys
import unicodedata

import pytest

from agenthorizon.evidence.safe_text import escape, safe_text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("Rename a.txt\n\tto b.txt", "Rename a.txt\n\tto b.txt"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("\x1b[8mhidden\x1b[0m\x07", r"\u001b[8mhidden\u001b[0m\u0007"),
        ("a\x85b\u2028c\u2029d", r"a\u0085b\u2028c\u2029d"),
        ("to \u202egnp.tohs\u202c", r"to \u202egnp.tohs\u202c"),
        ("emoji \ud83d here", "emoji \ufffd here"),
        ("田中 ملف é 👨‍👩‍👧", "田中 ملف é 👨‍👩‍👧"),
    ],
    ids=["lines", "line-ends", "terminal", "line-separators", "direction", "surrogate", "scripts"],
)
def test_only_what_hides_or_disguises_is_escaped(text: str, safe: str):
    assert safe_text(text) == safe


def test_text_for_one_line_has_its_line_ends_and_tabs_escaped():
    assert safe_text("a\r\nb\tc", keep_newlines=False) == r"a\nb\tc"


def test_of_all_characters_controls_line_ends_directions_and_surrogates_alone_are_escaped():
    directions = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    escaped = {char for char in map(chr, range(sys.maxunicode + 1)) if escape(f"a{char}b") != f"a{char}b"}
    assert escaped == {
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(char) in directions
    }
