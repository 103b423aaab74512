"""Online-Mind2Web results: result.json and trajectory/k_full_screenshot.png, one before each action and one at the end.

{"task_id": "fb7b…", "task": "Open the page with …", "action_history": ["<button> -> CLICK"], "thoughts": ["…"],
 "final_result_response": "The page … is open: …"}

Labels: the nearest human_label.json above, `{"fb7b…": 1}` or `[{"task_id": "fb7b…", "human_label": 1}]`; 0 failure,
1 success, 2 not executable, which is no label. The agent's closing words claim success and stay out.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from agenthorizon.importer import Notes, RecordedAnswer, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.recorded import done, listed, mapping, objects, text, unknown
from agenthorizon.importing.timeline import Done, Timeline

_ACTION = re.compile(r"(?P<element>.*) -> (?P<kind>[A-Z_ ]+?)(?:: ?(?P<value>.*))?", re.DOTALL)
_SHOT = re.compile(r"(\d+)_full_screenshot\.\w+")
_LABELS: dict[Any, Literal["positive", "negative"]] = {0: "negative", 1: "positive"}


class OnlineMind2Web:
    """Reads result folders."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a result.json."""
        for source in sources:
            labels = {path.parent: _labels(source, path, notes) for path in source.files("human_label.json")}
            for path in source.files("result.json"):
                result = mapping(source.json(path, notes))
                if isinstance(result.get("action_history"), list):
                    nearest = next((labels[folder] for folder in path.parents if folder in labels), {})
                    yield _recording(source, path.parent, result, nearest)


def _labels(source: SourceFolder, path: Path, notes: Notes) -> dict[str, Any]:
    value = source.json(path, notes)
    return mapping(value) | {str(entry.get("task_id")): entry.get("human_label") for entry in objects(value)}


def _recording(source: SourceFolder, folder: Path, result: dict[str, Any], labels: dict[str, Any]) -> Recording:
    actions = listed(result["action_history"])
    shots = source.inside(folder / "trajectory")
    names = {int(found[1]): path.name for path in shots if (found := _SHOT.fullmatch(path.name))}
    line = Timeline()
    for number in sorted({*range(len(actions) + 1), *names}):  # a file's name is no bound: it may hold any number
        name = names.get(number, f"{number}_full_screenshot.png")
        line.see(source.frame(f"trajectory/{name}", folder))
        if number < len(actions):
            line.do([_translated(actions[number])])
    task_id = text(result.get("task_id")) or folder.name
    stated = labels.get(task_id)
    label = _LABELS.get(stated) if type(stated) is int else None
    return Recording(
        key=source.name(folder),
        instruction=text(result.get("task")),
        steps=line.steps(),
        os="web",
        answer=RecordedAnswer(label, stated) if label else None,
        kept={name: result.get(name) for name in ("thoughts", "final_result_response")} | {"human_label": stated},
    )


def _translated(action: Any) -> Done:
    found = _ACTION.fullmatch(action) if isinstance(action, str) else None
    if found is None:
        return unknown(action)
    kind, element, value = found["kind"].strip().lower(), found["element"].strip(), found["value"]
    if kind == "click":
        return done("click_element", action, element=element)
    if kind == "type" and value is not None:
        return done("type", action, text=value, element=element)
    if kind == "select" and value is not None:
        return done("select_element", action, element=element, value=value)
    return unknown(action)
