"""Makes a recorded text safe to print and to send: it cannot drive a terminal, reorder a line or fail to encode.

What people read (any script, emoji, combining marks) stays as it is; only what hides or disguises is escaped.
"""

import re

from agenthorizon.surrogates import without_lone_surrogates

# C0, DEL and C1 controls, the Unicode line ends, the bidirectional embeddings, overrides and isolates, surrogates.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LINE_END = re.compile("\r\n?")
_SHORT = {"\n": "\\n", "\t": "\\t"}


def escape(text: str) -> str:
    """Return the text with every unsafe character, line ends and tabs included, written as in JSON (`\\u001b`)."""
    if text.isprintable():  # as nearly every text; none of the unsafe characters is
        return text
    return _UNSAFE.sub(lambda found: _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}", text)


def safe_text(text: str, *, keep_newlines: bool = True) -> str:
    """Return free text made safe: on one line, or with its line ends and tabs kept.

    Half of a surrogate pair is no character and becomes U+FFFD.
    """
    text = _LINE_END.sub("\n", without_lone_surrogates(text))
    if not keep_newlines:
        return escape(text)
    return _UNSAFE.sub(lambda found: found[0] if found[0] in _SHORT else escape(found[0]), text)
