"""Takes values out of parsed JSON that may be of any shape, and times out of the texts recorders write."""

import json
from datetime import datetime
from typing import Any

from agenthorizon.importing.timeline import Done
from agenthorizon.task import AS_RECORDED, Action


def text(value: Any) -> str | None:
    """Return a text that is not blank, else None."""
    return value if isinstance(value, str) and value.strip() else None


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list; whatever else stands there, nothing."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def mapping(value: Any) -> dict[str, Any]:
    """Return an object, or an empty one."""
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """Return a list, or an empty one."""
    return value if isinstance(value, list) else []


def pair(value: Any) -> tuple[int, int] | None:
    """Return a width and height, or None."""
    if isinstance(value, list) and len(value) == 2 and all(type(n) is int and n > 0 for n in value):
        return value[0], value[1]
    return None


def done(kind: str, original: Any, **parameters: Any) -> Done:
    """Return an action with its original, given as text or as JSON; parameters that are None are left out."""
    words = original if isinstance(original, str) else json.dumps(original, ensure_ascii=False)
    return Done(Action(type=kind, parameters={k: v for k, v in parameters.items() if v is not None}), words)


def unknown(original: Any) -> Done:
    """Return an action that has no translation, its original as the parameter."""
    return done(AS_RECORDED, original, value=original)


class Clock:
    """Turns a recording's own times into microseconds from its first one."""

    def __init__(self, *forms: str) -> None:
        """Take the forms of `strptime` to try, in order."""
        self._forms = forms
        self._start: datetime | None = None

    def microseconds(self, recorded: Any) -> int | None:
        """Return the time since the first one asked for; None for what is no such time."""
        moment = next((found for form in self._forms if (found := _moment(recorded, form))), None)
        if moment is None:
            return None
        self._start = self._start or moment
        since = moment - self._start
        return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def _moment(recorded: Any, form: str) -> datetime | None:
    try:
        return datetime.strptime(recorded, form)
    except (TypeError, ValueError):
        return None
