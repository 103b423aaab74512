"""A Ray cluster gives the outcomes that one process gives, and a process that dies there loses nothing."""

import asyncio
import os
import signal
import sys

import pytest

import agenthorizon as ah
from agenthorizon.errors import UsageError
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner
from agenthorizon.running.watching import Silent

pytestmark = pytest.mark.outside

PARITY = """
import time
from agenthorizon.judge import Judge, answer
from typing import ClassVar

class Parity(Judge):
    looks_at_pictures: ClassVar[bool] = False
    resources: ClassVar[dict] = {"CPU": 1}

    async def judge(self, case):
        time.sleep(0.05)
        return answer(int(case.id, 16) % 2 == 0, "parity")

class Greedy(Parity):
    resources: ClassVar[dict] = {"GPU": 4}
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A user's module that this process and its children can import."""
    (tmp_path / "parity_on_ray.py").write_text(PARITY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    sys.modules.pop("parity_on_ray", None)
    import parity_on_ray

    return parity_on_ray


class Killer(Silent):
    """Kills one process of the cluster when some outcomes are written."""

    def __init__(self, find):
        self.find, self.left = find, 10

    def wrote(self, folder, outcome, *, last):
        self.left -= 1
        if self.left == 0:
            asyncio.get_running_loop().create_task(self.kill())

    async def kill(self):
        place = next(iter(self.find().places.values()))[0]
        os.kill(await place.actor.process.remote(), signal.SIGKILL)


def decided(run):
    return {(key, outcome.status, outcome.verdict) for key, outcome in run.latest.items()}


def test_two_processes_one_killed_give_the_outcomes_of_one_process(module, tmp_path):
    from agenthorizon.running.engines.ray import RayEngine

    bench = ah.load("demo")
    alone = ah.run(bench, module.Parity(), out=tmp_path / "alone", repeats=2)
    engine = RayEngine(bench, 2)
    runner = Runner(bench, Options(out=tmp_path / "ray", workers=2, repeats=2), Killer(lambda: engine), engine=engine)
    (run,) = asyncio.run(runner.run([NamedJudge("Parity", module.Parity())], bench.select()))
    assert decided(run) == decided(alone)
    lost = [outcome for outcome in run.outcomes if outcome.error and outcome.error.kind == "worker_lost"]
    assert len(lost) == 1  # what one of two processes had in hand; nothing is sent to it before it is back


def test_a_judge_that_needs_more_than_the_cluster_has_stops_the_run(module, tmp_path):
    from agenthorizon.errors import RunStopped

    with pytest.raises(RunStopped, match="GPU"):
        ah.run("demo", module.Greedy(), out=tmp_path, engine="ray", split="AH")


def test_an_unknown_engine_is_refused(tmp_path):
    with pytest.raises(UsageError, match="engine"):
        ah.run("demo", "coin", out=tmp_path, engine="spark")
