"""What does asking cost beside the network? 200 tasks of 100 prepared screenshots at a server that answers at once.

The product is the command line as users run it: records checked, screenshots looked at, a synced line and a transcript
an attempt, retries on, pictures from its cache. Beside it, in turn: the public harness's way on payloads that lie
ready, and Inspect AI on the same files (rivals/rivals.py). CPU time and peak memory are the system's count for each
process from start to end, imports included; the server is another process and counts for nobody.

The memory targets hold, and the product takes less than an eighth of what Inspect takes. Beside send_all, which checks
nothing and sends bytes that lie ready, it takes 1.3 to 1.5 times as much, where no more than as much is wanted. The
floor is printed: the openai client alone, on such bytes, is six tenths of send_all, half of that its import. What the
product adds is, in about equal parts, its own imports and the index of the data; the check before the run; opening and
showing a task; its pictures out of the cache into a body; scheduling, two synced writes and the reply. Tried without
gain: one thread less or more for it, no thread at all, fewer looks for rings than now, larger pages of the cache.

    python benchmarks/harness.py             last lines: ratio NAME GOT WANT, exit 1 below
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from claims import Ratio
from measuring import Cost, cost_of, serving
from prepared_tasks import Prepared

HERE = Path(__file__).resolve().parent
WORKERS = 16
SEND_ALL = (
    "import sys; sys.path.insert(0, sys.argv[1]); from rivals.rivals import send_all; send_all(*sys.argv[2:4], 16)"
)
INSPECT = (
    "import json, sys; sys.path.insert(0, sys.argv[1]); from rivals.rivals import inspect_all; "
    "print(inspect_all(json.load(open(sys.argv[2])), sys.argv[3], 16))"
)


def asked(words: list[str], folder: Path) -> Cost:
    """Run a program with a cache of its own to its end. Raises RuntimeError when it fails."""
    return cost_of(words, {"AGENTHORIZON_CACHE": str(folder / "cache"), "INSPECT_DISPLAY": "none"}, folder)


def product(tasks: Prepared, url: str, folder: Path, workers: int = WORKERS, only: int | None = None) -> Cost:
    """Run the product into a fresh folder; `only` so many of the tasks."""
    out = tempfile.mkdtemp(dir=folder)
    words = [sys.executable, "-m", "agenthorizon", "run", str(tasks.data), "--judge", "direct:m", "--base-url", url]
    limit = ["--limit", str(only)] if only else []
    return asked([*words, "--workers", str(workers), "--out", out, *limit], folder)


def measured(tasks: Prepared, url: str, folder: Path, rounds: int) -> list[Ratio]:
    """Run all of it and return what was found."""
    ours, theirs = [], []
    product(tasks, url, folder)  # fills the cache of prepared pictures
    for number in range(rounds):
        ours.append(product(tasks, url, folder))
        theirs.append(asked([sys.executable, "-c", SEND_ALL, str(HERE), str(tasks.payloads), url], folder))
        print(f"round {number + 1}: product {ours[-1]}, send_all {theirs[-1]}", flush=True)
    bare = asked([sys.executable, str(HERE / "bare_client.py"), str(tasks.payloads), url, str(WORKERS)], folder)
    print(f"floor: the openai client alone, on payloads that lie ready: {bare}", flush=True)
    inspect = asked([sys.executable, "-c", INSPECT, str(HERE), str(tasks.parts), url], folder)
    print(f"inspect_all {inspect}", flush=True)
    few, many = (product(tasks, url, folder, workers=workers).peak for workers in (1, 32))
    part = product(tasks, url, folder, only=64).peak
    whole = statistics.median(cost.peak for cost in ours)
    print(f"peak MB: 1 worker {few:.0f}, 32 workers {many:.0f}, 64 tasks {part:.0f}, all tasks {whole:.0f}")
    cpu = statistics.median(cost.cpu for cost in ours)
    return [
        Ratio("harness_cpu_send_all", statistics.median(r.cpu / o.cpu for o, r in zip(ours, theirs, strict=True)), 1),
        Ratio("harness_cpu_inspect", inspect.cpu / cpu, 8),
        Ratio("harness_memory", 120 / whole, 1),
        Ratio("harness_memory_workers", 1.3 * few / many, 1),
        Ratio("harness_memory_tasks", 1.1 * part / whole, 1),
    ]


def _written(folder: Path, tasks: int, screenshots: int) -> Prepared:
    """Write the tasks in another process: what a child's peak is counted from is the size of this one."""
    words = [sys.executable, str(HERE / "prepared_tasks.py"), str(folder), str(tasks), str(screenshots)]
    subprocess.run(words, check=True)
    return Prepared.under(folder)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--screenshots", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(HERE / "rivals" / "server.py") as url:
        tasks = _written(Path(folder) / "tasks", wanted.tasks, wanted.screenshots)
        found = measured(tasks, url, Path(folder), wanted.rounds)
    print("\n".join(map(str, found)))
    sys.exit(not all(ratio.holds for ratio in found))


if __name__ == "__main__":
    main()
