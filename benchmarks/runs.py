"""What does a whole run cost beside its requests? CPU, memory, pace and start-up, beside Inspect AI.

    python benchmarks/runs.py                   everything; the last lines: ratio NAME GOT WANT, exit 1 below
    python benchmarks/runs.py --tasks 200       fewer tasks
    python benchmarks/runs.py --only memory     one part: small, memory, bucket, engines, opening

small     1,373 tasks of two small screenshots, 50 ms a request, 32 workers, in turn with Inspect AI on the same tasks;
          CPU is that of the client's processes, the server's is not counted
memory    64 tasks of 300 screenshots: peak of one worker and of 32
bucket    a server that takes 40 requests a second, and fewer at once than there are workers: what was answered of what
          its bucket gave out, and what it refused
engines   the same outcomes from one process, four shards and Ray; what starting and dividing costs
opening   a run folder of 1,373 tasks × 8 repeats: how long reading it takes, and opening it to go on
"""

import argparse
import json
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from claims import Ratio
from measuring import Cost, cost_of, serving

SERVER = Path(__file__).resolve().with_name("slow_server.py")
WORKERS = 32
LATENCY = 50
"""Milliseconds."""
RATE, RESERVE = 40, 24
REPEATS = 8


def main() -> int:
    """Measure what was asked for, print the ratios, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=1373)
    parser.add_argument("--only", choices=sorted(PARTS))
    arguments = parser.parse_args()
    ratios: list[Ratio] = []
    with tempfile.TemporaryDirectory() as name:
        for part, measure in PARTS.items():
            if arguments.only in (None, part):
                ratios += measure(Path(name) / part, arguments.tasks)
    for ratio in ratios:
        print(ratio)
    return int(not all(ratio.holds for ratio in ratios))


def small(folder: Path, tasks: int) -> list[Ratio]:
    """Compare CPU and memory with Inspect AI where a task is little work, and going on with nothing to do."""
    data = write_data(folder / "data", tasks, screenshots=2)
    with serving(SERVER, LATENCY) as url:
        used = measured("ours", str(data), url, str(WORKERS), str(folder / "runs"))
        nothing = measured("ours", str(data), url, str(WORKERS), str(folder / "runs"))
        rival = measured("inspect", str(data), url, str(WORKERS))
    ideal = tasks * LATENCY / 1000 / WORKERS
    for who, each in (("agenthorizon", used), ("inspect_ai", rival)):
        over = (each.wall - ideal) / tasks * 1000
        print(
            f"{who}: {each.cpu:.1f} s CPU ({each.cpu / tasks * 1000:.1f} ms a task), {each.peak:.0f} MB at most, "
            f"{each.wall:.1f} s, {over:.1f} ms a task beyond {ideal:.1f} s of waiting"
        )
    print(f"going on with nothing to do: {nothing.cpu:.1f} s CPU, {nothing.wall:.1f} s")
    return [Ratio("runs-cpu-inspect", rival.cpu / used.cpu, 4), Ratio("runs-peak-inspect", rival.peak / used.peak, 1)]


def memory(folder: Path, _: int) -> list[Ratio]:
    """Compare the peak of many workers with that of one, where a task has 300 screenshots."""
    data = write_data(folder / "data", 64, screenshots=300)
    with serving(SERVER, LATENCY) as url:
        measured("ours", str(data), url, "4", str(folder / "warm"))  # the cache of pictures is filled once
        one, many = (measured("ours", str(data), url, str(n), str(folder / f"runs{n}")) for n in (1, WORKERS))
    print(f"64 tasks × 300 screenshots: {one.peak:.0f} MB with one worker, {many.peak:.0f} MB with {WORKERS}")
    return [
        Ratio("runs-150-megabytes", 150 / many.peak, 1),
        Ratio("runs-peak-1.3-of-one", 1.3 * one.peak / many.peak, 1),
    ]


def bucket(folder: Path, tasks: int) -> list[Ratio]:
    """See how much of what a server's bucket of tokens gives out is used, and how often it refuses."""
    data = write_data(folder / "data", tasks, screenshots=1)
    with serving(SERVER, LATENCY, RATE, RESERVE) as url:
        measured("ours", str(data), url, str(WORKERS), str(folder / "runs"))
        with urllib.request.urlopen(url.replace("/v1", "/stats")) as told:
            stats = json.load(told)
    given = RESERVE + RATE * stats["seconds"]
    print(f"bucket: {stats['answered']} answered of {given:.0f} given out, {stats['refused']} refused")
    good = stats["answered"] / given
    return [
        Ratio("runs-goodput", good, 0.9),
        Ratio("runs-answered-per-refused", stats["answered"] / max(1, stats["refused"]), 10),
    ]


def engines(folder: Path, tasks: int) -> list[Ratio]:
    """See whether one process, four shards and Ray come to the same outcomes, and what each takes."""
    data = str(write_data(folder / "data", tasks, screenshots=1))
    alone = measured("plain", data, str(folder / "alone"))
    shards = [measured("plain", data, str(folder / "shards"), f"{part}/4") for part in range(1, 5)]
    spread = measured("plain", data, str(folder / "ray"), "ray")
    sets = [outcomes(folder / name) for name in ("alone", "shards", "ray")]
    print(f"one process: {alone.wall:.1f} s; four shards, one after the other: {sum(s.wall for s in shards):.1f} s")
    extra = (spread.wall - alone.wall) / tasks * 1000
    print(f"Ray, cluster started for it: {spread.wall:.1f} s, {extra:.1f} ms a task more, start-up included")
    return [Ratio("runs-same-outcomes", float(sets[0] == sets[1] == sets[2] and len(sets[0]) == tasks), 1)]


