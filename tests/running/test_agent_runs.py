"""Runs of agents keep what other runs keep: nothing finished is asked again, nothing hangs, no cap is passed."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import agenthorizon as ah
from agenthorizon.errors import RunStopped
from agenthorizon.plugins import make_judge
from agenthorizon.running.store import read_run

ROWS = map(json.loads, (Path(__file__).parents[1] / "recorded" / "runs.jsonl").read_text("utf-8").splitlines())
HANGS = next(row for row in ROWS if row["id"] == "cli-hang-children")
YES = """echo '{"success": true, "reasoning": "x", "confidence": "low"}'"""
TASKS, WORKERS = 12, 2


@pytest.fixture
def agent(tmp_path):
    """agent(program, **settings): a judge file of an agent of the user's own, a shell script or a Python program."""

    def made(program, language="sh", **settings):
        (tmp_path / f"agent.{language}").write_text(program)
        word = "sh" if language == "sh" else sys.executable
        lines = ['kind = "command"', f"command = {json.dumps([word, str(tmp_path / f'agent.{language}')])}"]
        lines += [f"{name} = {value}" for name, value in ({"isolation": '"none"'} | settings).items()]
        (tmp_path / "agent.toml").write_text("\n".join(lines))
        return tmp_path / "agent.toml"

    return made


def running(marker):
    """The processes whose command line has the marker."""
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            is_over = "\nState:\tZ" in (folder / "status").read_text()
            if not is_over and marker.encode() in (folder / "cmdline").read_bytes():
                found.append(folder.name)
    return found


@pytest.mark.parametrize("row", [HANGS], ids=[HANGS["id"]])
def test_a_tool_that_waits_for_ever_is_ended_with_the_child_it_started(row, agent, small_bench, tmp_path):
    (step,) = row["script"]
    assert step["spawn_child"]
    marker = f"{step['sleep_s']}.{random.randrange(10**9)}"  # seconds to sleep, and a name for these processes alone
    file = agent(f"sleep {marker} &\nsetsid sleep {marker} &\ntouch {tmp_path}/begun\nsleep {marker}\n{YES}\n")
    judge = make_judge(str(file), {"seconds": row["config"]["timeout_s"]})
    run = ah.run(small_bench(1), judge, out=tmp_path / "runs", attempts=row["config"]["max_attempts"])
    (outcome,) = run.outcomes
    assert (tmp_path / "begun").exists()
    assert (outcome.status, outcome.error.kind, outcome.error.passing) == ("failed", "timeout", True)
    assert len(running(marker)) == row["expect"]["children_left"]
    assert outcome.telemetry.seconds <= row["expect"]["max_total_s"]


@pytest.mark.parametrize("isolation", ["none", pytest.param("bubblewrap", marks=pytest.mark.outside)])
def test_an_agents_run_that_is_killed_goes_on_without_asking_a_finished_task_again(
    isolation, agent, small_bench, tmp_path
):
    """The agent's own log counts its starts, where it may write one."""
    log = tmp_path / "log"
    note = f"grep -o 'Do [0-9]*' task.md | head -n 1 >> {log}\n" if isolation == "none" else ""
    file = agent(f'cd "$AGENTHORIZON_TASK"\n{note}sleep 0.3\n{YES}\n', isolation=f'"{isolation}"')
    data, out = small_bench(TASKS).location, tmp_path / "runs"
    command = [sys.executable, "-m", "agenthorizon", "run", data, "--judge", file, "--workers", str(WORKERS)]
    command += ["--out", out]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and lines_in(out) < 4:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    (folder,) = out.iterdir()
    before = read_run(folder)
    assert 4 <= len(before.outcomes) < TASKS

    ended = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    after = read_run(folder)
    assert after.outcomes[: len(before.outcomes)] == before.outcomes
    assert Counter(outcome.task_id for outcome in after.outcomes) == Counter(f"task-{n:04d}" for n in range(TASKS))
    assert {outcome.status for outcome in after.outcomes} == {"verdict"}
    if isolation == "none":
        starts = Counter(int(line.removeprefix("Do ")) for line in log.read_text().splitlines())
        assert all(starts[int(outcome.task_id.removeprefix("task-"))] == 1 for outcome in before.outcomes)
        assert sum(starts.values()) <= TASKS + WORKERS


def lines_in(out):
    return sum(file.read_bytes().count(b"\n") for file in out.glob("*/outcomes.jsonl"))


ASKS = """
import json, os, urllib.request
body = json.dumps({"model": os.environ["AGENTHORIZON_MODEL"], "messages": [{"role": "user", "content": "?"}]}).encode()
for _ in range(TIMES):
    request = urllib.request.Request(
        os.environ["AGENTHORIZON_ENDPOINT"] + "/v1/chat/completions", body,
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["AGENTHORIZON_KEY"]},
    )
    urllib.request.urlopen(request).read()
print('{"success": true, "reasoning": "x"}')
"""
PRICES = "{ input = 1000.0, output = 0.0 }"
EACH = 1.2
"""Dollars a request: 1,200 tokens, as the server counts, at that price."""


@pytest.fixture
def spent(agent, small_bench, model_server, tmp_path, monkeypatch):
    """spent(times, cap, dollars): how a run of agents that ask so often ends, and what stands in its folder."""
    monkeypatch.setenv("OPENAI_API_KEY", "dummy-key-for-loopback")

    def ran(times, cap, **settings):
        where = {"model": '"mock"', "base_url": f'"{model_server.url}"', "prices": PRICES}
        file = agent(ASKS.replace("TIMES", str(times)), "py", **where, **settings)
        reason = None
        try:
            ah.run(small_bench(8), make_judge(str(file)), out=tmp_path / "runs", workers=4, max_cost=cap)
        except RunStopped as stopped:
            reason = stopped.code
        (folder,) = (tmp_path / "runs").iterdir()
        return reason, read_run(folder).outcomes

    return ran


def test_a_run_of_agents_stops_before_its_cap(spent, model_server):
    reason, outcomes = spent(2, cap=9.0)
    costs = [outcome.telemetry.cost for outcome in outcomes]
    assert reason == "cap"
    assert costs == [pytest.approx(2 * EACH)] * len(costs)
    assert 0 < sum(costs) <= 9.0
    assert len(model_server.received) == 2 * len(outcomes)


def test_an_agent_stops_at_its_own_cap_and_the_run_at_its(spent):
    reason, outcomes = spent(50, cap=9.0, dollars=2.0)
    costs = [outcome.telemetry.cost for outcome in outcomes]
    assert reason == "cap"
    assert {outcome.error.kind for outcome in outcomes} == {"turn_limit"}
    assert max(costs) <= 2.0 + EACH  # the request that passes the cap is the last one
    assert sum(costs) <= 9.0


def test_below_both_caps_every_task_is_judged(spent):
    reason, outcomes = spent(1, cap=60.0, dollars=2.0)
    assert reason is None
    assert {outcome.status for outcome in outcomes} == {"verdict"}
    assert sum(outcome.telemetry.cost for outcome in outcomes) == pytest.approx(8 * EACH)
