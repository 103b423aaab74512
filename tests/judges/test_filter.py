"""Filter: which screenshots are shown, that the last are among them, and what is said of the others."""

import asyncio
import base64
import json
import signal
import subprocess
import sys
import time
from contextlib import closing
from io import BytesIO

import pytest
from agenthorizon.judges._changes import most_changed
from agenthorizon.judges._picking import numbers_in
from PIL import Image

from agenthorizon.case import View
from agenthorizon.errors import UsageError
from agenthorizon.evidence.blind import build_case
from agenthorizon.evidence.picture_cache import PictureCache
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.evidence.pixels import Pixels
from agenthorizon.plugins import make_judge
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.planning import plans
from agenthorizon.running.run_state import BrokenOff, state_of
from agenthorizon.running.runner import Runner
from agenthorizon.running.store import read_run
from agenthorizon.source import load

BENCH = load("demo")
LONGEST = max(BENCH, key=lambda task: sum(bool(step.screenshot) for step in task.trajectory.steps))
PICTURED = [number for number, step in enumerate(LONGEST.trajectory.steps, start=1) if step.screenshot]


@pytest.fixture(autouse=True)
def _own_texts(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTHORIZON_CACHE", str(tmp_path / "cache"))


def outcome_of(server, tmp_path, timeout=60, repeats=1, **settings):
    judge = make_judge("filter", {"model": "large", "base_url": server.url} | settings)
    runner = Runner(BENCH, Options(out=tmp_path / "runs", attempts=1, timeout=timeout, repeats=repeats))
    (run,) = asyncio.run(runner.run([NamedJudge("filter", judge)], [LONGEST.id]))
    return run.outcomes[-1]


def content(request):
    return request.json["messages"][1]["content"]


def sizes(request):
    urls = [part["image_url"]["url"] for part in content(request) if part["type"] == "image_url"]
    found = []
    for url in urls:
        with Image.open(BytesIO(base64.b64decode(url.split(",")[1]))) as image:
            found.append(image.size)
    return found


@pytest.mark.parametrize("keep", [3, 4, 6, 10])
def test_last_screenshots_are_always_among_the_picked(keep, model_server, tmp_path):
    outcome = outcome_of(model_server, tmp_path, keep=keep, last=3)
    chosen = outcome.evidence["chosen"]
    assert chosen[-3:] == PICTURED[-3:]
    assert len(chosen) == keep == len(sizes(model_server.received[0])) == outcome.telemetry.images


def test_picked_screenshots_are_large_and_every_action_is_told(model_server, tmp_path):
    from agenthorizon.evidence.actions import wording

    outcome = outcome_of(model_server, tmp_path, keep=4)
    assert max(max(size) for size in sizes(model_server.received[0])) > 512
    said = "".join(part.get("text", "") for part in content(model_server.received[0]))
    assert [step for step in LONGEST.trajectory.steps if wording(step.action) not in said] == []
    left_out = [number for number in PICTURED if number not in outcome.evidence["chosen"]]
    assert [number for number in left_out if f"Step {number} (its screenshot is left out here)" not in said] == []


def test_short_recording_is_shown_whole(model_server, tmp_path):
    outcome = outcome_of(model_server, tmp_path, keep=500)
    assert outcome.evidence["chosen"] == PICTURED


def test_model_picks_seeing_all_screenshots_small(model_server, answer_body, tmp_path):
    wanted = [PICTURED[2], PICTURED[5]]
    model_server.script = [{"body": answer_body(json.dumps({"steps": [*wanted, 9999]}))}]
    outcome = outcome_of(model_server, tmp_path, keep=5, last=3, picker="model", picker_model="cheap")
    picking, judging = model_server.received
    assert (picking.json["model"], judging.json["model"]) == ("cheap", "large")
    assert len(sizes(picking)) == len(PICTURED)
    assert max(max(size) for size in sizes(picking)) <= 512
    assert "at most 2 steps" in picking.json["messages"][0]["content"]
    assert outcome.evidence["chosen"] == sorted({*wanted, *PICTURED[-3:]})
    assert (outcome.telemetry.requests, outcome.telemetry.images) == (2, len(PICTURED) + 5)


@pytest.mark.parametrize(("keep", "requests"), [(3, 1), (4, 2), (500, 1)])
def test_a_model_picks_only_where_there_is_something_to_pick_and_so_it_is_planned(
    keep, requests, model_server, answer_body, tmp_path
):
    picking = {"body": answer_body(json.dumps({"steps": PICTURED}))}
    model_server.script = [picking] if requests == 2 else []
    settings = {"keep": keep, "last": 3, "picker": "model"}
    judge = make_judge("filter", {"model": "large", "base_url": model_server.url} | settings)
    (planned,) = plans(BENCH, judge, [LONGEST.id])
    outcome = outcome_of(model_server, tmp_path, **settings)
    assert planned.evidence["requests"] == outcome.telemetry.requests == len(model_server.received) == requests


def test_more_picks_than_asked_for_cannot_push_the_last_out(model_server, answer_body, tmp_path):
    model_server.script = [{"body": answer_body(json.dumps({"steps": PICTURED}))}]
    chosen = outcome_of(model_server, tmp_path, keep=5, last=3, picker="model").evidence["chosen"]
    assert chosen == sorted({*PICTURED[:2], *PICTURED[-3:]})


def test_model_that_picks_nothing_fails_the_task_and_the_judge_is_not_asked(model_server, answer_body, tmp_path):
    model_server.script = [{"body": answer_body("The third one, I think.")}]
    outcome = outcome_of(model_server, tmp_path, keep=5, picker="model")
    assert (outcome.status, outcome.error.kind, outcome.error.passing) == ("failed", "no_pick", False)
    assert len(model_server.received) == 1
    assert (outcome.telemetry.requests, outcome.telemetry.tokens["input"]) == (1, 1200)


def test_what_picking_took_is_counted_where_the_judge_s_own_request_fails(model_server, answer_body, tmp_path):
    picks = {"body": answer_body(json.dumps({"steps": [PICTURED[2]]}))}
    model_server.script = [picks, {"status": 429, "body": {"error": {"message": "slow down"}}}]
    prices = {"input": 1.0, "output": 10.0}
    outcome = outcome_of(model_server, tmp_path, keep=5, picker="model", prices=prices)
    assert (outcome.status, outcome.error.kind) == ("failed", "rate_limited")
    assert outcome.telemetry.requests == 1
    assert outcome.telemetry.cost == pytest.approx((1200 * 1.0 + 40 * 10.0) / 1e6)


def test_a_heuristic_s_pick_costs_nothing_where_the_judge_s_own_request_fails(model_server, tmp_path):
    model_server.script = [{"status": 429, "body": {"error": {"message": "slow down"}}}]
    outcome = outcome_of(model_server, tmp_path, keep=5, prices={"input": 1.0, "output": 10.0})
    assert (outcome.error.kind, outcome.telemetry.cost) == ("rate_limited", None)


def test_a_picking_is_neither_lost_nor_paid_twice_where_the_run_is_killed_behind_it(
    model_server, answer_body, tmp_path
):
    """Killed while the verdict is awaited: the next attempt asks for that alone, and its outcome counts the picking."""
    file = tmp_path / "judge.toml"
    settings = f'kind = "filter"\nmodel = "m"\nbase_url = "{model_server.url}"\nkeep = 5\npicker = "model"\n'
    file.write_text(settings)
    (tmp_path / "ids.txt").write_text(LONGEST.id)
    command = [sys.executable, "-m", "agenthorizon", "run", "demo", "--judge", str(file)]
    command += ["--ids", str(tmp_path / "ids.txt"), "--out", str(tmp_path / "runs"), "--attempts", "1"]
    picks = {"body": answer_body(json.dumps({"steps": [PICTURED[2]]}))}
    model_server.script = [picks, {"body": answer_body("late"), "delay_s": 5}]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(model_server.received) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (folder,) = (tmp_path / "runs").iterdir()
    assert state_of(read_run(folder)).broken_off == BrokenOff(attempts=1, requests=1)
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert len(model_server.received) == 2 + 1
    assert state_of(read_run(folder)).broken_off == BrokenOff()
    (outcome,) = read_run(folder).outcomes
    assert (outcome.status, outcome.evidence["requests_before"]) == ("verdict", 1)
    assert (outcome.telemetry.requests, outcome.telemetry.tokens["input"]) == (2, 2 * 1200)
    assert outcome.telemetry.images == len(PICTURED) + 4


def test_a_picking_of_an_attempt_that_ran_out_of_time_is_counted_where_the_next_one_fails(
    model_server, answer_body, tmp_path
):
    picks = {"body": answer_body(json.dumps({"steps": [PICTURED[2]]}))}
    model_server.script = [picks, {"body": answer_body("late"), "delay_s": 5}]
    settings = {"keep": 5, "picker": "model"}
    assert outcome_of(model_server, tmp_path, timeout=2, **settings).error.kind == "timeout"
    busy = {"status": 429, "body": {"error": {"message": "slow down"}}}
    model_server.script = [busy]
    failed = outcome_of(model_server, tmp_path, **settings)
    assert (failed.error.kind, failed.telemetry.requests, failed.evidence["requests_before"]) == ("rate_limited", 1, 1)
    last = outcome_of(model_server, tmp_path, **settings)
    assert (last.status, last.telemetry.requests, "requests_before" in last.evidence) == ("verdict", 1, False)


def test_a_repeat_is_picked_anew_once_a_picking_has_led_to_a_verdict(model_server, answer_body, tmp_path):
    picks = {"body": answer_body(json.dumps({"steps": [PICTURED[2]]}))}
    settings = {"keep": 5, "picker": "model"}
    for repeats in (1, 2):
        model_server.script = [picks]
        outcome = outcome_of(model_server, tmp_path, repeats=repeats, **settings)
        assert (outcome.status, outcome.repeat, outcome.telemetry.requests) == ("verdict", repeats - 1, 2)


def test_tokens_of_another_model_that_picks_have_no_price(model_server, answer_body, tmp_path):
    picks = {"body": answer_body(json.dumps({"steps": [PICTURED[2]]}))}
    model_server.script = [picks]
    prices = {"input": 1.0, "output": 10.0}
    outcome = outcome_of(model_server, tmp_path, keep=5, picker="model", picker_model="dear", prices=prices)
    assert (outcome.status, outcome.telemetry.requests, outcome.telemetry.cost) == ("verdict", 2, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"steps": [3, 1]}', [3, 1]),
        ('Here: ```json\n{"steps": [4]}\n```', [4]),
        ('{"steps": [1]} no, {"steps": [2, true, "3"]}', [2]),
        ('{"step": 3}', []),
        ("", []),
    ],
)
def test_steps_are_read_from_an_answer(text, expected):
    assert numbers_in(text) == expected


