"""OpenCUA: AgentNetBench tasks (a JSON each) and the raw examples (JSONL), both with PyAutoGUI code a step.

{"task_id": "…", "user_task_description": "…", "meta_info": {"system": "Windows", "applications": ["Excel"]},
 "steps": [{"step_num": 3, "image": "…png", "action": "pyautogui.click(x=0.31, y=0.02)", "inner_monologue": {…}}]}
{"task_id": "…", "instruction": "…", "traj": [{"index": 0, "image": "…png", "value": {"code": "pyautogui.press(…)"}}]}

Coordinates are 0 to 1 of the picture, which was taken before the action. Written after a description of the files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenthorizon.importer import Frame, Notes, Recording
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.pyautogui_code import translate
from agenthorizon.importing.recorded import listed, mapping, objects, pair, text
from agenthorizon.importing.scale import Scale
from agenthorizon.importing.timeline import Timeline

_SYSTEMS = {"windows": "windows", "darwin": "macos", "macos": "macos", "linux": "linux", "ubuntu": "linux"}
_META = ("domain", "subdomain", "websites", "complexity")


class OpenCUA:
    """Reads `<task_id>.json` files and `.jsonl` files."""

    def recordings(self, sources: Sequence[SourceFolder], notes: Notes) -> Iterator[Recording]:
        """Yield one recording a task."""
        for source in sources:
            for path in source.files("*.json"):
                value = mapping(source.json(path, notes))
                if isinstance(value.get("steps"), list):
                    yield _Task(source, path, value).recording()
            for path in source.files("*.jsonl"):
                for line in source.lines(path, notes):
                    if isinstance(line.value.get("traj"), list):
                        yield _Task(source, path, line.value).recording()


@dataclass(frozen=True)
class _Task:
    source: SourceFolder
    path: Path
    value: dict[str, Any]

    def recording(self) -> Recording:
        """Return the task; what its steps claim of success and what has no field is kept apart."""
        value, meta = self.value, mapping(self.value.get("meta_info"))
        steps = objects(value.get("steps")) or objects(value.get("traj"))
        shots = [self._shot(step) for step in steps]
        size = next((shot.size for shot in shots if shot and shot.size), None) or pair(meta.get("screen_resolution"))
        line = Timeline()
        for step, shot in zip(steps, shots, strict=True):
            line.see(shot)
            scale = Scale(1, (shot.size if shot else None) or size)
            line.do(translate(_code(step), scale))
        return Recording(
            key=text(value.get("task_id")) or self.source.name(self.path),
            instruction=text(value.get("user_task_description")) or text(value.get("instruction")),
            steps=line.steps(),
            os=_SYSTEMS.get(str(meta.get("system")).lower()),
            screen_resolution=size,
            task={"applications": listed(meta.get("applications"))}
            | {name: meta[name] for name in _META if meta.get(name) is not None},
            kept=self._kept(steps, meta) | {"claims": line.claims},
        )

    def _shot(self, step: dict[str, Any]) -> Frame | None:
        name = text(step.get("image"))
        if name is None:
            return None
        beside = self.source.frame(name, self.path.parent)
        return self.source.frame(f"images/{name}", self.path.parent) if beside.fault == "missing_screenshot" else beside

    def _kept(self, steps: list[dict[str, Any]], meta: dict[str, Any]) -> dict[str, Any]:
        left = ("step_num", "index", "milestone", "inner_monologue", "ground_truth_actions", "alternative_options")
        notes = [{name: step[name] for name in left if name in step} for step in steps]
        return {
            "high_level_task_description": self.value.get("high_level_task_description"),
            "meta_info": meta,
            "steps": notes,
        }


def _code(step: dict[str, Any]) -> str:
    value = step.get("action", mapping(step.get("value")).get("code"))
    return value if isinstance(value, str) else ""
