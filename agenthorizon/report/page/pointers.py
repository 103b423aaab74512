"""What of an action can be drawn on its screenshot, and how it is called beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agenthorizon.evidence.safe_text import escape
from agenthorizon.task import Action

_LONGEST = 2000
"""Characters of typed text beside a picture; the wording under it has all of them."""


@dataclass(frozen=True)
class Pointer:
    """An action as it is drawn."""

    kind: str
    """click, drag, move, scroll, text, keys, wait, or other."""
    said: str
    """A few words for people; the exact wording stands elsewhere."""
    points: tuple[float, ...] = ()
    """x, y, and for a drag the end's x, y, in pixels of the picture; empty where the action has no place."""
    detail: str = ""
    """What is typed or pressed, which button, or the direction."""


def pointer(action: Action | None) -> Pointer:
    """Return how an action is drawn; one of an unknown type at its x and y, if it has them."""
    if action is None:
        return Pointer("none", "no action recorded")
    draw = _DRAWN.get(action.type, _other)
    return draw(action.parameters) if draw is not _other else _other(action.parameters | {"type": action.type})


def _click(given: Mapping[str, Any]) -> Pointer:
    button = _text(given.get("button") or "left")
    times = given.get("num_clicks")
    count = {2: "double ", 3: "triple "}.get(times, "") if isinstance(times, int) else ""
    return Pointer("click", f"{count}{button} click", _points(given, "x", "y"), f"{count}{button}")


def _drag(given: Mapping[str, Any]) -> Pointer:
    return Pointer("drag", "drag", _points(given, "start_x", "start_y", "end_x", "end_y"))


def _move(given: Mapping[str, Any]) -> Pointer:
    return Pointer("move", "pointer moves", _points(given, "x", "y"))


def _scroll(given: Mapping[str, Any]) -> Pointer:
    direction = _text(given.get("direction") or "")
    return Pointer("scroll", f"scroll {direction}".strip(), _points(given, "x", "y"), direction)


def _type(given: Mapping[str, Any]) -> Pointer:
    return Pointer("text", "types", detail=_text(given.get("text")))


def _keys(how: str) -> Callable[[Mapping[str, Any]], Pointer]:
    def draw(given: Mapping[str, Any]) -> Pointer:
        keys = given.get("keys", given.get("key"))
        listed = [_text(key) for key in keys] if isinstance(keys, list) else [_text(keys)]
        return Pointer("keys", how, detail=("+" if how == "hotkey" else " ").join(listed))

    return draw


def _wait(given: Mapping[str, Any]) -> Pointer:
    seconds = given.get("duration_s")
    return Pointer("wait", f"waits {seconds:g} s" if _is_number(seconds) else "waits")


def _other(given: Mapping[str, Any]) -> Pointer:
    return Pointer("other", _text(given.get("type")), _points(given, "x", "y"))


_DRAWN: Mapping[str, Callable[[Mapping[str, Any]], Pointer]] = {
    "click": _click,
    "drag": _drag,
    "move": _move,
    "scroll": _scroll,
    "type": _type,
    "press": _keys("presses"),
    "hotkey": _keys("hotkey"),
    "key_down": _keys("holds down"),
    "key_up": _keys("lets go of"),
    "wait": _wait,
}


def _points(given: Mapping[str, Any], *names: str) -> tuple[float, ...]:
    values = [given.get(name) for name in names]
    return tuple(values) if all(_is_number(value) for value in values) else ()  # type: ignore[arg-type]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6


def _text(value: Any) -> str:
    return escape(str(value))[:_LONGEST]