def opening(folder: Path, tasks: int) -> list[Ratio]:
    """A run folder of every task and eight repeats: how long reading it takes, and opening it to go on."""
    from agenthorizon.outcome import Outcome
    from agenthorizon.running.run_folder import RunFolder
    from agenthorizon.running.store import read_run

    config = {"data": {"name": "d"}, "judge": {"name": "j"}, "asked": [f"task-{task:05d}" for task in range(tasks)]}
    verdict = {"success": False, "reasoning": "The file was renamed in the wrong folder. " * 8, "confidence": "high"}
    shown = {"steps": 30, "pictures": 30, "none_taken": 0, "missing": [], "fit": [512, 332], "format": "jpeg"}
    tokens = {"input": 12_000, "output": 180, "cached_read": 0, "reasoning": None, "cached_write": None}
    telemetry = {"seconds": 3.2, "tokens": tokens, "cost": 0.02, "requests": 1, "images": 30, "model": "m"}
    with RunFolder(folder, config):
        pass
    with (folder / "outcomes.jsonl").open("wb") as lines:
        for task, repeat in ((task, repeat) for repeat in range(REPEATS) for task in config["asked"]):
            made = Outcome(
                task_id=task, repeat=repeat, status="verdict", verdict=verdict, evidence=shown, telemetry=telemetry
            )
            lines.write(made.to_line())
    began, cpu = time.monotonic(), time.process_time()
    assert len(read_run(folder).latest) == tasks * REPEATS
    print(
        f"opening {tasks:,} tasks × {REPEATS}: {time.monotonic() - began:.2f} s, {time.process_time() - cpu:.2f} s CPU"
    )
    began, cpu = time.monotonic(), time.process_time()
    with RunFolder(folder, config) as opened:
        assert len(opened.latest) == tasks * REPEATS
    taken = time.process_time() - cpu  # nothing is waited for, and a busy machine changes the wall clock alone
    print(f"opening it to go on: {time.monotonic() - began:.2f} s, {taken:.2f} s CPU")
    return [Ratio("runs-opened-in-a-second", 1 / taken, 1)]


PARTS: dict[str, Callable[[Path, int], list[Ratio]]] = {
    "small": small,
    "memory": memory,
    "bucket": bucket,
    "engines": engines,
    "opening": opening,
}


def outcomes(folder: Path) -> set[tuple[str, int, str, Any]]:
    """Return what became of every task of the runs in a folder."""
    from agenthorizon.running.store import read_run

    runs = [read_run(path) for path in folder.glob("*/")]
    return {(*key, outcome.status, outcome.verdict) for run in runs for key, outcome in run.latest.items()}


def write_data(folder: Path, tasks: int, screenshots: int) -> Path:
    """Write a trajectories JSONL whose tasks share twelve screenshots; each recording is shown by two of them."""
    from PIL import Image

    folder.mkdir(parents=True)
    for number in range(12):
        picture = Image.effect_noise((512, 332), 20 + number).convert("RGB")
        picture.save(folder / f"shot{number}.jpg", quality=60)
    screen = {"source": {"name": "human"}, "environment": {"os": "linux", "screen_resolution": [512, 332]}}
    with (folder / "trajectories.jsonl").open("w", encoding="utf-8") as lines:
        for task in range(tasks):
            recording = task // 2
            place = {"x": recording % 512, "y": recording // 512}
            click = {"type": "click", "parameters": place | {"button": "left", "num_clicks": 1}}
            steps = [
                {
                    "step_id": step,
                    "screenshot": f"shot{(recording + step) % 12}.jpg",
                    "action": click,
                    "timestamp_us": step,
                }
                for step in range(screenshots)
            ]
            wanted = {"instruction": f"Rename file {task}.", "applications": ["Files"]}
            record = {"version": "1.0", "trajectory_id": f"task-{task:05d}", "task": wanted, "steps": steps}
            lines.write(json.dumps(record | screen | {"milestones": []}) + "\n")
    return folder


def measured(*arguments: str) -> Cost:
    """Do one job of this file in a process of its own. Raises RuntimeError when it fails."""
    return cost_of([sys.executable, __file__, "job", *arguments])


def job(what: str, data: str, *rest: str) -> None:
    """Do what `measured` asks for."""
    if what == "inspect":
        run_inspect(data, *rest)
        return
    import agenthorizon as ah

    if what == "plain":
        out, how = (*rest, "")[:2]
        options = {"engine": "ray"} if how == "ray" else {"shard": tuple(map(int, how.split("/")))} if how else {}
        ah.run(data, "coin", out=out, workers=8, **options)
        return
    from agenthorizon.plugins import make_judge

    url, workers, out = rest
    run = ah.run(data, make_judge("direct:m", {"base_url": url}), out=out, workers=int(workers))
    assert all(outcome.status == "verdict" for outcome in run.latest.values())


def run_inspect(data: str, url: str, workers: str) -> None:
    """The same tasks, screenshots and texts in Inspect AI; it has no retries to make here."""
    from rivals.rivals import inspect_all

    tasks = []
    for line in (Path(data) / "trajectories.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        steps = [(f"Step {step['step_id']}", Path(data) / step["screenshot"]) for step in record["steps"]]
        tasks.append((record["trajectory_id"], steps))
    status, _ = inspect_all(tasks, url, int(workers))
    assert status == "success", status


if __name__ == "__main__":
    if sys.argv[1:2] == ["job"]:
        job(*sys.argv[2:])
    else:
        sys.exit(main())
