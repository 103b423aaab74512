"""Actions given as a name and parameters (OSWorld's `computer_13` space) → actions of the schema.

{"action_type": "CLICK", "parameters": {"x": 960, "y": 540, "button": "left", "num_clicks": 2}}
"""

from typing import Any

from agenthorizon.importing.keys import key_name
from agenthorizon.importing.pyautogui_code import translate
from agenthorizon.importing.recorded import done, mapping, unknown
from agenthorizon.importing.scale import is_number
from agenthorizon.importing.timeline import TERMINATE, Done

_CLICKS = {"CLICK": ("left", 1), "RIGHT_CLICK": ("right", 1), "DOUBLE_CLICK": ("left", 2)}
_KEYS = {"KEY_DOWN": "key_down", "KEY_UP": "key_up"}


def translate_named(action: dict[str, Any]) -> list[Done]:
    """Return the actions of one object; one that carries PyAutoGUI code as `command` or `code` is read from there."""
    code = action.get("command", action.get("code"))
    if isinstance(code, str) and code.strip():
        return translate(code)
    name = str(action.get("action_type", action.get("action", "")))
    given = action["parameters"] if isinstance(action.get("parameters"), dict) else action
    return _named(name.upper(), mapping(given), action) or [unknown(action)]


def _named(name: str, given: dict[str, Any], action: dict[str, Any]) -> list[Done]:
    x, y = given.get("x"), given.get("y")
    if name in _CLICKS:
        button, count = _CLICKS[name]
        clicks = given.get("num_clicks", count)
        return [done("click", action, x=x, y=y, button=given.get("button", button), num_clicks=clicks)]
    if name in ("MOUSE_DOWN", "MOUSE_UP"):
        return [done(name.lower(), action, x=x, y=y, button=given.get("button", "left"))]
    if name == "MOVE_TO":
        return [done("move", action, x=x, y=y)]
    if name == "DRAG_TO":
        return [done("drag", action, end_x=x, end_y=y)]
    if name == "SCROLL":
        return _scroll(given, action)
    return _typed(name, given, action)


def _typed(name: str, given: dict[str, Any], action: dict[str, Any]) -> list[Done]:
    key, keys = given.get("key"), given.get("keys")
    if name == "TYPING" and isinstance(given.get("text"), str):
        return [done("type", action, text=given["text"])]
    if name == "PRESS" and isinstance(key, str):
        return [done("press", action, keys=[key_name(key)])]
    if name in _KEYS and isinstance(key, str):
        return [done(_KEYS[name], action, key=key_name(key))]
    if name == "HOTKEY" and isinstance(keys, list) and all(isinstance(one, str) for one in keys):
        return [done("hotkey", action, keys=[key_name(one) for one in keys])]
    if name == "WAIT":
        return [done("wait", action, duration_s=given.get("duration"))]
    return [done(TERMINATE, action, status=name)] if name in ("DONE", "FAIL") else []


def _scroll(given: dict[str, Any], action: dict[str, Any]) -> list[Done]:
    """Distances are clicks of the wheel; up and right are positive."""
    dx, dy = given.get("dx", 0), given.get("dy", 0)
    if not is_number(dx) or not is_number(dy):
        return []
    ways = [("up" if dy > 0 else "down", abs(dy))] if dy or not dx else []
    ways += [("right" if dx > 0 else "left", abs(dx))] if dx else []
    return [done("scroll", action, direction=way, amount=amount, unit="clicks") for way, amount in ways]
