"""A server that fails in every way at once: every task is decided, every failure counted as the server counted it."""

import asyncio
import random
from collections import Counter

import openai  # noqa: F401  its import takes longer than the time limit of this test's attempts
import pytest

from agenthorizon.plugins import make_judge
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner

GARBAGE = {"body_text": "<html>It works!</html>"}
CUT = {"body_text": '{"choices": [{"mess', "headers": {"content-length": "5000"}}
FAULTS = {
    "rate_limited": (
        0.30,
        {"status": 429, "headers": {"retry-after-ms": "40"}, "body": {"error": "slow"}},
    ),
    "server": (0.10, {"status": 500, "body": {"error": {"message": "oops"}}}),
    "timeout": (0.05, {"delay_s": 3.0}),
    "cut": (0.05, CUT),
    "unreadable": (0.02, GARBAGE),
}


class Storm(list):
    """A script without end that fails in the stated shares and counts what it did."""

    def __init__(self, answer):
        super().__init__()
        self.counts, self._answer, self._random = Counter(), answer, random.Random(7)

    def __bool__(self):
        return True

    def pop(self, _=0):
        drawn = self._random.random()
        for kind, (share, reply) in FAULTS.items():
            drawn -= share
            if drawn < 0:
                self.counts[kind] += 1
                return dict(reply) if "delay_s" not in reply else reply | {"body": self._answer}
        self.counts["verdict"] += 1
        return {"body": self._answer}


@pytest.fixture
def storm(model_server, answer_body):
    model_server.script = Storm(answer_body())
    return model_server


def test_every_task_is_decided_and_every_class_is_counted_as_the_server_counted_it(
    storm, small_bench, quick_clock, tmp_path
):
    bench = small_bench(120)
    options = Options(out=tmp_path / "runs", workers=8, attempts=40, timeout=1.5)
    judge = NamedJudge("direct", make_judge("direct:mock", {"base_url": storm.url}))
    (run,) = asyncio.run(Runner(bench, options, clock=quick_clock).run([judge], bench.select()))
    assert {outcome.status for outcome in run.latest.values()} == {"verdict"}
    assert len(run.latest) == 120
    kinds = Counter(outcome.error.kind if outcome.error else "verdict" for outcome in run.outcomes)
    assert kinds == storm.script.counts
    assert len(storm.received) == len(run.outcomes)
