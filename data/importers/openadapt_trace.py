"""OpenAdapt Evals traces: a README.md that tells the steps in words, and step_NN.png taken AFTER step NN.

### Step 2
**Planner**: Click the Notepad icon in the Start menu
**Grounder**: [442, 386, 491, 472] (Notepad icon in pinned apps)
**Result**: Notepad launched
![Step 2](step_02.png)

The grounder's box counts 0 to 1000 of the screen; the click goes to its middle. Results are words about success.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agenthorizon.importer import Frame, Notes, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.pyautogui_code import translate
from agenthorizon.importing.recorded import done, unknown
from agenthorizon.importing.scale import Scale
from agenthorizon.importing.timeline import Done, Timeline

_TITLE = re.compile(r"^# Execution Trace: *(.+)$", re.MULTILINE)
_STEP = re.compile(r"^### Step (\d+)[^\n]*\n(.*?)(?=^#{1,3} |\Z)", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\*\*([\w ]+)\*\*: *(.+)$", re.MULTILINE)
_HEAD = re.compile(r"^> ([\w ]+): *(.+)$", re.MULTILINE)
_PICTURE = re.compile(r"^!\[[^\]]*\]\(([^)]+)\)", re.MULTILINE)
_BOX = re.compile(r"\[(\d+), *(\d+), *(\d+), *(\d+)\]")
_CODE = re.compile(r"`([^`]+)`")
_CLICKS = {"click": ("left", 1), "double-click": ("left", 2), "right-click": ("right", 1)}


class OpenAdaptTrace:
    """Reads trace folders."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a README.md with such a title."""
        for source in sources:
            for path in source.files("README.md"):
                words = source.text(path, notes)
                if title := _TITLE.search(words):
                    yield _recording(source, path, title[1].strip(), words)


def _recording(source: SourceFolder, path: Path, instruction: str, words: str) -> Recording:
    line = Timeline()
    told = []
    for _, body in _STEP.findall(words):
        fields = {name.lower(): value.strip() for name, value in _FIELD.findall(body)}
        picture = _PICTURE.search(body)
        frame = source.frame(picture[1], path.parent) if picture else None
        line.do(_translated(fields, frame))
        line.see(frame)
        told.append(fields)
    return Recording(
        key=source.name(path.parent),
        instruction=instruction,
        steps=line.steps(),
        kept={"head": dict(_HEAD.findall(words)), "steps": told},
    )


def _translated(fields: dict[str, Any], frame: Frame | None) -> list[Done]:
    """The frame lends its size alone: a trace's pictures are all of one screen."""
    planned = fields.get("planner", "")
    if "action" in fields and (code := _CODE.search(fields["action"])):
        return translate(code[1])
    box = _BOX.search(fields.get("grounder", ""))
    clicks = _CLICKS.get(planned.split(" ")[0].lower())
    if box and clicks:
        left, top, right, bottom = (int(edge) for edge in box.groups())
        scale = Scale(1000, frame.size if frame else None)
        x, y = scale.x((left + right) / 2), scale.y((top + bottom) / 2)
        original = {"planner": planned, "grounder": fields["grounder"]}
        return [done("click", original, x=x, y=y, unit=scale.unit, button=clicks[0], num_clicks=clicks[1])]
    return [unknown(planned)] if planned else []