def test_heuristic_takes_the_screenshots_that_changed_most():
    from agenthorizon.case import ShownStep

    class Grey:
        def __init__(self, level):
            self.level = level

        def seen(self, view):
            return self

        def encoded(self):
            png = BytesIO()
            Image.new("RGB", (64, 64), (self.level,) * 3).save(png, "PNG")
            return png.getvalue()

    levels = [0, 0, 200, 201, 90, 90, 95]
    steps = [ShownStep(number, None, "", Grey(level)) for number, level in enumerate(levels, start=1)]
    assert most_changed(steps, 3) == [1, 3, 5]


def test_next_task_on_a_recording_decodes_no_screenshot_to_compare_it(tmp_path, monkeypatch):
    monkeypatch.setattr("agenthorizon.evidence.recorded_file._SETTLED", -60)
    decoded = []

    class Noting(Pixels):
        def decoded(self, *given):
            decoded.append(given)
            return super().decoded(*given)

    def picked():
        decoded.clear()
        with closing(Pictures(PictureCache(tmp_path / "kept"), Noting())) as pictures:
            case = build_case(LONGEST, BENCH.screenshots(LONGEST), View(), "the guide", pictures).case
            return most_changed([step for step in case.steps if step.picture], 5), len(decoded)

    (first, read), (second, read_again) = picked(), picked()
    assert first == second
    assert (read >= len(PICTURED) // 2, read_again) == (True, 0)


def test_more_last_screenshots_than_are_kept_is_refused():
    with pytest.raises(UsageError, match="last = 5 screenshots do not fit into keep = 4"):
        make_judge("filter:m", {"keep": 4, "last": 5})


@pytest.mark.parametrize(("good", "role"), [(0, "the model that picks, small"), (1, "the model that judges, large")])
def test_of_two_models_the_one_that_failed_is_named(good, role, model_server, answer_body, tmp_path):
    refusal = {"status": 400, "body": {"error": {"message": "no"}}}
    picks = {"body": answer_body(json.dumps({"steps": PICTURED[:2]}))}
    model_server.script = [*[picks] * good, refusal]
    error = outcome_of(model_server, tmp_path, keep=5, picker="model", picker_model="small").error
    assert error.message.startswith(f"{role}, at {model_server.url}: HTTP 400")
