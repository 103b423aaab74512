"""What does asking cost beside the network? 200 tasks of 100 prepared screenshots at a server that answers at once.

The product is the command line as users run it: records checked, screenshots looked at, a synced line and a transcript
an attempt, retries on, pictures from its cache. Beside it, in turn: the public harness's way on payloads that lie
ready, and Inspect AI on the same files (rivals/rivals.py). CPU time and peak memory are the system's count for each
process from start to end, imports included; the server is another process and counts for nobody.

The memory targets hold. The CPU targets do not: 6.2 s against 2.1 s of send_all and an eighth of Inspect's 29 s. The
floor is printed beside them: the openai client alone, on payloads that lie ready, takes 1.1 s, more than half of what
send_all takes. Beyond it a task costs the check before the run (3 ms), opening and showing it (4 ms), pictures out of
the cache into a body (5 ms), then scheduling, two synced writes and the reply; imports are 1.3 s once. It was 10 s:
finding files without pathlib, fingerprints without records, headers without file objects, aiohttp under the openai
client, bodies written a step at a time, and faster base64 and checksums took the rest away. send_all checks nothing and
sends bytes that lie ready.

    python benchmarks/harness.py             last lines: ratio NAME GOT WANT, exit 1 below
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from claims import Ratio
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


@dataclass(frozen=True)
class Cost:
    """What a process took."""

    cpu: float
    """Seconds, user and system."""
    peak: float
    """Megabytes."""


def cost_of(words: list[str], folder: Path) -> Cost:
    """Run a program to its end. Raises RuntimeError when it fails."""
    environment = {**os.environ, "AGENTHORIZON_CACHE": str(folder / "cache"), "INSPECT_DISPLAY": "none"}
    with (folder / "printed").open("wb") as printed:
        process = subprocess.Popen(words, stdout=printed, stderr=printed, env=environment, cwd=folder)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{words[:4]} … ended with {process.returncode}: {(folder / 'printed').read_text()[-2000:]}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def product(tasks: Prepared, url: str, folder: Path, workers: int = WORKERS, only: int | None = None) -> Cost:
    """Run the product into a fresh folder; `only` so many of the tasks."""
    out = tempfile.mkdtemp(dir=folder)
    words = [sys.executable, "-m", "agenthorizon", "run", str(tasks.data), "--judge", "direct:m", "--base-url", url]
    limit = ["--limit", str(only)] if only else []
    return cost_of([*words, "--workers", str(workers), "--out", out, *limit], folder)


@contextmanager
def serving() -> Iterator[str]:
    """Run the server that answers at once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(HERE / "rivals" / "server.py"), str(port)]) as process:
        try:
            _wait_for(f"http://127.0.0.1:{port}/stats")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def _wait_for(address: str) -> None:
    for _ in range(200):
        try:
            urllib.request.urlopen(address, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"no server at {address}")


def measured(tasks: Prepared, url: str, folder: Path, rounds: int) -> list[Ratio]:
    """Run all of it and return what was found."""
    ours, theirs = [], []
    product(tasks, url, folder)  # fills the cache of prepared pictures
    for number in range(rounds):
        ours.append(product(tasks, url, folder))
        theirs.append(cost_of([sys.executable, "-c", SEND_ALL, str(HERE), str(tasks.payloads), url], folder))
        print(f"round {number + 1}: product {ours[-1]}, send_all {theirs[-1]}", flush=True)
    bare = cost_of([sys.executable, str(HERE / "bare_client.py"), str(tasks.payloads), url, str(WORKERS)], folder)
    print(f"floor: the openai client alone, on payloads that lie ready: {bare}", flush=True)
    inspect = cost_of([sys.executable, "-c", INSPECT, str(HERE), str(tasks.parts), url], folder)
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
    with tempfile.TemporaryDirectory() as folder, serving() as url:
        tasks = _written(Path(folder) / "tasks", wanted.tasks, wanted.screenshots)
        found = measured(tasks, url, Path(folder), wanted.rounds)
    print("\n".join(map(str, found)))
    sys.exit(not all(ratio.holds for ratio in found))


if __name__ == "__main__":
    main()
