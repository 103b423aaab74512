"""How long does `data check` take over a release of full size, decoding or by checksum, and how long does `data audit`?

Makes a release of as many screenshots as asked for, 1710×1112 pixels as is typical, in pairs of 129 steps, a recording
shown under both instructions. Different files are few and the rest are hard links to them, so the disk is hardly read:
what is measured is the processor's work, and a cold disk comes on top.
"""

import argparse
import json
import os
import random
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw

from agenthorizon.construction.audit import audit_data
from agenthorizon.construction.checks import check_data

SIZE = (1710, 1112)
STEPS = 129
RELEASED = 110_000
DIFFERENT = 24


def main() -> None:
    """Make the release, time the commands, print seconds, screenshots a second and both against checksums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--screenshots", type=int, default=4 * STEPS, help="files in the release")
    parser.add_argument("--quick-only", action="store_true", help="do not decode")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = make(Path(folder), max(1, options.screenshots // (2 * STEPS)))
        quick = timed("check --quick", files, lambda: check_data(folder, decode=False))
        if not options.quick_only:
            full = timed("check", files, lambda: check_data(folder))
            print(f"decoding costs {full / quick:.1f} times the seconds of checksums")
        timed("audit", files, lambda: audit_data(folder))


def timed(what: str, files: int, work: Callable[[], object]) -> float:
    """Run it once; print wall and processor seconds and what they make for a release of full size."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    minutes = wall / files * RELEASED / 60
    print(f"{what:14} {files} files: {wall:.1f} s, {processor:.1f} s of processor, {files / wall:.0f}/s;", end=" ")
    print(f"at this pace {RELEASED:,} take {minutes:.1f} min")
    return wall


def make(root: Path, pairs: int) -> int:
    """Write a release of so many pairs; return the number of its screenshot files."""
    pictures = [draw(root / f"picture{n}.png", n) for n in range(DIFFERENT)]
    labels = []
    for recording in range(2 * pairs):
        folder = root / "sandbox" / "data" / "media" / "images" / f"f{recording}"
        folder.mkdir(parents=True)
        for step in range(STEPS):
            os.link(pictures[(7 * recording + step) % DIFFERENT], folder / f"step_{step + 1}.png")
        for instruction in (recording, recording ^ 1):
            labels.append(write_task(root, recording, instruction))
    (root / "AgentHorizon.jsonl").write_text("".join(json.dumps(label) + "\n" for label in sorted(labels, key=str)))
    return 2 * pairs * STEPS


def draw(path: Path, seed: int) -> Path:
    """Draw something like a desktop: windows full of text, and a photograph's noise in one corner."""
    dice = random.Random(seed)
    image = Image.new("RGB", SIZE, (dice.randrange(256), 90, 120))
    pen = ImageDraw.Draw(image)
    for _ in range(6):
        x, y = dice.randrange(1000), dice.randrange(600)
        pen.rectangle((x, y, x + 700, y + 500), fill="white", outline="black")
        for line in range(30):
            pen.text((x + 10, y + 10 + 16 * line), "".join(dice.choices("etaoin shrdlu ", k=100)), fill="black")
    image.paste(Image.frombytes("RGB", (240, 240), dice.randbytes(240 * 240 * 3)), (60, 60))
    image.save(path)
    return path


def write_task(root: Path, recording: int, instruction: int) -> dict[str, str]:
    """Write one task's JSON and return its label."""
    task = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{recording} {instruction}"))
    steps = [
        {
            "step_id": n,
            "screenshot": f"./data/media/images/f{recording}/step_{n + 1}.png",
            "action": {"type": "click", "parameters": {"x": recording, "y": n, "button": "left"}},
            "timestamp_us": n,
        }
        for n in range(STEPS)
    ]
    record = {
        "trajectory_id": task,
        "task": {"instruction": f"do number {instruction}", "applications": ["Editor"]},
        "environment": {"os": "linux", "screen_resolution": list(SIZE)},
        "steps": steps,
    }
    path = root / "sandbox" / "data" / "jsons" / f"{task}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record))
    label = {
        "trajectory_id": task,
        "label": "positive",
        "original_id": f"r{recording}",
        "paired_id": f"r{recording ^ 1}",
    }
    if instruction != recording:
        way = ("parent", "child") if instruction < recording else ("child", "parent")
        label |= {"label": "negative", "negative_source": f"{way[0]}_instruction_{way[1]}_trajectory"}
    return label | {"pair_group_id": f"g{recording // 2}"}


if __name__ == "__main__":
    main()
