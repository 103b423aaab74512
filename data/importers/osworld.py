"""OSWorld results: `…/<domain>/<task id>/traj.jsonl`, step_N_TIME.png, result.txt; instructions lie elsewhere.

{"step_num": 1, "action_timestamp": "20250828@211645", "action": "pyautogui.click(960, 540)", "response": "…",
 "reward": 0, "done": false, "info": {}, "screenshot_file": "step_1_20250828@211645.png"}

Give the results and `evaluation_examples` as two SOURCEs: `examples/<domain>/<task id>.json` has the instruction.
A picture was taken AFTER its step, so there is none before the first. Written after a description of the files.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from agenthorizon.importer import Notes, RecordedAnswer, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.named_actions import translate_named
from agenthorizon.importing.pyautogui_code import translate
from agenthorizon.importing.recorded import Clock, listed, mapping, text, unknown
from agenthorizon.importing.timeline import Done, Timeline

_LABELS: dict[float, Literal["positive", "negative"]] = {0.0: "negative", 1.0: "positive"}
_LEFT_OUT = ("response", "reward", "done", "info")


class OSWorld:
    """Reads result folders of any depth."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a traj.jsonl."""
        runs = [(source, path.parent) for source in sources for path in source.files("traj.jsonl")]
        examples = _examples(sources, {folder.name for _, folder in runs}, notes)
        for source, folder in runs:
            attempts, score = _attempts(source, folder, notes), _score(source, folder, notes)
            yield _recording(source, folder, attempts, examples.get(folder.name, {}), score)


def _examples(sources: Sequence[SourceFolder], ids: set[str], notes: Notes) -> dict[str, dict[str, Any]]:
    """Find the task files of the results, by their names."""
    found = {}
    for source in sources:
        for path in source.files("*.json"):
            if path.stem in ids and text((example := mapping(source.json(path, notes))).get("instruction")):
                found[path.stem] = example
    return found


def _attempts(source: SourceFolder, folder: Path, notes: Notes) -> list[list[dict[str, Any]]]:
    """Return the lines by attempt: a line that stands twice is one, and numbering that falls begins anew."""
    name, seen = source.name(folder / "traj.jsonl"), set()
    attempts: list[list[dict[str, Any]]] = [[]]
    for line in source.lines(folder / "traj.jsonl", notes):
        words = json.dumps(line.value, sort_keys=True)
        if words in seen:
            notes.add("repeated_line", name, "left out", line=line.number)
            continue
        seen.add(words)
        if attempts[-1] and _number(line.value) < _number(attempts[-1][-1]):
            detail = f"{len(attempts[-1])} lines before this one stand in the sources file alone"
            notes.add("earlier_attempt", name, detail, line=line.number)
            attempts.append([])
        attempts[-1].append(line.value)
    return attempts


def _number(line: dict[str, Any]) -> float:
    number = line.get("step_num")
    return number if isinstance(number, int) else float("inf")


def _recording(
    source: SourceFolder,
    folder: Path,
    attempts: list[list[dict[str, Any]]],
    example: dict[str, Any],
    score: float | None,
) -> Recording:
    """The last attempt is the one that the score is of."""
    lines = attempts[-1]
    line, clock = Timeline(), Clock("%Y%m%d@%H%M%S", "%Y%m%d@%H%M%S%f")
    for position, entry in enumerate(lines):
        line.do(_translated(entry.get("action")), clock.microseconds(entry.get("action_timestamp")))
        shot = text(entry.get("screenshot_file"))
        following = lines[position + 1].get("screenshot_file") if position + 1 < len(lines) else None
        if shot and shot != following:  # one picture after several actions shows what the last of them did
            line.see(source.frame(shot, folder))
    label = None if score is None else _LABELS.get(score)
    return Recording(
        key=source.name(folder),
        instruction=text(example.get("instruction")),
        steps=line.steps(),
        task={"category": folder.parent.name, "applications": listed(example.get("related_apps"))},
        answer=RecordedAnswer(label, score) if label else None,
        kept={
            "score": score,
            "claims": line.claims,
            "earlier_attempts": attempts[:-1],
            "steps": [{name: entry[name] for name in _LEFT_OUT if name in entry} for entry in lines],
        },
    )


def _translated(action: Any) -> list[Done]:
    if isinstance(action, str):
        return translate(action)
    if isinstance(action, dict):
        return translate_named(action)
    return [] if action is None else [unknown(action)]


def _score(source: SourceFolder, folder: Path, notes: Notes) -> float | None:
    path = folder / "result.txt"
    try:
        return float(source.text(path, notes)) if path in source.inside(folder) else None
    except ValueError:
        return None
