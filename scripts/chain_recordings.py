"""Chains shipped recordings into one long task whose every screenshot carries its step's number in its pixels.

    python scripts/chain_recordings.py OUT --screenshots 300

OUT becomes a folder with `trajectories.jsonl` and its screenshots. The number is a row of black and white squares along
the top edge, large enough to be read back after shrinking and JPEG: so a test can say of any picture that a server
received which step it shows.
"""

import argparse
import json
import uuid
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

DEMO = Path(__file__).resolve().parents[1] / "data" / "demo"
BITS = 10
ACROSS = 24
"""Squares that would fit into a row; the first is white, the second black, then come the number's bits."""


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--screenshots", type=int, default=300)
    wanted = parser.parse_args()
    chain(wanted.out, wanted.screenshots)
    print(wanted.out)


def chain(out: Path, screenshots: int) -> dict[str, Any]:
    """Write one task with so many screenshots and return its record."""
    (out / "images").mkdir(parents=True)
    steps: list[dict[str, Any]] = []
    taken = 0
    for recorded in cycle(_recorded_steps()):
        number = len(steps) + 1
        step = {"step_id": number - 1, "screenshot": None, "action": recorded["action"], "timestamp_us": number * 10**6}
        if recorded["screenshot"]:
            step["screenshot"] = f"images/step_{number}{Path(recorded['screenshot']).suffix}"
            stamped(DEMO / "sandbox" / recorded["screenshot"], number).save(out / step["screenshot"], quality=90)
            taken += 1
        steps.append(step)
        if taken == screenshots:
            break
    record = {
        "version": "1.1",
        "trajectory_id": str(uuid.UUID(int=screenshots, version=4)),
        "task": {"instruction": "Go through all of the recordings, one after another."},
        "environment": {"os": "linux", "screen_resolution": None},
        "steps": steps,
    }
    (out / "trajectories.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    return record


def _recorded_steps() -> list[dict[str, Any]]:
    files = sorted(DEMO.glob("sandbox/data/jsons/*.json"))
    return [step for file in files for step in json.loads(file.read_text("utf-8"))["steps"]]


def stamped(path: Path, number: int) -> Image.Image:
    """Return a screenshot with a step's number in its pixels."""
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    side = picture.width / ACROSS
    draw = ImageDraw.Draw(picture)
    for index, bit in enumerate(_squares(number)):
        draw.rectangle((index * side, 0, (index + 1) * side, side), fill="white" if bit else "black")
    return picture


def read_number(picture: Image.Image) -> int | None:
    """Return the number in a screenshot's pixels; None where there is none."""
    grey = picture.convert("L")
    side = grey.width / ACROSS
    bits = [grey.getpixel((round((index + 0.5) * side), round(side / 2))) > 127 for index in range(BITS + 2)]
    if bits[:2] != [True, False]:
        return None
    return sum(bit << place for place, bit in enumerate(bits[2:]))


def _squares(number: int) -> Iterator[bool]:
    yield True
    yield False
    yield from (bool(number >> place & 1) for place in range(BITS))


if __name__ == "__main__":
    main()
