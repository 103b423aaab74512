"""PyAutoGUI code → actions of the schema. The code is data: parsed, translated, never run.

    translate("pyautogui.click(x=0.5, y=0.1, clicks=2)", Scale(1, (1280, 720)))
    → click {"x": 640, "y": 72, "button": "left", "num_clicks": 2}

Whatever has no translation becomes one action of type `code` with its text.
"""

from collections.abc import Callable
from typing import Any

from agenthorizon.importing.keys import key_name
from agenthorizon.importing.pointer import DRAG_BY, MOVE_BY
from agenthorizon.importing.python_calls import Call, read_calls
from agenthorizon.importing.scale import PIXELS, Scale, is_number
from agenthorizon.importing.timeline import TERMINATE, Done
from agenthorizon.task import Action

MAX_PRESSES = 1000
"""A longer repeat stays code: a step must not grow without bound."""

_OWNERS = frozenset({"", "pyautogui", "pag", "pg", "computer", "time"})
_WORDS = {"WAIT": ("wait", {"duration_s": None}), "DONE": (TERMINATE, None), "FAIL": (TERMINATE, None)}
_CLICKS = {"click": 1, "leftclick": 1, "rightclick": 1, "middleclick": 1, "doubleclick": 2, "tripleclick": 3}
_AT = ("x", "y")
_BY = ("xOffset", "yOffset")
_NUMBERS = ("x", "y", "xOffset", "yOffset", "clicks", "presses", "seconds")

_Translator = Callable[[Call, Scale], list[Action]]


def translate(code: str, scale: Scale = PIXELS) -> list[Done]:
    """Return the actions of a piece of code, in order, each with its own text.

    The words WAIT, DONE and FAIL of OSWorld agents are taken too.
    """
    word = code.strip()
    if word in _WORDS:
        kind, parameters = _WORDS[word]
        return [Done(Action(type=kind, parameters={"status": word} if parameters is None else parameters), word)]
    return [Done(action, call.text) for call in read_calls(code) for action in _actions(call, scale)]


def _actions(call: Call, scale: Scale) -> list[Action]:
    translator = _translator(call)
    found = translator(call, scale) if translator else []
    return found or [Action(type="code", parameters={"code": call.text})]


def _translator(call: Call) -> _Translator | None:
    if call.owner not in _OWNERS or not call.name:
        return None
    name = call.name.lower().replace("_", "")
    return _click if name in _CLICKS else _TRANSLATORS.get(name)


def _click(call: Call, scale: Scale) -> list[Action]:
    name = call.name.lower().replace("_", "")
    names = (*_AT, "clicks", "interval", "button") if name == "click" else (*_AT, "interval", "button")
    given = _given(call, names)
    if given is None:
        return []
    button = name.removesuffix("click") if name in ("rightclick", "middleclick") else _button(given.get("button"))
    count = int(given.get("clicks", _CLICKS[name]))
    return [Action(type="click", parameters={**_place(given, scale), "button": button, "num_clicks": count})]


def _move_to(call: Call, scale: Scale) -> list[Action]:
    given = _given(call, _AT)
    place = _place(given, scale) if given else {}
    return [Action(type="move", parameters=place)] if "x" in place and "y" in place else []


def _drag_to(call: Call, scale: Scale) -> list[Action]:
    given = _given(call, (*_AT, "duration", "tween", "button"))
    place = _place(given, scale) if given else {}
    if given is None or "x" not in place or "y" not in place:
        return []
    end = {"end_x": place.pop("x"), "end_y": place.pop("y"), **place}
    return [Action(type="drag", parameters={**end, **_other_button(given)})]


def _move_by(call: Call, scale: Scale) -> list[Action]:
    given = _given(call, _BY)
    return [] if given is None else [Action(type=MOVE_BY, parameters=_offset(given, scale))]


def _drag_by(call: Call, scale: Scale) -> list[Action]:
    given = _given(call, (*_BY, "duration", "tween", "button"))
    if given is None:
        return []
    return [Action(type=DRAG_BY, parameters={**_offset(given, scale), **_other_button(given)})]


def _mouse(kind: str) -> _Translator:
    def translator(call: Call, scale: Scale) -> list[Action]:
        given = _given(call, (*_AT, "button"))
        if given is None:
            return []
        return [Action(type=kind, parameters={**_place(given, scale), "button": _button(given.get("button"))})]

    return translator


