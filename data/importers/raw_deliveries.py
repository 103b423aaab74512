"""Raw deliveries of AgentHorizon's construction: a JSON array of recordings with their pair links.

{"deliverable_id": "…", "messages": [{"role": "user", "content": "…"}, {"role": "assistant", "reasoning": {"process":
 [{"events": [{"tool_calls": [{"type": "click", "function": {"arguments": {"x": 12, "y": 40, "text": "left-click"}},
 "image": {"url": "…"}, "step_id": 0, "timestamp_microsecs": "0"}]}]}]}}], "notes": {"os": "ubuntu", …}}

Pictures at web addresses are looked for at images/<deliverable_id>/step_<step_id>.<ext>; nothing is fetched. Written
after a description of the files.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from agenthorizon.dataset.pair_link import CHILD_SHOWN, PARENT_SHOWN, PairLink
from agenthorizon.dataset.screenshots import address_parts
from agenthorizon.importer import Frame, Notes, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.keys import chord, key_name
from agenthorizon.importing.recorded import done, listed, mapping, objects, text, unknown
from agenthorizon.importing.timeline import Done, Timeline

_SYSTEMS = {"windows": "windows", "linux": "linux", "ubuntu": "linux", "macos": "macos", "mac": "macos"}
_EPOCH = 10**14
"""Microseconds: a first time beyond three years is a date, not a time since the recording's start."""


class RawDeliveries:
    """Reads delivery files."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a deliverable."""
        for source in sources:
            for path in source.files("*.json"):
                for position, delivery in enumerate(objects(source.json(path, notes))):
                    if isinstance(delivery.get("messages"), list):
                        key = text(delivery.get("deliverable_id")) or f"{source.name(path)}#{position}"
                        yield _recording(source, path, key, delivery)


def _recording(source: SourceFolder, path: Path, key: str, delivery: dict[str, Any]) -> Recording:
    calls = _calls(delivery)
    times = [int(str(call.get("timestamp_microsecs"))) if _is_time(call) else None for call in calls]
    start = next((time for time in times if time is not None), 0)
    line = Timeline()
    for call, time in zip(calls, times, strict=True):
        at = time if time is None or start < _EPOCH else time - start
        line.see(_frame(source, path, key, call), at)
        line.do([_translated(call)], at)
    notes = mapping(delivery.get("notes"))
    return Recording(
        key=key,
        instruction=_instruction(delivery),
        steps=line.steps(),
        os=_SYSTEMS.get(str(notes.get("os")).strip().lower()),
        task=_task(notes),
        extra=_milestones(notes, calls),
        kept={name: notes.get(name) for name in ("os", "trajectory_type", "trajectory_scenario")},
        pair=_pair(key, notes),
    )


def _calls(delivery: dict[str, Any]) -> list[dict[str, Any]]:
    assistant = [message for message in objects(delivery["messages"]) if message.get("role") == "assistant"]
    process = [item for message in assistant for item in objects(mapping(message.get("reasoning")).get("process"))]
    events = [event for item in process for event in objects(item.get("events"))]
    return [call for event in events for call in objects(event.get("tool_calls"))]


def _is_time(call: dict[str, Any]) -> bool:
    time = str(call.get("timestamp_microsecs"))
    return time.isascii() and time.isdigit() and len(time) < 20


def _instruction(delivery: dict[str, Any]) -> str | None:
    users = [message for message in objects(delivery["messages"]) if message.get("role") == "user"]
    return next((found for message in users if (found := text(message.get("content")))), None)


def _frame(source: SourceFolder, path: Path, key: str, call: dict[str, Any]) -> Frame | None:
    url = text(mapping(call.get("image")).get("url"))
    if url is None:
        return None
    ending = PurePosixPath(address_parts(url).path).suffix or ".png"
    downloaded = source.frame(f"images/{key}/step_{call.get('step_id')}{ending}", path.parent)
    return source.frame(url, path.parent) if downloaded.fault else downloaded


def _translated(call: dict[str, Any]) -> Done:
    kind, given = str(call.get("type")), mapping(mapping(call.get("function")).get("arguments"))
    original = {"type": kind, "arguments": given}
    x, y, words = given.get("x"), given.get("y"), given.get("text")
    if kind in ("click", "doubleClick"):
        button = "right" if "right" in str(words) else "middle" if "middle" in str(words) else "left"
        clicks = given.get("numClicks", 2 if kind == "doubleClick" else 1)
        return done("click", original, x=x, y=y, button=button, num_clicks=clicks)
    if kind == "scroll":
        place = {"x": given.get("scrollX"), "y": given.get("scrollY")}
        way, amount = given.get("scrollDirection"), given.get("totalScrollDistance")
        return done("scroll", original, **place, direction=way, amount=amount)
    if kind == "dragFromTo":
        return done("drag", original, start_x=x, start_y=y, end_x=given.get("xEnd"), end_y=given.get("yEnd"))
    if kind == "drag":
        return done("drag", original, end_x=x, end_y=y)
    return _typed(kind, words, original)


def _typed(kind: str, words: Any, original: dict[str, Any]) -> Done:
    if isinstance(words, str):
        if kind == "typing":
            return done("type", original, text=words)
        if kind in ("press", "hotkey"):
            return done(kind, original, keys=chord(words) if kind == "hotkey" else [key_name(words)])
        if kind in ("keyDown", "keyUp"):
            return done("key_down" if kind == "keyDown" else "key_up", original, key=key_name(words))
    given = original["arguments"]
    return done(original["type"], original, **given) if original["type"] != "None" else unknown(original)


def _task(notes: dict[str, Any]) -> dict[str, Any]:
    first = next(iter(objects(notes.get("task_category_list"))), {})
    return {
        "category": first.get("category"),
        "subcategory": first.get("subcategory"),
        "task_type": notes.get("task_type"),
        "applications": listed(notes.get("application_names")),
    }


def _milestones(notes: dict[str, Any], calls: list[dict[str, Any]]) -> dict[str, Any]:
    """Milestones name the source's step ids; the record's count from 0."""
    places = {str(call.get("step_id")): place for place, call in enumerate(calls)}
    milestones = [
        {"step_id": places.get(str(one.get("step_id")), one.get("step_id")), "description": one.get("task_subgoal")}
        for one in objects(notes.get("milestones"))
    ]
    return {"milestones": milestones} if milestones else {}


def _pair(child: str, notes: dict[str, Any]) -> PairLink | None:
    parent = text(notes.get("paired_task_id"))
    if parent is None:
        return None
    types = {
        CHILD_SHOWN: text(notes.get("mistake_type_inst2_demo_1")),
        PARENT_SHOWN: text(notes.get("mistake_type_inst1_demo_2")),
    }
    return PairLink(parent, child, {direction: kind for direction, kind in types.items() if kind is not None})
