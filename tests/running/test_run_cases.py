"""What a provider may answer, and what becomes of the task: every HTTP and stream case, on a real server."""

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from agenthorizon.errors import RunStopped
from agenthorizon.plugins import make_judge
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner
from agenthorizon.source import load

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "recorded" / "runs.jsonl").read_text("utf-8").splitlines()
    if json.loads(line)["kind"] in ("http", "stream")
]
REASKED = {"malformed-then-good": 3, "malformed-always": 3}
STATUS_OF = {
    "verdict": ("verdict", None),
    "invalid_reply": ("malformed", None),
    "refusal": ("failed", "refused"),
    "truncated": ("failed", "truncated"),
    "too_large": ("failed", "too_large"),
}


class PlayedOut:
    """The outcome of one scripted case: what was written, how long was waited, what the server got."""

    def __init__(self, case, server, folder, clock):
        self.clock = clock
        self.waits = self.clock.waits
        server.script[:] = [_now_in(reply) for reply in case["script"]]
        config = case["config"]
        self.stopped = None
        judge = NamedJudge("direct", make_judge("direct:mock", {"base_url": server.url}))
        options = Options(
            out=folder,
            workers=1,
            attempts=config["max_attempts"],
            timeout=config.get("timeout_s", 30),
            reask=REASKED.get(case["id"], 0),
        )
        bench = load("demo")
        self.task_id = bench.select("AH-D")[0]
        started = time.monotonic()
        try:
            (self.run,) = asyncio.run(Runner(bench, options, clock=self.clock).run([judge], [self.task_id]))
        except RunStopped as error:
            self.stopped = error
        self.seconds = time.monotonic() - started
        self.requests = len(server.received)

    @property
    def last(self):
        return self.run.latest[self.task_id, 0]


def _now_in(reply):
    """Fill in the dates that a script gives relative to now."""
    headers = dict(reply.get("headers", {}))
    for name, value in headers.items():
        if value.startswith("{{http_date:"):
            offset = int(value.removeprefix("{{http_date:").rstrip("}"))
            headers[name] = format_datetime(datetime.now(UTC) + timedelta(seconds=offset), usegmt=True)
    return {**reply, "headers": headers}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_provider_answer_becomes_the_outcome_its_case_asks_for(
    case, model_server, leaping_clock, tmp_path, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "dummy-key-for-loopback")
    expect = case["expect"]
    played = PlayedOut(case, model_server, tmp_path, leaping_clock)
    if expect["outcome"] == "abort_run":
        assert played.stopped is not None
        assert played.requests <= expect["requests_max"]
        assert "dummy-key-for-loopback" not in str(played.stopped)
        return
    status, kind = STATUS_OF[expect["outcome"]]
    assert played.stopped is None
    assert played.last.status == status
    assert kind is None or played.last.error.kind == kind
    assert kind is None or not played.last.error.passing
    wanted = expect.get("requests", played.requests)
    assert wanted[0] <= played.requests <= wanted[1] if isinstance(wanted, list) else played.requests == wanted
    waited = sum(played.waits)
    assert expect.get("min_wait_s", 0) - 1 <= waited <= expect.get("max_wait_s", 1e9)
    if "success" in expect:
        assert played.last.verdict.success is expect["success"]
    if "mistake_type" in expect:
        assert played.last.verdict.mistake_type == expect["mistake_type"]


def case(name):
    return next(case for case in CASES if case["id"] == name)


def test_every_attempt_is_written(model_server, leaping_clock, tmp_path):
    played = PlayedOut(case("malformed-then-good"), model_server, tmp_path, leaping_clock)
    assert [outcome.status for outcome in played.run.outcomes] == ["malformed", "verdict"]
    assert [outcome.attempt for outcome in played.run.outcomes] == [1, 2]


def test_without_reask_an_invalid_reply_is_asked_once(model_server, leaping_clock, tmp_path, monkeypatch):
    monkeypatch.delitem(REASKED, "malformed-always")
    assert PlayedOut(case("malformed-always"), model_server, tmp_path, leaping_clock).requests == 1


def test_a_late_reply_never_overwrites_the_one_that_counts(model_server, leaping_clock, tmp_path):
    played = PlayedOut(case("timeout-then-late"), model_server, tmp_path, leaping_clock)
    assert [outcome.status for outcome in played.run.outcomes] == ["failed", "verdict"]
    assert played.run.outcomes[0].error.kind == "timeout"


def test_tokens_that_nobody_reported_are_unknown_and_not_zero(model_server, leaping_clock, tmp_path):
    played = PlayedOut(case("usage-missing"), model_server, tmp_path, leaping_clock)
    assert played.last.telemetry.tokens is None
    assert played.last.telemetry.cost is None


def test_the_wait_a_server_asks_for_is_kept(model_server, leaping_clock, tmp_path):
    (wait,) = PlayedOut(case("429-long"), model_server, tmp_path, leaping_clock).waits
    assert 600 <= wait < 610
