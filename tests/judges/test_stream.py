"""Stream: every step is new in one window, each request begins with the one before, notes are carried, none is lost."""

import asyncio
import base64
import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from agenthorizon.evidence.ablation import make_ablation
from agenthorizon.evidence.actions import wording
from agenthorizon.plugins import make_judge
from agenthorizon.running.config import describe as config_of
from agenthorizon.running.estimate import Estimate
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.planning import plans
from agenthorizon.running.runner import Runner
from agenthorizon.running.store import read_run
from agenthorizon.source import load

ROOT = Path(__file__).parents[2]
BENCH = load("demo")
TASK = max(BENCH, key=lambda task: sum(bool(step.screenshot) for step in task.trajectory.steps))
STEPS = TASK.trajectory.steps
FILES = [shot.path for shot in BENCH.screenshots(TASK) if shot.path]
BUSY = {"status": 429, "body": {"error": {"message": "slow down"}}}
PRICES = {"input": 1.0, "output": 10.0}
END = b"]}]}"
"""Of a request: its last user message, its messages, itself."""
WINDOWS = -(-len(STEPS) // 4)


@pytest.fixture(autouse=True)
def _own_texts(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTHORIZON_CACHE", str(tmp_path / "cache"))


def judge_at(server, **settings):
    return make_judge("stream", {"model": "m", "base_url": server.url, "window": 4} | settings)


def outcome_of(judge, folder, **options):
    runner = Runner(BENCH, Options(**{"out": folder, "attempts": 1} | options))
    (run,) = asyncio.run(runner.run([NamedJudge("stream", judge)], [TASK.id]))
    return run.outcomes[-1]


def notes(answer_body, count=WINDOWS - 1):
    return [{"body": answer_body(f'Note {number}: nothing "odd" yet.\n')} for number in range(1, count + 1)]


def parts(message):
    return message["content"] if isinstance(message["content"], list) else []


def text_of(message):
    return "".join(part.get("text", "") for part in parts(message))


def pictures(message):
    urls = [part["image_url"]["url"] for part in parts(message) if part["type"] == "image_url"]
    return [base64.b64decode(url.split(",")[1]) for url in urls]


def new_in(server):
    """Return the last user message of every request: what it adds."""
    return [request.json["messages"][-1] for request in server.received]


def small(data):
    with Image.open(BytesIO(data)) as image:
        return np.asarray(image.convert("RGB").resize((256, 166)), dtype=np.float32)


def steps_told(text):
    return [int(line.split()[1]) for line in text.splitlines() if line.startswith("Step ")]


def test_every_screenshot_is_new_in_one_window_in_order_and_the_right_one(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body)
    outcome = outcome_of(judge_at(model_server), tmp_path)
    sent = [data for message in new_in(model_server) for data in pictures(message)]
    assert len(model_server.received) == WINDOWS == outcome.telemetry.requests
    assert len(sent) == len(FILES)
    assert (
        max(np.abs(small(data) - small(file.read_bytes())).mean() for data, file in zip(sent, FILES, strict=True)) < 3
    )


def test_every_step_with_its_action_is_new_in_one_window(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body)
    outcome = outcome_of(judge_at(model_server), tmp_path)
    told = [steps_told(text_of(message)) for message in new_in(model_server)]
    assert [number for window in told for number in window] == list(range(1, len(STEPS) + 1))
    assert [len(window) for window in told[:-1]] == [4] * (WINDOWS - 1)
    assert [window["steps"] for window in outcome.evidence["windows"]] == [[each[0], each[-1]] for each in told]
    whole = "".join(map(text_of, new_in(model_server)))
    assert [step for step in STEPS if wording(step.action) not in whole] == []


def test_each_request_begins_with_the_one_before_byte_for_byte(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body)
    outcome_of(judge_at(model_server), tmp_path)
    bodies = [request.body for request in model_server.received]
    for before, after in pairwise(bodies):
        assert before.endswith(END)
        assert after.startswith(before.removesuffix(END))
        assert len(after) > len(before)


def test_notes_stand_in_the_conversation_as_the_model_wrote_them(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body)
    outcome_of(judge_at(model_server), tmp_path)
    messages = model_server.received[-1].json["messages"]
    assert [message["role"] for message in messages] == ["system", *["user", "assistant"] * (WINDOWS - 1), "user"]
    said = [message["content"] for message in messages if message["role"] == "assistant"]
    assert said == [f'Note {number}: nothing "odd" yet.\n' for number in range(1, WINDOWS)]
    assert "Write your notes on it" in text_of(messages[-3])
    assert "answer with the one JSON object" in text_of(messages[-1])
    assert "Write your notes" not in text_of(messages[-1])
    assert sum(TASK.instruction in text_of(message) for message in messages) == 1


def test_what_all_windows_took_is_summed(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body)
    outcome = outcome_of(judge_at(model_server, prices=PRICES), tmp_path)
    assert outcome.telemetry.tokens["input"] == WINDOWS * 1200
    assert outcome.telemetry.cost == pytest.approx(WINDOWS * (1200 * 1.0 + 40 * 10.0) / 1e6)
    sent = sum(len(pictures(message)) for request in model_server.received for message in request.json["messages"])
    assert outcome.telemetry.images == sent > len(FILES)
    assert outcome.verdict.success is False


@pytest.mark.parametrize("limits", [{"images": 9}, {"context": 12000}], ids=["pictures", "context"])
def test_where_a_limit_is_reached_older_screenshots_are_dropped_and_actions_and_notes_stay(
    limits, model_server, answer_body, tmp_path
):
    model_server.script = notes(answer_body, 100)
    outcome = outcome_of(judge_at(model_server, limits=limits), tmp_path)
    assert outcome.status == "malformed"  # the script answers notes to the end
    starts = [window["screenshots_from"] for window in outcome.evidence["windows"]]
    assert starts[0] == 1 < starts[-1]
    sent = [data for message in new_in(model_server) for data in pictures(message)]
    assert len(sent) == len(FILES)
    for request, window in zip(model_server.received, outcome.evidence["windows"], strict=True):
        messages = request.json["messages"]
        shown = [data for message in messages for data in pictures(message)]
        own = range(window["screenshots_from"], window["steps"][1] + 1)
        assert len(shown) == sum(bool(STEPS[number - 1].screenshot) for number in own)
        if "images" in limits:
            assert len(shown) <= limits["images"]
        told = "".join(map(text_of, messages))
        if "context" in limits:
            written = sum(len(message["content"]) for message in messages if isinstance(message["content"], str))
            assert (len(told) + written) / 3 + len(shown) * (85 + 512 * 332 / 170) < limits["context"]
        assert steps_told(told) == list(range(1, window["steps"][1] + 1))
        assert told.count("shown before and is left out here") == sum(
            bool(step.screenshot) for step in STEPS[: window["screenshots_from"] - 1]
        )
        assert [step for step in STEPS[: window["steps"][1]] if wording(step.action) not in told] == []
        assert sum(message["role"] == "assistant" for message in messages) == model_server.received.index(request)


def test_between_two_droppings_requests_still_begin_with_the_one_before(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body)
    outcome = outcome_of(judge_at(model_server, limits={"images": 9}), tmp_path)
    starts = [window["screenshots_from"] for window in outcome.evidence["windows"]]
    bodies = [request.body for request in model_server.received]
    extends = [after.startswith(before.removesuffix(END)) for before, after in pairwise(bodies)]
    assert extends == [before == after for before, after in pairwise(starts)]
    assert True in extends


def test_windows_are_made_smaller_where_a_server_takes_fewer_screenshots(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body, len(STEPS))
    outcome_of(judge_at(model_server, limits={"images": 2}), tmp_path)
    assert {len(pictures(message)) for message in new_in(model_server)} <= {0, 1, 2}
    assert sum(len(pictures(message)) for message in new_in(model_server)) == len(FILES)
    sizes = {small_size for message in new_in(model_server) for small_size in map(size, pictures(message))}
    assert max(width for width, _ in sizes) > 256


def test_screenshots_are_made_smaller_only_where_no_window_fits_as_asked(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body)
    outcome = outcome_of(judge_at(model_server, limits={"context": 7000}), tmp_path)
    assert outcome.status == "verdict"
    assert (outcome.evidence["fit"] < [512, 332], outcome.evidence["why"]) == (True, ["a context of 7,000 tokens"])
    assert sum(len(pictures(message)) for message in new_in(model_server)) == len(FILES)


def size(data):
    with Image.open(BytesIO(data)) as image:
        return image.size


def test_what_fits_into_no_request_is_said_and_not_sent(model_server, tmp_path):
    outcome = outcome_of(judge_at(model_server, limits={"context": 1500}), tmp_path)
    assert (outcome.status, outcome.error.kind, outcome.error.passing) == ("failed", "too_large", False)
    assert model_server.received == []


def test_a_server_that_says_what_it_takes_is_believed_and_no_window_is_paid_twice(model_server, answer_body, tmp_path):
    refusal = {"status": 400, "body": {"error": {"message": "At most 9 image(s) may be provided in one request."}}}
    model_server.script = [*notes(answer_body, 2), refusal, *notes(answer_body, WINDOWS - 3)]
    outcome = outcome_of(judge_at(model_server), tmp_path, attempts=2)
    assert outcome.status == "verdict"
    assert len(model_server.received) == WINDOWS + 1
    assert outcome.evidence["notes_kept"] == 2


def test_a_failure_in_the_middle_is_counted_and_the_next_attempt_goes_on_from_there(
    model_server, answer_body, tmp_path
):
    model_server.script = [*notes(answer_body, 2), BUSY]
    outcome = outcome_of(judge_at(model_server, prices=PRICES), tmp_path)
    assert (outcome.status, outcome.error.kind) == ("failed", "rate_limited")
    assert outcome.telemetry.requests == 2
    assert outcome.telemetry.cost == pytest.approx(2 * (1200 * 1.0 + 40 * 10.0) / 1e6)
    refused = model_server.received[-1].body
    again = outcome_of(judge_at(model_server, prices=PRICES), tmp_path)
    assert (again.status, again.evidence["notes_kept"]) == ("verdict", 2)
    assert again.telemetry.requests == WINDOWS - 2
    assert model_server.received[3].body == refused


def test_what_was_noted_for_one_repeat_is_taken_up_by_no_other(model_server, answer_body, tmp_path):
    model_server.script = [*notes(answer_body, 2), BUSY]
    outcome = outcome_of(judge_at(model_server), tmp_path, repeats=2, workers=1)
    assert (outcome.repeat, outcome.status, outcome.evidence["notes_kept"]) == (1, "verdict", 0)
    assert len(model_server.received) == 3 + WINDOWS


def test_what_was_noted_in_one_run_folder_is_taken_up_in_no_other(model_server, answer_body, tmp_path):
    model_server.script = [*notes(answer_body, 2), BUSY]
    outcome_of(judge_at(model_server), tmp_path / "one")
    elsewhere = outcome_of(judge_at(model_server), tmp_path / "two")
    assert (elsewhere.evidence["notes_kept"], len(model_server.received)) == (0, 3 + WINDOWS)
    (tmp_path / "one").rename(tmp_path / "moved")
    again = outcome_of(judge_at(model_server), tmp_path / "moved")
    assert (again.status, again.evidence["notes_kept"]) == ("verdict", 2)


def test_what_an_attempt_paid_for_before_its_time_ran_out_is_counted_once(model_server, answer_body, tmp_path):
    model_server.script = [*notes(answer_body, 2), {"body": answer_body("late"), "delay_s": 5}]
    judge = judge_at(model_server, prices=PRICES)
    outcome = outcome_of(judge, tmp_path, timeout=3)
    assert (outcome.error.kind, outcome.telemetry.cost) == ("timeout", None)
    model_server.script = [BUSY]
    again = outcome_of(judge_at(model_server, prices=PRICES), tmp_path)
    assert (again.error.kind, again.telemetry.requests, again.evidence["requests_before"]) == ("rate_limited", 2, 2)
    assert again.telemetry.cost == pytest.approx(2 * (1200 * 1.0 + 40 * 10.0) / 1e6)
    last = outcome_of(judge_at(model_server, prices=PRICES), tmp_path)
    assert (last.status, last.evidence["notes_kept"], last.telemetry.requests) == ("verdict", 2, WINDOWS - 2)
    assert "requests_before" not in last.evidence


def test_votes_of_one_judge_each_go_on_with_their_own_notes(model_server, answer_body, tmp_path):
    file = tmp_path / "streamed.toml"
    file.write_text(f'kind = "stream"\nmodel = "m"\nbase_url = "{model_server.url}"\nwindow = 4\n')
    late = {"body": answer_body("late"), "delay_s": 5}
    model_server.script = [{"body": answer_body(f"Note {number}")} for number in range(4)] + [late, late]
    vote = {"members": [str(file)], "repeats": 2}
    assert outcome_of(make_judge("vote", vote), tmp_path / "runs", timeout=3).error.kind == "timeout"
    began = len(model_server.received)
    outcome = outcome_of(make_judge("vote", vote), tmp_path / "runs")
    assert (outcome.status, outcome.telemetry.requests) == ("verdict", 2 * WINDOWS)
    assert len(model_server.received) - began == 2 * (WINDOWS - 2)
    verdicts = [request.json["messages"] for request in model_server.received[-2:]]
    said = [{message["content"] for message in asked if message["role"] == "assistant"} for asked in verdicts]
    assert {f"Note {number}" for number in range(4)} <= said[0] ^ said[1]


def test_notes_longer_than_is_carried_on_fail_the_task_and_are_not_sent_again(model_server, answer_body, tmp_path):
    model_server.script = [{"body": answer_body("x" * 20_000)}, {"body": answer_body("x" * 20_001)}]
    outcome = outcome_of(judge_at(model_server), tmp_path)
    assert (outcome.status, outcome.error.kind, outcome.error.passing) == ("failed", "truncated", False)
    assert "20,001 characters, where at most 20,000 are read (notes_characters)" in outcome.error.message
    assert len(model_server.received) == outcome.telemetry.requests == 2


def test_a_first_request_that_fails_is_raised_as_it_is(model_server, tmp_path):
    model_server.script = [BUSY]
    outcome = outcome_of(judge_at(model_server, prices=PRICES), tmp_path)
    assert (outcome.error.kind, outcome.telemetry.cost) == ("rate_limited", None)


@pytest.mark.parametrize(
    ("text", "finish", "kind"),
    [
        (" \n", "stop", "no_answer"),
        (None, "stop", "no_answer"),
        ("half", "length", "truncated"),
        ("x", "content_filter", "refused"),
    ],
    ids=["blank", "null", "cut", "refused"],
)
def test_notes_that_are_none_fail_the_task_and_are_never_carried_on(
    text, finish, kind, model_server, answer_body, tmp_path
):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
    model_server.script = [*notes(answer_body, 1), {"body": answer_body("", choices=[choice])}]
    outcome = outcome_of(judge_at(model_server), tmp_path)
    assert (outcome.status, outcome.error.kind, outcome.verdict) == ("failed", kind, None)
    assert (len(model_server.received), outcome.telemetry.requests) == (2, 2)


def test_a_verdict_too_early_is_no_verdict(model_server, answer_body, tmp_path):
    early = json.dumps({"success": True, "reasoning": "I have seen enough."})
    model_server.script = [{"body": answer_body(early)}]
    outcome = outcome_of(judge_at(model_server), tmp_path)
    assert len(model_server.received) == WINDOWS
    assert outcome.verdict.success is False  # what the last request was answered


def test_repeats_write_notes_of_their_own(model_server, answer_body, tmp_path):
    outcome_of(judge_at(model_server), tmp_path, repeats=2, workers=2)
    assert len(model_server.received) == 2 * WINDOWS


def test_only_the_verdict_is_held_to_the_schema_and_messages_still_extend(model_server, answer_body, tmp_path):
    model_server.script = notes(answer_body)
    outcome_of(judge_at(model_server, json_schema=True), tmp_path)
    asked = [request.json for request in model_server.received]
    assert ["response_format" in one for one in asked] == [False] * (WINDOWS - 1) + [True]
    assert asked[-1]["messages"][: len(asked[-2]["messages"])] == asked[-2]["messages"]


@pytest.mark.filterwarnings("ignore:Items? .*ReadOnly:UserWarning")  # of litellm's own types
@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
def test_litellm_sends_the_same_conversation(model_server, answer_body, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-dummy")
    model_server.script = [*notes(answer_body), {"body": answer_body()}] * 2
    outcome_of(judge_at(model_server), tmp_path / "openai")
    outcome_of(judge_at(model_server, route="litellm", model="openai/m", seed=1), tmp_path / "litellm")
    sent = [request.json["messages"] for request in model_server.received]
    assert sent[WINDOWS:] == sent[:WINDOWS]


@pytest.mark.parametrize("left_out", ["instruction", "actions", "screenshots"])
def test_what_is_left_out_stands_in_no_window(left_out, model_server, tmp_path):
    outcome_of(judge_at(model_server), tmp_path, ablation=make_ablation([left_out]))
    messages = [message for request in model_server.received for message in request.json["messages"]]
    told = "".join(map(text_of, messages))
    shown = [data for message in messages for data in pictures(message)]
    assert (TASK.instruction in told) is (left_out != "instruction")
    assert (wording(STEPS[0].action) in told) is (left_out != "actions")
    assert bool(shown) is (left_out != "screenshots")
    assert "ithheld" in told


def test_nothing_tells_which_task_it_is(model_server, tmp_path):
    outcome_of(judge_at(model_server), tmp_path)
    names = [TASK.id, *(Path(step.screenshot).name for step in STEPS if step.screenshot)]
    assert [name for name in names for request in model_server.received if name.encode() in request.body] == []


@pytest.mark.parametrize("limits", [{}, {"images": 9}], ids=["no limit", "nine pictures"])
def test_an_estimate_is_no_less_than_what_is_sent(limits, model_server, answer_body, tmp_path):
    judge = judge_at(model_server, limits=limits)
    found = Estimate(BENCH, judge, "stream", [TASK.id]).of(TASK.id)
    (planned,) = plans(BENCH, judge, [TASK.id])
    model_server.script = notes(answer_body)
    outcome = outcome_of(judge, tmp_path)
    assert planned.evidence["requests"] == len(model_server.received)
    assert planned.evidence["sent"] >= outcome.telemetry.images
    assert found.bytes >= 0.9 * sum(len(request.body) for request in model_server.received)


def test_it_is_no_published_protocol_and_its_prompts_are_part_of_the_run(model_server):
    config = config_of(BENCH, judge_at(model_server), "stream", 0)
    assert config["prompt"]["name"] == "guide+notes"
    assert config["protocol"] == "windows of 4 steps, notes carried forward"


def test_documented_file_makes_the_judge(tmp_path):
    section = (ROOT / "docs" / "judges.md").read_text("utf-8").split("## `stream`")[1].split("\n## ")[0]
    example = section.split("```toml\n")[1].split("```")[0]
    (tmp_path / "streamed.toml").write_text(example, "utf-8")
    judge = make_judge(str(tmp_path / "streamed.toml"))
    assert judge.window == tomllib.loads(example)["window"]


@pytest.mark.parametrize("kind", ["stream", "describe"])
def test_a_killed_run_goes_on_and_pays_for_no_answer_twice(kind, model_server, answer_body, tmp_path):
    """Killed while its third answer is awaited: that one alone is sent again, and the two before are counted."""
    file = tmp_path / "judge.toml"
    more = "window = 4" if kind == "stream" else "at_once = 1"
    file.write_text(f'kind = "{kind}"\nmodel = "m"\nbase_url = "{model_server.url}"\n{more}\n')
    (tmp_path / "ids.txt").write_text(TASK.id)
    command = [sys.executable, "-m", "agenthorizon", "run", "demo", "--judge", str(file)]
    command += ["--ids", str(tmp_path / "ids.txt"), "--out", str(tmp_path / "runs"), "--attempts", "1"]
    model_server.script = [*notes(answer_body, 2), {"body": answer_body("late"), "delay_s": 5}]
    process = subprocess.Popen(command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(model_server.received) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    awaited = model_server.received[2].body
    subprocess.run(command, env=os.environ, check=True, capture_output=True, timeout=120)
    bodies = [request.body for request in model_server.received]
    assert bodies.count(awaited) == 2
    assert len(bodies) - len(set(bodies)) == 1
    (path,) = (tmp_path / "runs").iterdir()
    (outcome,) = read_run(path).outcomes
    assert outcome.telemetry.requests == len(bodies) - 1  # all but the one in flight
    assert outcome.telemetry.tokens["input"] == (len(bodies) - 1) * 1200
    told = outcome.evidence if kind == "stream" else outcome.evidence["described"]
    assert told["requests_before"] == 2
