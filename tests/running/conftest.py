"""A data set of as many small tasks as a test needs, and clocks that are quicker than the wall's."""

import asyncio
import contextlib
import json
import resource
import signal

import pytest
from PIL import Image

from agenthorizon.running.clock import Clock
from agenthorizon.source import load


def make_data(folder, tasks, steps=1):
    """Write a release folder: pairs of tasks that share a recording, half of them positive; one small picture."""
    jsons = folder / "sandbox" / "data" / "jsons"
    jsons.mkdir(parents=True)
    Image.new("RGB", (64, 40), "navy").save(folder / "sandbox" / "shot.png")
    labels = []
    for number in range(tasks):
        name = f"task-{number:04d}"
        screen = {"os": "linux", "screen_resolution": [64, 40]}
        action = {"type": "click", "parameters": {"x": 5, "y": 5, "button": "left", "num_clicks": 1}}
        shown = [{"step_id": i, "screenshot": "shot.png", "action": action, "timestamp_us": i} for i in range(steps)]
        record = {"version": "1.0", "trajectory_id": name, "task": {"instruction": f"Do {number}.", "applications": []}}
        record |= {"source": {"name": "human"}, "environment": screen, "steps": shown, "milestones": []}
        (jsons / f"{name}.json").write_text(json.dumps(record))
        labels.append(
            {
                "trajectory_id": name,
                "label": "negative" if number % 2 else "positive",
                "original_id": f"recording-{number // 2}",
                "paired_id": f"recording-{number // 2 ^ 1}",
                "pair_group_id": f"group-{number // 4}",
            }
        )
    (folder / "AgentHorizon.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels))
    return folder


@contextlib.contextmanager
def limited(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def small_disk():
    """with small_disk(bytes): inside, no file of this process may grow beyond that, as on a full disk.

    Inside, and no longer: what pytest itself writes may go to a file larger than that.
    """
    return limited


@pytest.fixture
def small_data(tmp_path):
    """small_data(tasks, steps): the folder of a data set."""
    return lambda tasks, steps=1: make_data(tmp_path / f"data-{tasks}-{steps}", tasks, steps)


@pytest.fixture
def small_bench(small_data):
    """small_bench(tasks, steps): a data set opened."""
    return lambda tasks, steps=1: load(str(small_data(tasks, steps)))


class QuickClock(Clock):
    """Runs a hundred times as fast as the wall's."""

    def now(self):
        return super().now() * 100

    async def wait(self, event, seconds):
        await super().wait(event, None if seconds is None else seconds / 100)


@pytest.fixture
def quick_clock():
    return QuickClock()


class LeapingClock(Clock):
    """Waits by moving itself on, and keeps account of it."""

    def __init__(self):
        self.waits = []

    def now(self):
        return super().now() + sum(self.waits)

    async def wait(self, event, seconds):
        await asyncio.sleep(0)
        if seconds is None:
            await event.wait()
        elif not event.is_set():
            self.waits.append(seconds)


@pytest.fixture
def leaping_clock():
    return LeapingClock()
