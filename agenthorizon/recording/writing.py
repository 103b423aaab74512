"""Writes one recording into a folder, its frames while it goes on, without loss; and adds it to a folder of recordings.

DIR/trajectories.jsonl      one line a recording
DIR/media/images/<id>/      its frames, step_N.png
DIR/pairs.jsonl             which two were recorded as a pair, as `data build` reads it
"""

import json
import os
import queue
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenthorizon.dataset.schema import VERSION
from agenthorizon.errors import UsageError
from agenthorizon.recording.frames import Frame
from agenthorizon.recording.steps import Step
from agenthorizon.task import Action

RECORDINGS, PAIRS = "trajectories.jsonl", "pairs.jsonl"
IMAGES = Path("media", "images")
_MOST_WAITING = 16
"""Frames that wait for the disk; more, and the recorder waits, so that memory stays bounded."""


@dataclass(frozen=True)
class Kept:
    """A step without its frame."""

    action: Action
    at: float
    """Seconds from the beginning of the recording."""
    has_frame: bool
    size: tuple[int, int] | None


@dataclass
class StepWriter:
    """Writes steps' frames from a thread of its own and remembers the rest."""

    folder: Path
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    began: float | None = None
    """When the recording began, in seconds of the monotonic clock."""
    steps: list[Kept] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the frames' folder and start the thread."""
        (self.folder / IMAGES / self.id).mkdir(parents=True)
        self._waiting: queue.Queue[tuple[Path, Frame] | None] = queue.Queue(_MOST_WAITING)
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def add(self, step: Step) -> None:
        """Take the next step."""
        began = step.at if self.began is None else self.began
        earlier = self.steps[-1].at if self.steps else 0.0
        frame = step.frame
        kept = Kept(step.action, max(earlier, step.at - began), frame is not None, frame.size if frame else None)
        self.steps.append(kept)
        if frame is not None:
            self._waiting.put((self._frame_path(len(self.steps)), frame))

    def finish(self) -> None:
        """Return once every frame is written. Raises what one could not be written for: OSError for a full disk."""
        self._waiting.put(None)
        self._thread.join()
        if self._error:
            raise self._error

    def record(self, instruction: str, applications: Sequence[str] = ()) -> dict[str, Any]:
        """Return the recording as a record of the trajectory schema."""
        size = next((kept.size for kept in self.steps if kept.size), None)
        return {
            "version": VERSION,
            "trajectory_id": self.id,
            "task": {"instruction": instruction, "applications": list(applications)},
            "environment": {"os": "linux", "screen_resolution": list(size) if size else None},
            "steps": [self._step(number, kept) for number, kept in enumerate(self.steps)],
        }

    def _step(self, number: int, kept: Kept) -> dict[str, Any]:
        path = self._frame_path(number + 1).relative_to(self.folder).as_posix() if kept.has_frame else None
        return {
            "step_id": number,
            "screenshot": path,
            "action": {"type": kept.action.type, "parameters": kept.action.parameters},
            "timestamp_us": round(kept.at * 1e6),
        }

    def _frame_path(self, number: int) -> Path:
        return self.folder / IMAGES / self.id / f"step_{number}.png"

    def _run(self) -> None:
        from PIL import Image

        while waiting := self._waiting.get():
            path, frame = waiting
            if self._error is None:
                try:
                    Image.frombytes("RGB", frame.size, frame.pixels, "raw", "BGRX").save(path)
                # A full disk, a frame of another form than it says: told when the recording ends, and nobody waits.
                except Exception as error:  # noqa: BLE001
                    self._error = error


def check_place(out: Path) -> None:
    """Raise UsageError unless recordings can be added to that folder: one of them, an empty one, or a new one."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder with -o")
    if out.is_dir() and any(out.iterdir()) and not (out / RECORDINGS).is_file():
        raise UsageError(f"{out} holds something else than recordings ({RECORDINGS}); name another with -o")


def add_to(out: Path, draft: Path, records: Sequence[dict[str, Any]]) -> None:
    """Move recordings whose frames lie in `draft` into a folder of recordings; two are a pair.

    Frames come first and the records' lines last, in one write: what a killed process leaves behind is frames that no
    record names, and never half a record.
    """
    (out / IMAGES).mkdir(parents=True, exist_ok=True)
    for record in records:
        (draft / IMAGES / record["trajectory_id"]).rename(out / IMAGES / record["trajectory_id"])
    append_lines(out / RECORDINGS, records)
    if len(records) > 1:
        parent, child = (record["trajectory_id"] for record in records)
        append_lines(out / PAIRS, [{"parent": parent, "child": child}])


def append_lines(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Append JSON lines in one synced write, after a line break where somebody's editor left none."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with path.open("a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            text = text if file.read(1) == b"\n" else f"\n{text}"
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())
