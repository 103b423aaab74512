"""How long the page of a whole release takes to build and to open: generated tasks, two to a recording as released.

    python benchmarks/report.py [--tasks 1373] [--steps 136] [--judges 4] [--images link]

Prints build time, processor time, greatest memory, sizes, how long a browser takes from opening the page to its first
table, to a task's first screenshot and to what a search finds, and what `--images thumbs` takes for 100 screenshots of
the shipped desktop recordings. The browser part needs chromium and chromedriver.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from measuring import Cost, cost_of
from PIL import Image

import agenthorizon as ah
from agenthorizon.outcome import Outcome
from agenthorizon.running.run_folder import RunFolder

WORDS = ("open", "chart", "patient", "add", "note", "writer", "table", "four", "rows", "then", "save", "export", "send")
APPS = ("LibreOffice Writer", "GIMP", "Edge", "Terminal", "Thunderbird", "VS Code", "Calc", "Files")
BOUND = 5_000_000
"""Bytes that index and its data may have at 1,373 tasks."""


def main() -> None:
    """Generate, build, open, and say how long each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1373)
    parser.add_argument("--steps", type=int, default=136)
    parser.add_argument("--judges", type=int, default=4)
    parser.add_argument("--images", default="link", choices=["link", "none", "thumbs"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        generate(place / "data", given.tasks, given.steps)
        runs = [judged(place, n) for n in range(given.judges)]
        print(f"{given.tasks} tasks × {given.steps} steps, {given.judges} judges, --images {given.images}")
        build(runs, place / "page", given.images)
        measure_browser(place / "page" / "index.html")
        measure_thumbs(place)


def generate(folder: Path, tasks: int, steps: int) -> None:
    """Write trajectories and labels; two tasks show each recording, and few pictures stand for many."""
    chance = random.Random(0)
    (folder / "images").mkdir(parents=True)
    with (folder / "trajectories.jsonl").open("w") as records, (folder / "labels.jsonl").open("w") as labels:
        for n in range(tasks):
            recording, pair = n // 2, n // 4
            if n % 2 == 0:
                draw(folder / "images" / str(recording), steps, chance)
            records.write(json.dumps(record(n, recording, steps, chance)) + "\n")
            kind = "positive" if n % 2 == 0 else "negative"
            labels.write(json.dumps({"trajectory_id": f"t{n}", "label": kind, "pair_group_id": f"g{pair}"}) + "\n")


def draw(folder: Path, steps: int, chance: random.Random) -> None:
    """Write a recording's pictures: one real file, the others links to it, each a file of its own name."""
    folder.mkdir()
    colour = tuple(chance.randrange(256) for _ in range(3))
    Image.new("RGB", (1710, 1112), colour).save(folder / "step_1.png", compress_level=1)
    for step in range(2, steps + 1):
        (folder / f"step_{step}.png").hardlink_to(folder / "step_1.png")


def record(n: int, recording: int, steps: int, chance: random.Random) -> dict[str, object]:
    """Return a task's record."""
    actions = [
        {"type": "click", "parameters": {"x": chance.randrange(1710), "y": chance.randrange(1112), "button": "left"}},
        {"type": "type", "parameters": {"text": " ".join(chance.choices(WORDS, k=5))}},
    ]
    return {
        "version": "1.1",
        "trajectory_id": f"t{n}",
        "task": {"instruction": " ".join(chance.choices(WORDS, k=60)), "applications": chance.sample(APPS, 2)},
        "environment": {"os": chance.choice(["linux", "windows", "macos"]), "screen_resolution": [1710, 1112]},
        "steps": [
            {"step_id": s, "screenshot": f"images/{recording}/step_{s + 1}.png", "action": actions[s % 2]}
            for s in range(steps)
        ],
    }


def judged(place: Path, n: int) -> Path:
    """Write the run of a judge that is right in a share of the tasks."""
    bench = ah.load(place / "data")
    chance = random.Random(n)
    config = {
        "data": {"name": bench.name, "form": bench.form, "fingerprint": bench.fingerprint},
        "judge": {"name": f"judge {n}", "settings": {}},
        "prompt": {},
        "evidence": {},
        "reask": 0,
        "protocol": "published",
        "location": bench.location,
        "asked": sorted(bench.select()),
    }
    path = place / f"run{n}"
    with RunFolder(path, config):
        pass
    (path / "outcomes.jsonl").write_bytes(b"".join(outcomes(bench, chance)))
    return path


def outcomes(bench: ah.Bench, chance: random.Random) -> Iterator[bytes]:
    """Yield a line for each task."""
    for task_id, label in bench.labels.items():
        verdict = {
            "success": label.is_positive if chance.random() < 0.75 else not label.is_positive,
            "reasoning": " ".join(chance.choices(WORDS, k=120)),
            "confidence": "high",
            "mistake_type": None,
        }
        telemetry = {"cost": chance.random(), "seconds": 60 * chance.random()}
        yield Outcome(task_id=task_id, status="verdict", verdict=verdict, telemetry=telemetry).to_line()


def build(runs: list[Path], page: Path, images: str) -> None:
    """Build the page in a process of its own and print what it took."""
    took = reported(runs, page, images)
    print(f"build: {took.wall:.1f} s, processor {took.cpu:.1f} s")
    print(f"greatest memory: {took.peak:.0f} MB")
    shell = [page / "index.html", page / "data" / "index.js", *(page / "app").iterdir()]
    index = sum(path.stat().st_size for path in shell)
    steps = sum(path.stat().st_size for path in (page / "data" / "tasks").iterdir())
    print(f"index with its data: {index / 1e6:.2f} MB ({'within' if index < BOUND else 'OVER'} {BOUND / 1e6:.0f} MB)")
    print(f"files of tasks: {steps / 1e6:.1f} MB, each loaded when its task is looked at")
    said = (page / "data" / "reasons.js").stat().st_size
    print(f"what the judges said: {said / 1e6:.2f} MB, loaded at the first search")


def reported(runs: list[Path], page: Path, images: str) -> Cost:
    """Build a page in a process of its own and return what it took."""
    return cost_of([sys.executable, "-m", "agenthorizon", "report", *runs, "-o", page, "--images", images])


def measure_thumbs(place: Path) -> None:
    """Print what shrinking takes: pages of the desktop set with and without pictures, in turns, the cache empty."""
    run = ah.run("desktop", "always_yes", out=place / "desktop").folder
    took: dict[str, list[Cost]] = {"none": [], "thumbs": []}
    for _ in range(3):
        for images, rounds in took.items():
            os.environ["AGENTHORIZON_CACHE"] = tempfile.mkdtemp(dir=place)
            rounds.append(reported([run], place / images, images))
    sizes = [path.stat().st_size for path in (place / "thumbs" / "images").iterdir()]
    hundreds = len(sizes) / 100
    none, thumbs = (Cost(*map(median, zip(*rounds, strict=True))) for rounds in took.values())
    wall, cpu = (thumbs.wall - none.wall) / hundreds, (thumbs.cpu - none.cpu) / hundreds
    print(f"--images thumbs, {len(sizes)} screenshots of the desktop set, medians of 3: for 100 of them", end=" ")
    print(f"{wall:.1f} s, processor {cpu:.1f} s;", end=" ")
    print(f"{sum(sizes) / len(sizes) / 1000:.0f} KB each; greatest memory {thumbs.peak:.0f} MB")


def measure_browser(index: Path) -> None:
    """Open the page in a browser and print when its first table, and a task's first picture, stood."""
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        sys.exit("the browser part needs selenium: pip install -e '.[dev]'")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or sys.exit("no chromium")
    for switch in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(switch)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        views = {
            "first view, leaderboard": ("", "document.querySelector('tbody tr')"),
            "list of tasks": ("#view=tasks", "document.querySelector('.tasks li')"),
            "a task with its picture": (
                "#view=task&task={key}",
                "(document.querySelector('.screen img') || {}).naturalWidth > 0",
            ),
            "a search in what judges said": (
                "#view=tasks&text=save+then+save+then",
                "AH.reasons && document.querySelector('#count')",
            ),
        }
        for name, (address, ready) in views.items():
            key = driver.execute_script("return typeof AH === 'undefined' ? '' : AH.index.tasks[7].key")
            times = sorted(opened(driver, index.as_uri() + address.replace("{key}", key), ready) for _ in range(5))
            print(f"{name}: {times[2]:.2f} s (median of 5, {times[0]:.2f} to {times[-1]:.2f})")
    finally:
        driver.quit()


def opened(driver, address: str, ready: str) -> float:  # type: ignore[no-untyped-def]
    """Return the seconds from asking for an address until `ready` holds in the page."""
    driver.get("about:blank")
    started = time.perf_counter()
    driver.get(address)
    while not driver.execute_script(f"return Boolean({ready})"):
        time.sleep(0.01)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
