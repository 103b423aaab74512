"""PC-Agent recordings: one JSONL per task, actions as short texts; a Markdown page alone holds the instruction.

{"timestamp": "2024-11-26_16:15:24", "action": "click (407, 275)", "screenshot": "screenshot/20241126_161524_3.png",
 "element": "Blank Presentation", "rect": {…}, "marked_screenshot": "screenshot/20241126_161524_3_marked.png"}

Pictures were taken before the action. In the marked ones the target is drawn: those are never used.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agenthorizon.importer import Notes, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.recorded import Clock, done, text, unknown
from agenthorizon.importing.timeline import TERMINATE, Done, Timeline

_DESCRIPTION = re.compile(r"^\*\*Description:\*\*[ \t]*(.+)$", re.MULTILINE)
_LEVEL = re.compile(r"^\*\*Level:\*\*[ \t]*(.+)$", re.MULTILINE)
_CLICK = re.compile(r"(click|double click|right click) \((-?\d+), *(-?\d+)\)")
_TYPE = re.compile(r"type text: (.*)", re.DOTALL)


class PcAgent:
    """Reads `.jsonl` files with their `.md`."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a JSONL."""
        for source in sources:
            for path in source.files("*.jsonl"):
                events = [line.value for line in source.lines(path, notes) if "action" in line.value]
                if events:
                    yield _recording(source, path, events, notes)


def _recording(source: SourceFolder, path: Path, events: list[dict[str, Any]], notes: Notes) -> Recording:
    line, clock = Timeline(), Clock("%Y-%m-%d_%H:%M:%S")
    for event in events:
        if name := text(event.get("screenshot")):
            line.see(source.frame(name, path.parent), clock.microseconds(event.get("timestamp")))
        line.do([_translated(event)])
    page = path.with_suffix(".md")
    words = source.text(page, notes) if page in source.inside(path.parent) else ""
    description, level = _DESCRIPTION.search(words), _LEVEL.search(words)
    return Recording(
        key=source.name(path.with_suffix("")),
        instruction=description[1].strip() if description else None,
        steps=line.steps(),
        kept={
            "level": level[1].strip() if level else None,
            "started": events[0].get("timestamp"),
            "claims": line.claims,
            "marked_screenshots": [event.get("marked_screenshot") for event in events],
        },
    )


def _translated(event: dict[str, Any]) -> Done:
    action = event["action"] if isinstance(event["action"], str) else json.dumps(event["action"])
    original = {key: event[key] for key in ("action", "element", "rect") if event.get(key) is not None}
    if action.strip() in ("finish", "fail"):
        return done(TERMINATE, original, status=action.strip())
    if found := _CLICK.fullmatch(action.strip()):
        button = "right" if found[1] == "right click" else "left"
        count = 2 if found[1] == "double click" else 1
        return done("click", original, x=int(found[2]), y=int(found[3]), button=button, num_clicks=count)
    if found := _TYPE.fullmatch(action):
        return done("type", original, text=found[1])
    return unknown(action)._replace(original=json.dumps(original, ensure_ascii=False))
