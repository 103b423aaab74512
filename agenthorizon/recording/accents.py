"""What a dead key makes of the key after it: an accent and a letter are one character."""

import unicodedata

_BY_ITSELF = {"\u0300": "`", "\u0301": "´", "\u0302": "^", "\u0303": "~", "\u0308": "¨", "\u030a": "°", "\u0327": "¸"}
"""Pressed twice, or before a space, a dead key types the accent."""


def accented(combining: str, text: str, next_combining: str = "") -> str:
    """Return what an accent and the key after it type, which types `text` or is dead too; empty if nobody knows."""
    if text == " " or next_combining == combining:
        return _BY_ITSELF.get(combining, "")
    letter = unicodedata.normalize("NFC", text + combining)
    return letter if text and len(letter) == 1 else ""
