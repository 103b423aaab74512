"""Servers that do not keep to HTTP or to reason: each ends in one class, nothing goes where nobody sent it."""

import asyncio
import json
import time

import pytest

from agenthorizon.evidence.pictures import Pictures
from agenthorizon.plugins import make_judge
from agenthorizon.running.attempt import Ask, attempt
from agenthorizon.source import load

KEY = "sk-dummy-0123456789"


@pytest.fixture(scope="module")
def bench():
    return load("demo")


@pytest.fixture
def asked(bench, model_server, monkeypatch):
    """asked(reply, …): the outcomes of a direct judge that is asked once for each scripted reply, on one connection."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def ask(*script, timeout=30.0, pictures=None):
        pictures = pictures or Pictures()
        model_server.script[:] = script
        judge = make_judge("direct:mock", {"base_url": model_server.url})
        task_id = bench.select("AH")[0]

        async def each():
            try:
                asks = (Ask(judge, task_id, 0, number, timeout) for number, _ in enumerate(script, start=1))
                return [(await attempt(bench, each, pictures)).outcome for each in asks]
            finally:
                await judge.aclose()

        return asyncio.run(each())

    return ask


def ending(outcome):
    return outcome.status, outcome.error and outcome.error.kind, outcome.error and outcome.error.passing


@pytest.mark.parametrize("status", [200, 429, 500])
def test_an_answer_shorter_than_its_stated_length_was_cut(status, asked, answer_body):
    text = json.dumps(answer_body())
    (outcome,) = asked({"status": status, "headers": {"content-length": str(len(text) + 900)}, "body_text": text})
    assert ending(outcome) == ("failed", "cut", True)


def test_an_answer_longer_than_its_stated_length_was_cut_or_its_connection_is_no_good(asked, answer_body):
    text = json.dumps(answer_body())
    (outcome,) = asked({"headers": {"content-length": "20"}, "body_text": text})
    assert outcome.error.kind in ("cut", "connection")
    assert outcome.error.passing


@pytest.mark.parametrize("length", ["abc", "-5"])
def test_a_stated_length_that_is_none_is_a_bad_connection(length, asked):
    (outcome,) = asked({"headers": {"content-length": length}, "body_text": "{}"})
    assert ending(outcome) == ("failed", "connection", True)


def test_a_reply_behind_a_byte_order_mark_is_read(asked, answer_body):
    (outcome,) = asked({"body_text": "\ufeff" + json.dumps(answer_body())})
    assert ending(outcome) == ("verdict", None, None)


def test_a_redirect_is_not_followed_and_its_host_is_named(asked, model_server, start_model_server):
    with start_model_server() as other:
        place = other.url.replace("http://", "http://user:secret@") + "/chat/completions"
        (outcome,) = asked({"status": 302, "headers": {"location": place}, "body_text": ""})
        assert other.received == []
    assert ending(outcome) == ("failed", "bad_request", False)
    assert f"sends on to {other.url.split('/')[2]}, which is not followed" in outcome.error.message
    assert "secret" not in outcome.error.message
    assert len(model_server.received) == 1


@pytest.mark.parametrize("status", [301, 303, 307, 308])
def test_no_kind_of_redirect_is_followed(status, asked, model_server):
    (outcome,) = asked({"status": status, "headers": {"location": "/v1/elsewhere"}, "body_text": ""})
    assert ending(outcome) == ("failed", "bad_request", False)
    assert [request.path for request in model_server.received] == ["/v1/chat/completions"]


def test_a_reply_without_end_is_given_up_and_said_to_be_too_long(asked, answer_body):
    text = json.dumps(answer_body(padding="x" * (50 << 20)))
    (outcome,) = asked({"body_text": text})
    assert ending(outcome) == ("failed", "unreadable", True)
    assert outcome.error.message.startswith("the reply is longer than 16 MB and the request")


def test_a_long_reply_below_the_limit_is_read(asked, answer_body):
    (outcome,) = asked({"body_text": json.dumps(answer_body(padding="x" * (8 << 20)))})
    assert ending(outcome) == ("verdict", None, None)


def test_after_a_reply_that_was_given_up_the_next_one_is_read(asked, answer_body):
    long = {"body_text": json.dumps(answer_body(padding="x" * (20 << 20)))}
    first, second = asked(long, {"body": answer_body()})
    assert (first.status, second.status) == ("failed", "verdict")


class SlowPictures(Pictures):
    """Prepares screenshots as slowly as a machine that is busy with others."""

    def several(self, files, view):
        time.sleep(0.4 * len(files))
        return super().several(files, view)


def test_preparing_the_screenshots_is_not_counted_as_waiting_for_the_answer(bench, asked, answer_body):
    task = bench[bench.select("AH")[0]]
    assert sum(bool(step.screenshot) for step in task.trajectory.steps) * 0.4 > 1.5
    (outcome,) = asked({"body": answer_body()}, timeout=1.5, pictures=SlowPictures())
    assert ending(outcome) == ("verdict", None, None)
    assert outcome.telemetry.seconds > 1.5


def test_an_answer_that_does_not_come_is_waited_for_no_longer_than_the_limit(asked, answer_body):
    (outcome,) = asked({"delay_s": 3, "body": answer_body()}, timeout=0.5)
    assert ending(outcome) == ("failed", "timeout", True)
