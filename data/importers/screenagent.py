"""ScreenAgent sessions: one JSON per model call, one picture each, taken before the call's actions.

session2/2023-12-18_00-18-04-338902_translate.json     session2/images/2023-12-18_00-18-04-338902.jpg
{"session_id": "session2", "task_prompt_en": "Open Task Manager", "video_width": 1024, "video_height": 768,
 "saved_image_name": "2023-12-18_00-18-04-338902.jpg", "actions": [{"action_type": "MouseAction",
 "mouse_action_type": "click", "mouse_button": "right", "mouse_position": {"width": 666, "height": 754}}]}

"width" is x and "height" is y. What the planner and the evaluator said would tell the verdict: it stays out.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from agenthorizon.importer import Notes, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.keys import chord, key_name
from agenthorizon.importing.recorded import Clock, done, mapping, objects, pair, text, unknown
from agenthorizon.importing.scale import is_number
from agenthorizon.importing.timeline import Done, Timeline

_STAMP = "%Y-%m-%d_%H-%M-%S-%f"
_SYNTHETIC = ("_neg_plan", "_neg_eval")
_SILENT = ("PlanAction", "EvaluateSubTaskAction")
_SYSTEM = re.compile(r"familiar with the (\w+) operating system")


class ScreenAgent:
    """Reads session folders."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a session; augmented copies (`*_neg_plan`, `*_neg_eval`) are left out by their name."""
        for source in sources:
            paths = source.files("*_translate.json", "*_translate_neg_*.json")
            for folder, found in groupby(paths, key=lambda path: path.parent):
                calls = [path for path in found if not path.stem.endswith(_SYNTHETIC)]
                yield _session(source, folder, calls, notes)


def _session(source: SourceFolder, folder: Path, paths: list[Path], notes: Notes) -> Recording:
    line, clock = Timeline(), Clock(_STAMP)
    first: dict[str, Any] = {}
    said: list[Any] = []
    for path in sorted(paths, key=lambda path: path.name):
        call = mapping(source.json(path, notes))
        first = first or call
        if name := text(call.get("saved_image_name")):
            line.see(source.frame(f"images/{name}", folder), clock.microseconds(path.name.split("_translate")[0]))
        actions = objects(call.get("actions"))
        line.do(_translated(action) for action in actions if action.get("action_type") not in _SILENT)
        said += [action for action in actions if action.get("action_type") in _SILENT]
    system = _SYSTEM.search(text(first.get("send_prompt_en")) or "")
    kept = {
        "session_id": first.get("session_id"),
        "task_prompt": first.get("task_prompt"),
        "planner_and_evaluator": said,
    }
    return Recording(
        key=source.name(folder),
        instruction=text(first.get("task_prompt_en")) or text(first.get("task_prompt")),
        steps=line.steps(),
        screen_resolution=pair([first.get("video_width"), first.get("video_height")]),
        # The prompt names a system, but Linux on Windows screens too: no fact to write into a record.
        kept={**kept, "system_in_prompt": system[1] if system else None},
    )


def _translated(action: dict[str, Any]) -> Done:
    kind = action.get("action_type")
    if kind == "MouseAction":
        return _mouse(action)
    if kind == "KeyboardAction":
        return _keyboard(action)
    if kind == "WaitAction" and is_number(action.get("wait_time")):
        return done("wait", action, duration_s=action["wait_time"])
    return unknown(action)


def _mouse(action: dict[str, Any]) -> Done:
    kind = str(action.get("mouse_action_type"))
    position = mapping(action.get("mouse_position"))
    x, y = position.get("width"), position.get("height")
    button = action.get("mouse_button")
    if kind in ("click", "double_click"):
        return done("click", action, x=x, y=y, button=button or "left", num_clicks=2 if kind == "double_click" else 1)
    if kind in ("scroll_up", "scroll_down"):
        direction = kind.removeprefix("scroll_")
        return done("scroll", action, direction=direction, amount=action.get("scroll_repeat"), unit="notches")
    if kind == "drag":
        return done("drag", action, end_x=x, end_y=y, button=None if button == "left" else button)
    if kind == "move":
        return done("move", action, x=x, y=y)
    if kind in ("down", "up"):
        return done(f"mouse_{kind}", action, x=x, y=y, button=button or "left")
    return unknown(action)


def _keyboard(action: dict[str, Any]) -> Done:
    kind, key = action.get("keyboard_action_type"), action.get("keyboard_key")
    if kind == "text" and isinstance(action.get("keyboard_text"), str):
        return done("type", action, text=action["keyboard_text"])
    if kind == "press" and isinstance(key, list) and key and all(isinstance(name, str) for name in key):
        return done("hotkey" if len(key) > 1 else "press", action, keys=[key_name(name) for name in key])
    if kind == "press" and isinstance(key, str) and key:
        keys = chord(key)
        return done("hotkey" if len(keys) > 1 else "press", action, keys=keys)
    return unknown(action)
