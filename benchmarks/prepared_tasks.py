"""Writes tasks of prepared screenshots for the harness benchmark: our data set, the rivals' payloads and parts.

Every screenshot is a shipped one in the protocol's size and quality, with a few pixels of its own, so that no two files
of the data set are equal.
"""

import base64
import json
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import count, cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

DEMO = Path(__file__).resolve().parents[1] / "data" / "demo"


@dataclass(frozen=True)
class Prepared:
    """The same tasks in the form each harness reads."""

    data: Path
    """A data set of ours: the folder of trajectories.jsonl."""
    payloads: Path
    """One JSON file per task, {"messages": [...]}."""
    parts: Path
    """One JSON file: [[id, [[text, image path], …]], …]."""

    @classmethod
    def under(cls, folder: Path) -> "Prepared":
        """Return where the tasks under a folder stand."""
        return cls(folder / "data", folder / "payloads", folder / "parts.json")


def write(folder: Path, tasks: int, screenshots: int) -> Prepared:
    """Write so many tasks of so many screenshots."""
    made = Prepared.under(folder)
    made.payloads.mkdir(parents=True)
    frames = cycle(_frames())
    number = count()
    listed = []
    made.data.mkdir()
    with (made.data / "trajectories.jsonl").open("w", encoding="utf-8") as lines:
        for task in range(tasks):
            record = _record(task, screenshots)
            for step in record["steps"]:
                path = made.data / step["screenshot"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(_own(next(frames), next(number)))
            lines.write(json.dumps(record) + "\n")
            parts = [(_worded(step), str(made.data / step["screenshot"])) for step in record["steps"]]
            listed.append([record["trajectory_id"], parts])
            (made.payloads / f"{record['trajectory_id']}.json").write_text(json.dumps(_payload(record, parts)))
    made.parts.write_text(json.dumps(listed))
    return made


def _frames() -> "list[Image.Image]":
    files = sorted(path for path in DEMO.glob("sandbox/data/media/images/*/*") if path.suffix in (".jpg", ".png"))
    return [_stretched(path) for path in files]


def _stretched(path: Path) -> "Image.Image":
    """Return a screenshot in the size that the most usual one, 1710×1112, is prepared in."""
    from PIL import Image

    with Image.open(path) as opened:
        return opened.convert("RGB").resize((511, 332), Image.Resampling.LANCZOS)


def _own(frame: "Image.Image", number: int) -> bytes:
    """Return a frame as a JPEG of its own: its number stands in the colours of a corner."""
    mine = frame.copy()
    mine.paste((number % 256, number // 256 % 256, number // 65536), (0, 0, 16, 16))
    buffer = BytesIO()
    mine.save(buffer, "JPEG", quality=60, optimize=True)
    return buffer.getvalue()


def _record(task: int, screenshots: int) -> dict[str, Any]:
    steps = [
        {
            "step_id": index,
            "screenshot": f"images/{task}/step_{index + 1}.jpg",
            "action": {
                "type": "click",
                "parameters": {"x": 10 * index % 1700, "y": 7 * index % 1100, "button": "left"},
            },
            "timestamp_us": index * 2_500_000,
        }
        for index in range(screenshots)
    ]
    return {
        "version": "1.1",
        "trajectory_id": str(uuid.UUID(int=task + 1, version=4)),
        "task": {"instruction": f"Create a folder for invoice {task} and move the open file into it."},
        "environment": {"os": "linux", "screen_resolution": [1710, 1112]},
        "steps": steps,
    }


def _worded(step: dict[str, Any]) -> str:
    return f"Step {step['step_id'] + 1}: {step['action']['type']} {json.dumps(step['action']['parameters'])}"


def _payload(record: dict[str, Any], parts: list[tuple[str, str]]) -> dict[str, Any]:
    return {
        "messages": [
            {"role": "system", "content": "Judge whether the recording carried out the instruction."},
            {"role": "user", "content": [{"type": "text", "text": record["task"]["instruction"]}, *_content(parts)]},
        ]
    }


def _content(parts: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for text, path in parts:
        data = base64.b64encode(Path(path).read_bytes()).decode()
        yield {"type": "text", "text": text}
        yield {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{data}"}}


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
