"""The direct judge end to end without a key: a real llama.cpp server, a real (small) model, HTTP, a schema, usage.

The model has 135 million parameters and sees no pictures: its verdicts are noise, and only their form is tested.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agenthorizon.running.outcome_lines import parse_outcomes

pytestmark = pytest.mark.outside

TASKS = 2


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    words = [sys.executable, str(Path(__file__).with_name("llama_server.py"))]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        line = process.stdout.readline().decode().strip()
        assert line.startswith("http://127.0.0.1:")
        yield f"{line}/v1"
        process.stdin.close()
        process.wait(timeout=30)


@pytest.fixture(scope="module")
def ran(address: str, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("local")
    judge = folder / "smollm2.toml"
    judge.write_text(
        f'kind = "direct"\nmodel = "smollm2-135m"\nbase_url = "{address}"\n'
        "json_schema = true\nmax_tokens = 200\nseed = 1\n"
    )
    bench_ids = _shortest()
    (folder / "ids.txt").write_text("\n".join(bench_ids))
    words = [
        sys.executable,
        "-m",
        "agenthorizon",
        "run",
        "demo",
        "--judge",
        str(judge),
        "--ids",
        str(folder / "ids.txt"),
    ]
    words += ["--without", "screenshots", "--workers", "1", "--timeout", "400", "--out", str(folder / "runs")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=1500)
    run = Path(done.stdout.strip())
    outcomes = parse_outcomes((run / "outcomes.jsonl").read_bytes()).outcomes
    return done, run, outcomes


def _shortest() -> list[str]:
    from agenthorizon.source import load

    tasks = sorted(load("demo"), key=lambda task: len(json.dumps(task.to_record())))
    return [task.id for task in tasks[:TASKS]]


def test_verdicts_are_held_to_the_schema_and_nothing_else_goes_wrong_than_rambling_on(ran):
    done, _, outcomes = ran
    verdicts = [outcome.verdict for outcome in outcomes if outcome.verdict]
    assert len(outcomes) == TASKS, done.stderr
    assert verdicts, done.stderr
    assert {outcome.error.kind for outcome in outcomes if outcome.error} <= {"truncated"}
    assert {outcome.evidence["answer_format"] for outcome in outcomes} == {"json_schema"}
    assert {verdict.confidence for verdict in verdicts} <= {"low", "medium", "high"}


def test_usage_is_the_servers_own_count(ran):
    _, _, outcomes = ran
    for outcome in outcomes:
        tokens = outcome.telemetry.tokens
        assert 300 < tokens["input"] < 8192
        assert 0 < tokens["output"] <= 200
        assert (outcome.telemetry.requests, outcome.telemetry.images) == (1, 0)


def test_run_and_its_scorecard_say_that_no_screenshot_was_shown(ran):
    _, run, outcomes = ran
    config = json.loads((run / "config.json").read_text("utf-8"))
    assert config["judge"]["name"] == "smollm2, without screenshots"
    assert "without screenshots" in config["protocol"]
    assert {outcome.evidence["pictures"] for outcome in outcomes} == {0}
    words = [sys.executable, "-m", "agenthorizon", "score", str(run)]
    shown = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "without screenshots" in shown


def test_judges_check_finds_that_the_model_takes_no_pictures(address: str):
    words = [sys.executable, "-m", "agenthorizon", "judges", "check", "direct:smollm2", "--base-url", address]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 1
    assert "FAIL" in done.stdout
    assert "picture" in done.stdout.lower()
