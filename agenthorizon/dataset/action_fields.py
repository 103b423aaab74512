"""Fields of a recorded action that no judge may see: named like an answer, or telling which recording it is.

Recorders write what they like into an action: {"type": "done", "parameters": {"success": true}} tells how the task
ended, and a path tells which tasks share a recording. So does a note that says `success: true`. Every other field
stays, unknown ones too, and what was typed is never looked into.
"""

import json
import re
from typing import Any, NamedTuple

from agenthorizon.dataset.answer_names import is_hidden_name, says_answer
from agenthorizon.dataset.recorded_places import Places
from agenthorizon.files.jsonlines import RefusedJson, parse_json
from agenthorizon.task import Action

WITHHELD = "withheld"
"""Type that is shown of an action whose own may not be."""

_TYPED = frozenset({"text", "keys", "key"})
_BLANK = "\\s\ufeff\u00ad\u200b-\u200f\u2060-\u2064"
"""Characters that nobody sees, as a pattern's class has them."""
_OPENING = re.compile(rf'[{_BLANK}]*+(?:`{{3,}}+\w*+[{_BLANK}]*+)?["{{\[]')
_KEY = re.compile(r"""(["'])((?:(?!\1)[^\\]){1,64})\1\s*:""")
_AROUND = re.compile(rf"^[{_BLANK}]++|[{_BLANK}]++$")
_DEEPEST = 100
"""Levels of a value that are looked into; what lies deeper is withheld."""
_TELLING = (str, dict, list)  # a number, a Boolean or null tells nothing


class BlindAction(NamedTuple):
    """An action as it may be shown."""

    action: Action
    withheld: tuple[str, ...]
    """Dotted names of the parameters that were left out."""


class _Unshown:
    """Stands for a value that no judge may see."""


_UNSHOWN = _Unshown()


class Sieve:
    """Goes through the actions of one task, each value once, and says what it leaves out.

    A task has a hundred actions of a few names and words, so what may be shown once is known for the next.
    """

    def __init__(self, places: Places) -> None:
        """Take where the task's screenshots lie."""
        self._places = places
        self._withheld: list[str] = []
        self._shown_names: set[str] = set()
        self._shown_texts: set[str] = set()

    def hidden_fields(self, action: Any) -> tuple[str, ...]:
        """Return the dotted names of the fields inside a recorded action that no judge may see."""
        self._withheld = []
        if self._sifted(action, ()) is _UNSHOWN:
            return ("action",)
        return tuple(dict.fromkeys(self._withheld))

    def blind_action(self, action: Action) -> BlindAction:
        """Return an action without those fields, and without any beside `type` and `parameters`: none is shown."""
        self._withheld = []
        kind = self._text(action.type, ("type",))
        if kind is _UNSHOWN:
            self._withheld.append("type")
        shown = self._sifted(action.parameters, ("",))  # as deep as in the recorded action
        if not self._withheld and not action.model_extra:
            return BlindAction(action, ())
        made = Action(type=WITHHELD if kind is _UNSHOWN else kind, parameters=shown)
        return BlindAction(made, tuple(dict.fromkeys(self._withheld)))

    def _sifted(self, value: Any, name: tuple[str, ...], *, is_typed: bool = False) -> Any:
        """Return what of the value with that name may be shown, _UNSHOWN if nothing."""
        if isinstance(value, str):
            return value if is_typed else self._text(value, name)
        if isinstance(value, dict):
            return self._object(value, name) if len(name) <= _DEEPEST else _UNSHOWN
        if isinstance(value, list):
            return self._list(value, name, is_typed) if len(name) <= _DEEPEST else _UNSHOWN
        return value

    def _object(self, value: dict[str, Any], name: tuple[str, ...]) -> dict[str, Any]:
        shown = {}
        for key, inner in value.items():
            kept = inner
            if key not in self._shown_names and not self._may_be_named(key):
                kept = _UNSHOWN
            elif isinstance(inner, _TELLING):
                kept = self._sifted(inner, (*name, key), is_typed=key in _TYPED)
            if kept is _UNSHOWN:
                self._withheld.append(".".join(filter(None, (*name, key))))
            else:
                shown[key] = kept
        return shown

    def _may_be_named(self, key: str) -> bool:
        """Whether a field with this name may be shown."""
        if is_hidden_name(key) or self._places.told_by(key):
            return False
        self._shown_names.add(key)
        return True

    def _list(self, value: list[Any], name: tuple[str, ...], is_typed: bool) -> list[Any]:
        shown = [self._sifted(inner, (*name, ""), is_typed=is_typed) for inner in value]
        if any(inner is _UNSHOWN for inner in shown):
            self._withheld.append(".".join(filter(None, name)) or "action")
        return [inner for inner in shown if inner is not _UNSHOWN]

    def _text(self, text: str, name: tuple[str, ...]) -> Any:
        """Return a text if it may be shown; what is JSON in its turn was looked into."""
        if text in self._shown_texts:
            return text
        if _OPENING.match(text):
            return self._text_of_json(text, name)
        if self._places.told_by(text) or says_answer(text):
            return _UNSHOWN
        self._shown_texts.add(text)
        return text

    def _text_of_json(self, text: str, name: tuple[str, ...]) -> Any:
        """Look into a text that may be JSON, or lines of it; it is written anew only where something is left out."""
        try:
            values = _values_of(_AROUND.sub("", text))
        except ValueError:
            return _UNSHOWN
        if values is None:
            tells = self._places.told_by(text) or _holds_hidden_key(text) or says_answer(text)
            return _UNSHOWN if tells else text
        before = len(self._withheld)
        shown = [self._sifted(value, (*name, "")) for value in values]
        if any(one is _UNSHOWN for one in shown):
            return _UNSHOWN
        return text if len(self._withheld) == before else "\n".join(map(_as_json, shown))


def _values_of(text: str) -> list[Any] | None:
    """Return the values of a text that is JSON, or JSON on every line, as Python writes it; None for another text.

    Raises RefusedJson where nobody can vouch for what it says: a key stands twice, or it is nested too deeply.
    """
    for parts in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            return [parse_json(part.strip().encode("utf-8", "replace"), allows_nan=True) for part in parts]
        except RefusedJson:
            raise
        except ValueError:
            continue
    return None


def _holds_hidden_key(text: str) -> bool:
    """Whether a text that is no JSON and begins like it, as Python's or a fenced one, has a field that is hidden."""
    return any(is_hidden_name(name) for _, name in _KEY.findall(text))


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
