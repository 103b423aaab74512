"""Makes anything that a judge's own code returns fit for JSON: what JSON lacks is put into words, nothing raises."""

import json
import math
from typing import Any

_DEEPEST = 100
"""Levels of lists and objects that are kept; what lies deeper is left out, and a ring of objects ends there."""
_LARGEST = 10**4000


def is_json(value: Any) -> bool:
    """Whether a value can be written as strict JSON and comes back with the same keys."""
    try:
        json.dumps(value, allow_nan=False)
    except Exception:  # noqa: BLE001  foreign objects may raise anything; RecursionError is among them
        return False
    return _has_text_keys(value)


def _has_text_keys(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _has_text_keys(item) for key, item in value.items())
    return all(map(_has_text_keys, value)) if isinstance(value, list | tuple) else True


def json_safe(value: Any, level: int = 0) -> Any:
    """Return a value in the types of JSON: keys as text, and NaN, sets, foreign objects and the like in words."""
    if not isinstance(value, dict | list | tuple):
        return value if _is_scalar(value) else _text(value)
    if level >= _DEEPEST:
        return "…"
    if isinstance(value, dict):
        return {_text(key): json_safe(item, level + 1) for key, item in tuple(value.items())}
    return [json_safe(item, level + 1) for item in tuple(value)]


def _is_scalar(value: Any) -> bool:
    """Whether JSON has a value that holds no others; Python writes out no whole number of thousands of digits."""
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) < _LARGEST)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return str.__str__(value)
    try:
        return str(value)
    except Exception:  # noqa: BLE001  a foreign object may fail in its own methods
        return f"a {type(value).__name__} that cannot be put into words"
