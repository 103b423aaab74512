"""Says what a judge is, for a run's configuration: its class, its settings, its code, what outside parts it has.

Nothing secret comes out of here: what is named like a key is left out, wherever it stands.
"""

import json
import re
from typing import Any, Final

from agenthorizon.judge import Judge
from agenthorizon.judging.own_code import code_hash

_SECRET = re.compile(r"(?:api)?keys?|tokens?|secrets?|passw\w*|passphrase|credentials?|authorization|auth|bearer")
"""Words in the names of secrets; whole words, since a tokenizer is none."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LEFT_OUT: Final = object()


def described(judge: Any) -> dict[str, Any]:
    """Return what a judge is, in JSON's types. Raises UsageError for one that cannot work here.

    Of a plain class, the attributes that JSON can hold: how anything else is written may change from process to
    process, and the run would be another one each time.
    """
    cls = type(judge)
    about = {"class": f"{cls.__module__}:{cls.__qualname__}", "settings": _settings(judge)}
    if not cls.__module__.startswith("agenthorizon."):
        about["code"] = code_hash(cls)  # a user's judge has no version of ours: its code says what it is
    if facts := judge.facts() if isinstance(judge, Judge) else {}:
        about["facts"] = dict(facts)
    return about


def _settings(judge: Any) -> dict[str, Any]:
    if isinstance(judge, Judge):
        return dict(without_secrets(judge.model_dump(mode="json", exclude={*judge.unrecorded, "prices"})))
    named = {name: value for name, value in sorted(getattr(judge, "__dict__", {}).items()) if not name.startswith("_")}
    plain = {name: found for name, value in named.items() if (found := _plain(value)) is not _LEFT_OUT}
    return dict(without_secrets(plain))


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; _LEFT_OUT for what JSON does not have."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return _LEFT_OUT


def without_secrets(value: Any) -> Any:
    """Leave out texts named like a secret, at any depth of lists and objects; a number is none (max_tokens = 400)."""
    if isinstance(value, list):
        return [without_secrets(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {name: item for name, item in value.items() if not (_is_secret(name) and _holds_text(item))}
    return {name: without_secrets(item) for name, item in kept.items()}


def _is_secret(name: str) -> bool:
    """Whether a name is that of a secret; one that ends in env names the variable that holds it."""
    words = [word.lower() for word in _WORD.findall(name)]
    return words[-1:] != ["env"] and any(map(_SECRET.fullmatch, words))


def _holds_text(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_holds_text, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str)
