"""OpenAdapt Flow: a recording (meta.json, events.jsonl, frames/) or a replayed run (report.json, steps/).

events.jsonl: {"i": 1, "kind": "type", "text": "nurse.demo", "t": 0.595}      frames/0001_before.png, 0001_after.png
report.json:  {"success": false, "params": {"insurance_no": "999000002"}, "results": [{"step_id": "step_001",
 "intent": "type <insurance_no>", "resolution": null, "before_png": "steps/step_001_before.png", "ok": true, …}]}

Neither holds an instruction in words. A run's success and its reasons go to the label and sources files alone.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agenthorizon.importer import Notes, RecordedAnswer, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.keys import chord
from agenthorizon.importing.recorded import done, mapping, objects, pair, text, unknown
from agenthorizon.importing.scale import is_number
from agenthorizon.importing.timeline import Done, Timeline

_TYPED = re.compile(r"type (?:<(?P<name>[^>]+)>|'(?P<text>.*)')", re.DOTALL)
_SCROLLED = re.compile(r"scroll by \((-?\d+), *(-?\d+)\)")
_OUTCOMES = {"VERIFIED": True, "HALTED": False}
_REASONS = ("execution_outcome", "terminal_outcome", "halt", "workflow_name", "started_at", "params")


class OpenAdaptFlow:
    """Reads recording folders and run folders."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield recordings, then runs."""
        for source in sources:
            for path in source.files("events.jsonl"):
                yield _recorded(source, path, notes)
            for path in source.files("report.json"):
                report = mapping(source.json(path, notes))
                if isinstance(report.get("results"), list):
                    yield _run(source, path.parent, report)


def _recorded(source: SourceFolder, path: Path, notes: Notes) -> Recording:
    folder = path.parent
    meta = mapping(source.json(folder / "meta.json", notes))
    line = Timeline()
    for position, event in enumerate(line.value for line in source.lines(path, notes)):
        number = event["i"] if type(event.get("i")) is int else position
        at = round(event["t"] * 1_000_000) if is_number(event.get("t")) else None
        line.see(source.frame(f"frames/{number:04d}_before.png", folder), at)
        line.do(_event(event, mapping(meta.get("params"))), at)
        line.see(source.frame(f"frames/{number:04d}_after.png", folder))
    return Recording(
        key=source.name(folder),
        instruction=None,
        steps=line.steps(),
        os="web",
        screen_resolution=pair(meta.get("viewport")),
        kept={"meta": meta},
    )


def _event(event: dict[str, Any], params: dict[str, Any]) -> list[Done]:
    kind, x, y = event.get("kind"), event.get("x"), event.get("y")
    if kind == "click":
        button, count = event.get("button") or "left", event.get("clicks") or 1
        return [done("click", event, x=x, y=y, button=button, num_clicks=count)]
    if kind == "type":
        words = event.get("text", params.get(str(event.get("param"))))
        return [done("type", event, text=words) if isinstance(words, str) else unknown(event)]
    if kind == "key" and text(event.get("key")):
        return [_pressed(event["key"], event)]
    if kind == "scroll" and is_number(event.get("dx", 0)) and is_number(event.get("dy", 0)):
        return _scrolled(event.get("dx", 0), event.get("dy", 0), event, {"x": x, "y": y})
    return [unknown(event)]


def _pressed(recorded: str, original: Any) -> Done:
    keys = chord(recorded)
    return done("hotkey" if len(keys) > 1 else "press", original, keys=keys)


def _scrolled(dx: float, dy: float, original: Any, place: dict[str, Any]) -> list[Done]:
    """Wheel distances are pixels; down and right are positive."""
    down = [("down" if dy > 0 else "up", abs(dy))] if dy or not dx else []
    right = [("right" if dx > 0 else "left", abs(dx))] if dx else []
    return [done("scroll", original, **place, direction=way, amount=amount) for way, amount in down + right]


def _run(source: SourceFolder, folder: Path, report: dict[str, Any]) -> Recording:
    line = Timeline()
    params = mapping(report.get("params"))
    skipped = []
    for result in objects(report["results"]):
        if result.get("skipped") is True:
            skipped.append(result.get("intent"))
            continue
        if before := text(result.get("before_png")):
            line.see(source.frame(before, folder))
        line.do(_intended(result, params))
        if after := text(result.get("after_png")):
            line.see(source.frame(after, folder))
    reasons = {name: report[name] for name in _REASONS if name in report}
    errors = {result.get("step_id"): result["error"] for result in objects(report["results"]) if result.get("error")}
    return Recording(
        key=source.name(folder),
        instruction=None,
        steps=line.steps(),
        os="web",
        answer=_answer(report),
        kept={**reasons, "errors": errors, "skipped": skipped},
    )


def _answer(report: dict[str, Any]) -> RecordedAnswer | None:
    stated = report.get("success")
    if not isinstance(stated, bool):
        stated = _OUTCOMES.get(str(report.get("execution_outcome")))
    return None if stated is None else RecordedAnswer("positive" if stated else "negative", stated)


def _intended(result: dict[str, Any], params: dict[str, Any]) -> list[Done]:
    """The intent says what was done; where a click went stands in its resolution. Success fields are not touched."""
    intent = str(result.get("intent"))
    point = mapping(result.get("resolution")).get("point")
    original = {"intent": intent, "point": point}
    if intent.startswith("click "):
        element = intent.removeprefix("click ")
        if isinstance(point, list) and len(point) == 2:
            return [done("click", original, x=point[0], y=point[1], button="left", num_clicks=1)]
        return [done("click_element", original, element=element)]
    if found := _TYPED.fullmatch(intent):
        words = params.get(found["name"]) if found["name"] else found["text"]
        return [done("type", original, text=str(words)) if words is not None else unknown(intent)]
    if intent.startswith("press "):
        return [_pressed(intent.removeprefix("press "), original)]
    if found := _SCROLLED.fullmatch(intent):
        return _scrolled(int(found[1]), int(found[2]), original, {})
    return [unknown(intent)]