def _scroll(up: str, down: str) -> _Translator:
    def translator(call: Call, scale: Scale) -> list[Action]:
        given = _given(call, ("clicks", *_AT))
        if given is None or "clicks" not in given:
            return []
        direction = up if given["clicks"] > 0 else down
        # How far one click scrolls is the system's and the program's affair; pixels would be made up.
        amount = {"direction": direction, "amount": abs(given["clicks"]), "unit": "clicks"}
        return [Action(type="scroll", parameters={**_place(given, scale), **amount})]

    return translator


def _write(call: Call, _: Scale) -> list[Action]:
    message = call.bound(("message", "interval")).get("message", call.keywords.get("text"))
    if isinstance(message, list | tuple) and all(isinstance(key, str) for key in message):
        return [Action(type="press", parameters={"keys": [key_name(key) for key in message]})]
    return [Action(type="type", parameters={"text": message})] if isinstance(message, str) else []


def _press(call: Call, _: Scale) -> list[Action]:
    given = _given(call, ("keys", "presses"))
    keys = _keys(given.get("keys", given.get("key")) if given else None)
    if given is None or not keys:
        return []
    return [Action(type="press", parameters={"keys": keys * max(1, int(given.get("presses", 1)))})]


def _hotkey(call: Call, _: Scale) -> list[Action]:
    keys = _keys(call.keywords.get("keys") if not call.args else _flat(call.args))
    return [Action(type="hotkey", parameters={"keys": keys})] if keys else []


def _key(kind: str) -> _Translator:
    def translator(call: Call, _: Scale) -> list[Action]:
        key = call.bound(("key",)).get("key")
        return [Action(type=kind, parameters={"key": key_name(key)})] if isinstance(key, str) else []

    return translator


def _wait(call: Call, _: Scale) -> list[Action]:
    given = _given(call, ("seconds",))
    seconds = next((given[name] for name in ("seconds", "duration", "secs") if name in given), None) if given else None
    return [] if given is None else [Action(type="wait", parameters={"duration_s": seconds})]


def _terminate(call: Call, _: Scale) -> list[Action]:
    return [Action(type=TERMINATE, parameters=call.bound(("status", "answer")))]


_TRANSLATORS: dict[str, _Translator] = {
    "moveto": _move_to,
    "dragto": _drag_to,
    "move": _move_by,
    "moverel": _move_by,
    "drag": _drag_by,
    "dragrel": _drag_by,
    "mousedown": _mouse("mouse_down"),
    "mouseup": _mouse("mouse_up"),
    "scroll": _scroll("up", "down"),
    "vscroll": _scroll("up", "down"),
    "hscroll": _scroll("right", "left"),
    "write": _write,
    "typewrite": _write,
    "press": _press,
    "hotkey": _hotkey,
    "keydown": _key("key_down"),
    "keyup": _key("key_up"),
    "sleep": _wait,
    "wait": _wait,
    "terminate": _terminate,
}


def _given(call: Call, names: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the arguments by name, a leading (x, y) pair taken apart; None when a number is not one."""
    first = call.args[0] if call.args else None
    if isinstance(first, tuple | list) and len(first) == 2 and names[0] in ("x", "xOffset"):
        call = Call(call.text, call.owner, call.name, (*first, *call.args[1:]), call.keywords)
    given = call.bound(names)
    sound = all(is_number(given[name]) for name in _NUMBERS if name in given)
    return given if sound and given.get("presses", 1) <= MAX_PRESSES else None


def _place(given: dict[str, Any], scale: Scale) -> dict[str, Any]:
    place = {"x": scale.x(given["x"])} if "x" in given else {}
    place |= {"y": scale.y(given["y"])} if "y" in given else {}
    return place | {"unit": scale.unit} if place and scale.unit else place


def _offset(given: dict[str, Any], scale: Scale) -> dict[str, Any]:
    offset = {"dx": scale.dx(given.get("xOffset", 0)), "dy": scale.dy(given.get("yOffset", 0))}
    return offset | {"unit": scale.unit} if scale.unit else offset


def _button(recorded: Any) -> str:
    button = str(recorded).lower() if recorded is not None else "left"
    return {"primary": "left", "secondary": "right", "1": "left", "2": "middle", "3": "right"}.get(button, button)


def _other_button(given: dict[str, Any]) -> dict[str, str]:
    button = _button(given.get("button"))
    return {} if button == "left" else {"button": button}


def _keys(recorded: Any) -> list[str]:
    names = [recorded] if isinstance(recorded, str) else recorded
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        return []
    return [key_name(name) for name in names]


def _flat(values: tuple[Any, ...]) -> list[Any]:
    return list(values[0]) if len(values) == 1 and isinstance(values[0], list | tuple) else list(values)
