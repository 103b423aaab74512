"""Writes tasks in release layout so that nothing beside the answer files can tell a judge the answer.

Ids and folders are opaque, every file has one and the same time, PNG files lose what is not picture, and of a record
only what says where and with what was worked is kept: milestones, thoughts and the recorder's descriptions tell what
was done for which instruction, so they stay with the recordings.
"""

import os
from contextlib import closing
from pathlib import Path
from typing import Any

from agenthorizon.case import FULL_SIZE
from agenthorizon.construction import png
from agenthorizon.construction.candidates import Candidate
from agenthorizon.construction.opaque import OpaqueNames
from agenthorizon.construction.pictures import facts_in
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.schema import VERSION
from agenthorizon.dataset.screenshots import NO_SCREENSHOT, Screenshot
from agenthorizon.evidence import images
from agenthorizon.evidence.blind import build_case
from agenthorizon.evidence.markdown import render
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.evidence.png import SIGNATURE
from agenthorizon.files.jsonlines import to_json_text
from agenthorizon.task import Step, Task

KEPT_TASK_FIELDS = ("category", "subcategory", "task_type", "applications")
FILE_TIME = 1_577_836_800
"""Time of every file written: 2020-01-01 00:00 UTC."""

_IMAGES = Path("data", "media", "images")


class ReleaseWriter:
    """Writes recordings' screenshots and tasks below one folder."""

    def __init__(self, root: Path, recordings: Bench, names: OpaqueNames) -> None:
        self.embedded = 0
        """Screenshots whose texts could not be taken out."""
        self._root = root
        self._recordings = recordings
        self._names = names
        self._shown: dict[str, tuple[Task, list[str | None]]] = {}
        for folder in ("jsons", "markdowns"):
            (root / "sandbox" / "data" / folder).mkdir(parents=True, exist_ok=True)

    def add_recording(self, recording: str) -> None:
        """Copy a recording's screenshots, numbered from 1 in the order of the steps that show them first."""
        task = self._recordings[recording]
        written: dict[Path, str] = {}
        names: list[str | None] = []
        folder = _IMAGES / self._names.folder(recording)
        for shot in self._recordings.screenshots(task):
            if shot.path and shot.path not in written:
                name = (folder / f"step_{len(written) + 1}{shot.path.suffix.lower()}").as_posix()
                self._copy(shot.path, self._root / "sandbox" / name)
                written[shot.path] = name
            names.append(written[shot.path] if shot.path else None)
        self._shown[recording] = task, names

    def _copy(self, source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        data = images.file_bytes(source)
        carries = facts_in(data, source.name, decode=False).embedded
        if carries and data.startswith(SIGNATURE):
            data = png.stripped(data)
        else:
            self.embedded += bool(carries)
        target.write_bytes(data)
        _same_time(target)

    def add_task(self, candidate: Candidate) -> Label:
        """Write one task's JSON and Markdown and return its label."""
        recorded, names = self._shown[candidate.recording]
        task_id = self._names.task(candidate)
        task = Task(
            id=task_id,
            instruction=self._recordings[candidate.instruction_of].instruction,
            trajectory=recorded.trajectory.model_copy(
                update={
                    "steps": tuple(
                        _blind(step, name) for step, name in zip(recorded.trajectory.steps, names, strict=True)
                    )
                }
            ),
            metadata={"version": VERSION, "task": _kept(recorded)},
        )
        self._write(f"jsons/{task_id}.json", to_json_text(task.to_record()))
        self._write(f"markdowns/{task_id}.md", self._page(task, names))
        return self._label(task_id, candidate)

    def _page(self, task: Task, names: list[str | None]) -> str:
        shots = [Screenshot(str(self._root / "sandbox" / name)) if name else NO_SCREENSHOT for name in names]
        with closing(Pictures()) as pictures:
            case = build_case(task, shots, FULL_SIZE, "", pictures).case
            return render(case, lambda step: f"./{names[step.number - 1]}")

    def _write(self, name: str, text: str) -> None:
        path = self._root / "sandbox" / "data" / name
        path.write_text(text, "utf-8")
        _same_time(path)

    def _label(self, task_id: str, candidate: Candidate) -> Label:
        swap = {"negative_source": candidate.direction, "mistake_type": candidate.mistake_type}
        return Label(
            trajectory_id=task_id,
            label="positive" if candidate.is_positive else "negative",
            original_id=candidate.recording,
            **({"paired_id": candidate.paired} if candidate.paired else {}),
            **{key: value for key, value in swap.items() if value is not None},
            pair_group_id=self._names.group(candidate.group),
        )


def _blind(step: Step, screenshot: str | None) -> Step:
    return Step(
        step_id=step.step_id,
        screenshot=f"./{screenshot}" if screenshot else None,
        action=step.action,
        timestamp_us=step.timestamp_us,
    )


def _kept(task: Task) -> dict[str, Any]:
    return {name: value for name in KEPT_TASK_FIELDS if (value := task.field(name)) is not None}


def _same_time(path: Path) -> None:
    os.utime(path, (FILE_TIME, FILE_TIME))
