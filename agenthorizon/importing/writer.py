"""Writes imported recordings as a data set: the standard layout, with opaque names and the answers apart.

DIR/trajectories.jsonl      tasks, one a line, in the order of their ids: all that a judge may be shown comes from here
DIR/media/images/<id>/      their pictures, byte for byte, as step_N.png
DIR/labels.jsonl            what the source says about success, where it says so
DIR/sources.jsonl           which id is which recording, pictures' names in the source, what has no place in the schema
DIR/pairs.jsonl             which recording was made a pair with which, where the source says so
DIR/import.json             the counts
"""

import hashlib
import json
import os
import secrets
import shutil
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenthorizon.dataset.pair_link import DIRECTIONS, PairLink
from agenthorizon.dataset.schema import VERSION
from agenthorizon.files.whole_folder import new_folder
from agenthorizon.importer import Frame, ImportedStep, Notes, Recording
from agenthorizon.importing.pictures import suffix
from agenthorizon.importing.report import ImportReport

_NO_TIME = (0, 0)


@dataclass(frozen=True)
class Settings:
    """How to write a data set."""

    format: str
    seed: str | None = None
    """The same seed gives the same ids; without one they are drawn anew."""
    instructions: Mapping[str, str] = field(default_factory=dict)
    """Recording key → instruction, for sources that have none; goes before the source's own."""


class _Writer:
    """Writes one data set into a folder that nobody looks at yet."""

    def __init__(self, folder: Path, settings: Settings, notes: Notes) -> None:
        self._folder, self._settings, self._notes = folder, settings, notes
        self._secret = settings.seed.encode() if settings.seed is not None else secrets.token_bytes(16)
        self._keys: set[str] = set()
        self._pairs: dict[str, PairLink] = {}
        self._lines: dict[str, list[tuple[str, dict[str, Any]]]] = {
            "trajectories": [],
            "labels": [],
            "sources": [],
            "pairs": [],
        }
        self.report = ImportReport(settings.format)

    def add(self, recording: Recording) -> None:
        """Write one recording's pictures, and hold its lines."""
        instruction = self._settings.instructions.get(recording.key) or recording.instruction
        if not self._usable(recording, instruction):
            return
        task_id = self._opaque("task", recording.key)
        folder = self._opaque("pictures", recording.pictures or recording.key)
        names = self._pictures(recording.steps, folder)
        record = _record(recording, task_id, instruction or "", names)
        record["source"] = {"name": self._settings.format}
        self._lines["trajectories"].append((task_id, record))
        source = _source(recording, names)
        self._lines["sources"].append((task_id, {"trajectory_id": task_id, **source}))
        if recording.pair:
            self._pairs[task_id] = recording.pair
        if recording.answer:
            label = {"label": recording.answer.label, "stated": recording.answer.stated}
            self._lines["labels"].append((task_id, {"trajectory_id": task_id, **label}))
        self.report.count(recording)

    def _usable(self, recording: Recording, instruction: str | None) -> bool:
        if recording.key in self._keys:
            self._notes.add("repeated_recording", recording.key, "stands twice in the source; the first was taken")
            return False
        if not instruction or not instruction.strip():
            self._notes.add("no_instruction", recording.key, "the source has none; give it with --instructions")
            return False
        if not recording.steps:
            self._notes.add("no_steps", recording.key, "neither an action nor a picture was found")
            return False
        self._keys.add(recording.key)
        return True

    def _opaque(self, kind: str, key: str) -> str:
        """Return an id that tells nothing of the key to whoever does not know the seed."""
        secret = hashlib.sha256(self._secret).digest()
        text = f"{self._settings.format}\0{kind}\0{key}".encode(errors="surrogatepass")
        return str(uuid.UUID(bytes=hashlib.blake2b(text, key=secret, digest_size=16).digest(), version=4))

    def _pair(self, child: str, pair: PairLink) -> dict[str, Any] | None:
        if pair.parent not in self._keys:
            self._notes.add("pair_not_found", pair.parent, "a recording names it as its pair; it was not imported")
            return None
        types = {direction: pair.mistake_types.get(direction) for direction in DIRECTIONS}
        return {"child": child, "parent": self._opaque("task", pair.parent), "mistake_types": types}

    def _pictures(self, steps: Iterable[ImportedStep], folder: str) -> list[str | None]:
        """Copy the pictures of all steps; return their paths, that of a missing one too, None where none was taken."""
        names: list[str | None] = []
        for number, step in enumerate(steps, start=1):
            if step.frame is None:
                names.append(None)
                continue
            names.append(f"./media/images/{folder}/step_{number}{suffix(step.frame)}")
            self._copy(step.frame, self._folder / "media" / "images" / folder / Path(names[-1] or "").name)
        return names

    def _copy(self, frame: Frame, target: Path) -> None:
        if frame.fault or target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if frame.path:
            shutil.copyfile(frame.path, target)
        else:
            target.write_bytes(frame.data or b"")
        os.utime(target, _NO_TIME)  # times of copying would tell the order of importing

    def finish(self) -> None:
        """Write the files, unless there is nothing to write. Their order is that of the ids, which says nothing."""
        self._lines["pairs"] = [
            (child, line) for child, pair in self._pairs.items() if (line := self._pair(child, pair))
        ]
        self.report.findings = list(self._notes.findings)
        if not self.report.recordings:
            return
        for name, lines in self._lines.items():
            if lines:
                text = "".join(f"{_json(record)}\n" for _, record in sorted(lines, key=lambda line: line[0]))
                (self._folder / f"{name}.jsonl").write_text(text, "utf-8")
        (self._folder / "import.json").write_text(json.dumps(self.report.as_json(), indent=1) + "\n", "utf-8")


