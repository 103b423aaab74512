"""Fields of a recorded action that no judge may see: named like an answer, or telling which recording it is.

Recorders write what they like into an action: {"type": "done", "parameters": {"success": true}} tells how the task
ended, and a path tells which tasks share a recording. Every other field stays, unknown ones too, and what was typed is
never looked into.
"""

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

from agenthorizon.dataset.recorded_places import Places, without_format
from agenthorizon.dataset.schema import LEAKING_FIELDS
from agenthorizon.files.jsonlines import RepeatedKey, parse_json
from agenthorizon.task import Action

ANSWER_FIELDS = LEAKING_FIELDS | {"success", "verdict", "is_positive", "is_correct", "is_success", "ground_truth"}
"""Fields of labels and of verdicts, in lower case with underscores."""

ID_FIELDS = frozenset({"trajectory_id", "task_id", "recording_id"})
"""Fields that name the task or its recording."""

_HIDDEN = frozenset(name.replace("_", "") for name in ANSWER_FIELDS | ID_FIELDS)
_TYPED = frozenset({"text", "keys", "key"})
_NO_LETTERS = re.compile(r"[\W_]+")
_OPENING = re.compile(r'\s*+["{\[]')
_DEEPEST = 100
"""Levels of a value that are looked into; what lies deeper is withheld."""


class BlindAction(NamedTuple):
    """An action as it may be shown."""

    action: Action
    withheld: tuple[str, ...]
    """Dotted names of the parameters that were left out."""


class _Unshown:
    """Stands for a value that no judge may see."""


_UNSHOWN = _Unshown()


def hidden_fields(action: Any, places: Places) -> tuple[str, ...]:
    """Return the dotted names of the fields inside a recorded action that no judge may see."""
    sieve = _Sieve(places)
    if sieve.sifted(action, ()) is _UNSHOWN:
        return ("action",)
    return tuple(dict.fromkeys(sieve.withheld))


def blind_action(action: Action, places: Places) -> BlindAction:
    """Return an action without those fields, and without any beside `type` and `parameters`, which are never shown."""
    sieve = _Sieve(places)
    shown = sieve.sifted(action.parameters, ("",))  # as deep as in the recorded action
    if not sieve.withheld and not action.model_extra:
        return BlindAction(action, ())
    return BlindAction(Action(type=action.type, parameters=shown), tuple(dict.fromkeys(sieve.withheld)))


class _Sieve:
    """Goes through a value once, and notes what it leaves out."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.withheld: list[str] = []

    def sifted(self, value: Any, name: tuple[str, ...], *, is_typed: bool = False) -> Any:
        """Return what of the value with that name may be shown, _UNSHOWN if nothing."""
        if isinstance(value, dict | list):
            if len(name) > _DEEPEST:
                return _UNSHOWN
            return self._object(value, name) if isinstance(value, dict) else self._list(value, name, is_typed)
        if is_typed or not isinstance(value, str):
            return value
        return self._text(value, name)

    def _object(self, value: dict[str, Any], name: tuple[str, ...]) -> dict[str, Any]:
        shown = {}
        for key, inner in value.items():
            kept: Any = _UNSHOWN
            if not is_hidden_name(key) and not self.places.told_by(key):
                kept = self.sifted(inner, (*name, key), is_typed=key in _TYPED)
            if kept is _UNSHOWN:
                self.withheld.append(".".join(filter(None, (*name, key))))
            else:
                shown[key] = kept
        return shown

    def _list(self, value: list[Any], name: tuple[str, ...], is_typed: bool) -> list[Any]:
        shown = [self.sifted(inner, (*name, ""), is_typed=is_typed) for inner in value]
        if any(inner is _UNSHOWN for inner in shown):
            self.withheld.append(".".join(filter(None, name)) or "action")
        return [inner for inner in shown if inner is not _UNSHOWN]

    def _text(self, text: str, name: tuple[str, ...]) -> Any:
        """Look into a text that is JSON in its turn; it is written anew only where something is left out."""
        try:
            inner = parse_json(text.strip().encode("utf-8", "replace")) if _OPENING.match(text) else None
        except RepeatedKey:  # two readings: neither can be vouched for
            return _UNSHOWN
        except ValueError as error:
            inner = _UNSHOWN if isinstance(error.__cause__, RecursionError) else None
        if not isinstance(inner, str | dict | list):
            return _UNSHOWN if inner is _UNSHOWN or self.places.told_by(text) else text
        before = len(self.withheld)
        shown = self.sifted(inner, (*name, ""))
        if shown is _UNSHOWN or len(self.withheld) == before:
            return shown if shown is _UNSHOWN else text
        return json.dumps(shown, ensure_ascii=False)


@lru_cache(maxsize=4096)
def is_hidden_name(key: str) -> bool:
    """Whether a field is named like an answer or an id, in any spelling: originalId, mistake-type, label.value."""
    whole = without_format(key)
    names = {_NO_LETTERS.sub("", name) for name in (whole, *whole.split("."), *whole.split("/"))}
    return any(name in _HIDDEN or name.removesuffix("s") in _HIDDEN for name in names)
