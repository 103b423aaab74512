"""A step as it grows, and which two steps in a row are one: letters a text, clicks a double click, notches a scroll."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agenthorizon.recording.frames import Frame
from agenthorizon.task import Action

TYPING_PAUSE_S = 5.0
"""A text after a longer pause is a step of its own, with the frame that was looked at meanwhile."""
SAME_KEY_S = 0.5
"""Enter pressed again within this time belongs to the same step."""
DOUBLE_CLICK_S, DOUBLE_CLICK_PX = 0.4, 5
"""Between two presses of the button, as desktops have it."""
MOST_CLICKS = 3
SCROLL_PAUSE_S, SCROLL_PX = 1.0, 50
"""A hand that turns the wheel drifts."""


@dataclass(frozen=True)
class Step:
    """What was done, since when, and what the screen showed before."""

    action: Action
    at: float
    """When it began, in seconds of the monotonic clock."""
    frame: Frame | None
    last: float
    """When its last key, click or notch was."""
    hold: int = 0
    """Steps with the same number were done during one holding of the same modifiers; 0 is none."""
    is_marked: bool = False
    """Whether it was done in a marked moment; what it types is a placeholder then."""


def step(kind: str, at: float, frame: Frame | None, **parameters: Any) -> Step:
    """Make a step of one event."""
    return Step(Action(type=kind, parameters=parameters), at, frame, at)


def joined(one: Step, other: Step) -> Step | None:
    """Return two steps in a row as one; None if they are two."""
    join = _JOINS.get(one.action.type)
    if join is None or one.action.type != other.action.type:
        return None
    parameters = join(one, other)
    if parameters is None:
        return None
    return replace(one, action=Action(type=one.action.type, parameters=parameters), last=other.last)


Parameters = dict[str, Any]


def _texts(one: Step, other: Step) -> Parameters | None:
    if one.is_marked or other.is_marked:
        return one.action.parameters if one.is_marked and other.is_marked else None
    if other.at - one.last > TYPING_PAUSE_S:
        return None
    return {"text": one.action.parameters["text"] + other.action.parameters["text"]}


def _presses(one: Step, other: Step) -> Parameters | None:
    keys, more = one.action.parameters["keys"], other.action.parameters["keys"]
    return {"keys": keys + more} if {*keys} == {*more} and other.at - one.last <= SAME_KEY_S else None


def _hotkeys(one: Step, other: Step) -> Parameters | None:
    """Alt held while Tab is pressed twice goes to another window than Alt+Tab done twice."""
    keys, more = one.action.parameters["keys"], other.action.parameters["keys"]
    is_switching = one.hold == other.hold != 0 and more[-1] == "tab" and keys[: len(more)] == more
    return {"keys": [*keys, "tab"]} if is_switching else None


def _clicks(one: Step, other: Step) -> Parameters | None:
    first, second = one.action.parameters, other.action.parameters
    is_near = _distance(first, second) < DOUBLE_CLICK_PX and first["button"] == second["button"]
    if not is_near or other.at - one.last >= DOUBLE_CLICK_S or first["num_clicks"] == MOST_CLICKS:
        return None
    return {**first, "num_clicks": first["num_clicks"] + 1}


def _scrolls(one: Step, other: Step) -> Parameters | None:
    first, second = one.action.parameters, other.action.parameters
    is_near = _distance(first, second) <= SCROLL_PX and first["direction"] == second["direction"]
    if not is_near or other.at - one.last > SCROLL_PAUSE_S:
        return None
    return {**first, "amount": first["amount"] + second["amount"]}


def _distance(one: Parameters, other: Parameters) -> int:
    """Return how far apart two points are, along the axis where it is more."""
    return int(max(abs(one["x"] - other["x"]), abs(one["y"] - other["y"])))


_JOINS: dict[str, Callable[[Step, Step], Parameters | None]] = {
    "type": _texts,
    "press": _presses,
    "hotkey": _hotkeys,
    "click": _clicks,
    "scroll": _scrolls,
}
