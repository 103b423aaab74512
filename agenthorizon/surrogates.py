"""Half of a surrogate pair is no character: Python's strings hold it, and no encoder and no JSON reader takes it."""

import re

_LONE = re.compile("[\ud800-\udfff]")


def without_lone_surrogates(text: str) -> str:
    """Return a text with U+FFFD in the place of each half of a surrogate pair."""
    return text if text.isascii() else _LONE.sub("\ufffd", text)
