"""Every recorded case about command-line tools, with real processes: what a tool prints becomes the task's outcome."""

import asyncio
import json
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agenthorizon.plugins import make_judge
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner

ROWS = map(json.loads, (Path(__file__).parents[1] / "recorded" / "runs.jsonl").read_text("utf-8").splitlines())
CASES = [row for row in ROWS if row["kind"] == "cli" and row["id"] != "cli-hang-children"]  # test_agent_runs.py
STATUS_OF = {"verdict": ("verdict", None), "infra_error": ("failed", True)}

PRINTS = """
import json, pathlib, sys
script, started = json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
number = len(list(started.iterdir()))
(started / str(number)).touch()
step = script[min(number, len(script) - 1)]
sys.stdout.write(step.get("stdout", ""))
sys.stderr.write(step.get("stderr", ""))
sys.exit(step["exit"])
"""


@pytest.fixture
def tool(tmp_path):
    """tool(script): an agent of the user's own that does the next thing of a script each time; what it started."""

    def made(script):
        (tmp_path / "started").mkdir()
        (tmp_path / "script.json").write_text(json.dumps(script))
        (tmp_path / "tool.py").write_text(PRINTS)
        words = [sys.executable, "tool.py", str(tmp_path / "script.json"), str(tmp_path / "started")]
        (tmp_path / "tool.toml").write_text(f'kind = "command"\ncommand = {json.dumps(words)}\nisolation = "none"\n')
        return make_judge(str(tmp_path / "tool.toml")), tmp_path / "started"

    return made


def in_seven_minutes(script):
    """Let the clock time that a case names be as far from now as it is from the case's own time."""
    soon = datetime.now() + timedelta(minutes=7)
    return [
        {
            name: value.replace("12:05 AM", f"{soon:%I:%M %p}") if name == "stderr" else value
            for name, value in step.items()
        }
        for step in script
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_what_a_tool_left_becomes_the_outcome_its_case_asks_for(case, small_bench, leaping_clock, tmp_path, tool):
    judge, folder = tool(in_seven_minutes(case["script"]))
    bench = small_bench(1)
    options = Options(out=tmp_path / "runs", workers=1, attempts=case["config"]["max_attempts"])
    runner = Runner(bench, options, clock=leaping_clock)
    (run,) = asyncio.run(runner.run([NamedJudge("tool", judge)], bench.select()))
    expect, (outcome,) = case["expect"], run.latest.values()
    status, passing = STATUS_OF[expect["outcome"]]
    assert (outcome.status, outcome.error and outcome.error.passing) == (status, passing)
    requests, started = expect["requests"], len(list(folder.iterdir()))
    assert requests[0] <= started <= requests[1] if isinstance(requests, list) else started == requests
    waited = sum(leaping_clock.waits)
    assert expect.get("min_wait_s", 0) - 60 <= waited <= expect.get("max_wait_s", 1e9)
    if "success" in expect:
        assert outcome.verdict.success is expect["success"]


@pytest.mark.parametrize(
    "text",
    [
        "I think the run failed: step 9 shows an API Error, rate limit reached.",
        "Error: the sheet was never saved.",
        'API Error: Rate limit reached\n{"success": true, "reasoning": "it hit a rate limit and went on"}',
    ],
)
def test_an_answer_that_speaks_of_errors_is_no_error(text, small_bench, tmp_path):
    import agenthorizon as ah

    class Says:
        def judge(self, case):
            return text

    run = ah.run(small_bench(1), Says(), out=tmp_path / "runs")
    assert run.outcomes[0].status in ("malformed", "verdict")
