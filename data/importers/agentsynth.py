"""AgentSynth: one JSON per task, with arrays of arrays: `[i][j]` is step j of subtask i.

{"task_id": "…", "summary_task": "…", "persona": "…", "thoughts": [["…"]], "actions": [["click the icon", "DONE"]],
 "commands": [["pyautogui.click(66, 559)"]], "screenshots": [["<base64 PNG or a file's name>"]]}

A screenshot shows the screen after its command, so there is none before the first. Two files with one task_id and the
same commands are one recording under two instructions: they share their pictures. Written after a description.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from agenthorizon.importer import Frame, Notes, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.pictures import picture_text
from agenthorizon.importing.pyautogui_code import translate
from agenthorizon.importing.recorded import listed, mapping, text
from agenthorizon.importing.timeline import Timeline

_LONGEST_NAME = 255
"""Characters of a file's name at most; a longer text is a picture."""
_LEFT_OUT = ("thoughts", "actions", "done", "task_history", "info_history", "task_levels")


class AgentSynth:
    """Reads task files."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a file."""
        for source in sources:
            for path in source.files("*.json"):
                value = mapping(source.json(path, notes))
                if isinstance(value.get("commands"), list) and "summary_task" in value:
                    yield _recording(source, path, value)


def _recording(source: SourceFolder, path: Path, value: dict[str, Any]) -> Recording:
    line = Timeline()
    subtasks: Iterable[tuple[Any, Any]] = zip_longest(
        listed(value["commands"]), listed(value.get("screenshots")), fillvalue=[]
    )
    for number, (commands, shots) in enumerate(subtasks):
        for position, (command, shot) in enumerate(zip_longest(listed(commands), listed(shots))):
            if isinstance(command, str):
                line.do(translate(command))
            line.see(_frame(source, path, shot, f"{path.name}#{number},{position}"))
    content = json.dumps([value.get("task_id"), value["commands"], value.get("screenshots")])
    return Recording(
        key=source.name(path),
        instruction=text(value.get("summary_task")),
        steps=line.steps(),
        task={"persona": value["persona"]} if text(value.get("persona")) else {},
        kept={"task_id": value.get("task_id"), "claims": line.claims}
        | {name: value[name] for name in _LEFT_OUT if name in value},
        pictures=hashlib.sha256(content.encode()).hexdigest(),
    )


def _frame(source: SourceFolder, path: Path, shot: Any, name: str) -> Frame | None:
    if not isinstance(shot, str) or not shot.strip():
        return None
    if len(shot) <= _LONGEST_NAME and not shot.startswith("data:"):
        return source.frame(shot, path.parent)
    return picture_text(shot, name)