def write(recordings: Iterable[Recording], out: Path, settings: Settings, notes: Notes) -> ImportReport:
    """Write recordings as a data set at `out`, which must not exist or be empty.

    Raises UsageError when there is something at `out`; nothing is written when no recording could be taken.
    """
    with new_folder(out, "name another with -o") as folder:
        writer = _Writer(folder, settings, notes)
        for recording in recordings:
            writer.add(recording)
        writer.finish()
    return writer.report


def _record(recording: Recording, task_id: str, instruction: str, names: list[str | None]) -> dict[str, Any]:
    resolution = recording.screen_resolution or next(
        (step.frame.size for step in recording.steps if step.frame and step.frame.size), None
    )
    steps = [_step(number, step, name) for number, (step, name) in enumerate(zip(recording.steps, names, strict=True))]
    return {
        "version": VERSION,
        "trajectory_id": task_id,
        "task": {"instruction": instruction, **recording.task},
        "environment": {"os": recording.os, "screen_resolution": list(resolution) if resolution else None},
        "steps": steps,
        **recording.extra,
    }


def _step(number: int, step: ImportedStep, name: str | None) -> dict[str, Any]:
    record = {
        "step_id": number,
        "screenshot": name,
        "action": {"type": step.action.type, "parameters": step.action.parameters},
        "thought": None,
        "action_description": None,
        "timestamp_us": step.timestamp_us,
    }
    return record if step.original is None else {**record, "original": step.original}


def _source(recording: Recording, names: list[str | None]) -> dict[str, Any]:
    pictures = {
        Path(name).name: step.frame.name if not step.frame.fault else f"{step.frame.name} ({step.frame.fault})"
        for step, name in zip(recording.steps, names, strict=True)
        if name and step.frame
    }
    return {"recording": recording.key, "screenshots": pictures, "kept": recording.kept}


def _json(record: dict[str, Any]) -> str:
    try:
        return json.dumps(record, allow_nan=False)
    except ValueError:  # a number too large for JSON readers, such as 1e999, comes out of a parser as infinite
        return json.dumps(_finite(record))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value
