"""Puts data into script files so that nothing in it can be read as markup or code.

A page opened from disk may not fetch, but it may load a script. Each data file is one call with texts as arguments: a
name and a JSON document, both JavaScript string literals, which `JSON.parse` turns into values. So no key of the data
becomes a property of an object literal, and nothing in it can end the literal or a script element.
"""

import json
from typing import Any

_ESCAPED = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def opening(name: str) -> str:
    """Return what the script of a name begins with, whatever its value."""
    return f"AH.receive({_literal(name)}, "


def script(name: str, value: Any) -> str:
    """Return the script that hands a value to the page under a name."""
    document = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f"{opening(name)}{_literal(document)});\n"


def _literal(text: str) -> str:
    """Write a text as a JavaScript string literal without a character that means anything to HTML."""
    # Half of a surrogate pair cannot be written as UTF-8; a decoded reply or a broken record may hold one.
    whole = text.encode("utf-8", "replace").decode()
    return json.dumps(whole, ensure_ascii=False).translate(_ESCAPED)
