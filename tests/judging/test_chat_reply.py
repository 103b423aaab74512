"""The body of a chat completion becomes a Reply, whoever wrote it."""

import json
from typing import Any

import pytest

from agenthorizon.errors import Complaint, JudgeFailure
from agenthorizon.judging.chat_reply import reply_of_body
from agenthorizon.running.failures import failure
from agenthorizon.usage import Usage


def body(message: Any = None, finish: Any = "stop", **fields: Any) -> str:
    return json.dumps({"choices": [{"finish_reason": finish, "message": message}]} | fields)


def test_thoughts_are_no_part_of_the_answer():
    assert reply_of_body(body({"content": "no", "reasoning_content": "hm"}), 0).text == "no"


def test_answer_in_parts_is_joined_without_its_thoughts():
    parts = [
        {"type": "thinking", "thinking": "hm", "text": "x"},
        {"type": "text", "text": "a"},
        {"type": "text", "text": "b"},
    ]
    assert reply_of_body(body({"content": parts}), 0).text == "ab"


def test_refusal_in_its_own_field_is_a_filtered_answer():
    reply = reply_of_body(body({"content": None, "refusal": "I can't help with that."}), 0)
    assert (reply.text, reply.finish) == (None, "content_filter")


@pytest.mark.parametrize("message", [None, "text", 3, [], {}, {"content": 5}, {"content": []}])
def test_message_of_another_form_is_no_answer(message: Any):
    assert reply_of_body(body(message), 0).text is None


@pytest.mark.parametrize(
    "usage", [None, 7, {}, {"prompt_tokens": None}, {"prompt_tokens": True}, {"prompt_tokens": "9"}]
)
def test_usage_of_another_form_is_unknown(usage: Any):
    assert reply_of_body(body({"content": "a"}, usage=usage), 0).usage == Usage()


def test_count_of_zero_is_known():
    assert reply_of_body(body({"content": "a"}, usage={"prompt_tokens": 0}), 0).usage == Usage(input=0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unreadable"),
        ("<html>", "unreadable"),
        ("[]", "unreadable"),
        ("null", "unreadable"),
        ('{"choices": null}', "unreadable"),
        ('{"detail": "x"}', "unreadable"),
        ("[" * 100_000, "unreadable"),
        ('{"choices": [{"mess', "cut"),
    ],
)
def test_body_that_is_no_chat_completion_is_a_passing_failure(text: str, code: str):
    with pytest.raises(JudgeFailure) as caught:
        reply_of_body(text, 0)
    assert (caught.value.code, caught.value.passing) == (code, True)


@pytest.mark.parametrize(
    ("error", "code", "passing"),
    [
        ({"message": "m", "code": 504}, "server", True),
        ({"message": "m", "code": "503"}, "overloaded", True),
        ({"message": "m", "code": 529}, "overloaded", True),
        ({"message": "m", "code": 429}, "rate_limited", True),
        ({"message": "m", "code": 400}, "bad_request", False),
        ({"message": "m", "code": "server_error"}, "server", True),
        ({"message": "m", "code": "rate_limit_exceeded"}, "rate_limited", True),
        ({"message": "m", "code": "context_length_exceeded"}, "too_large", False),
        ({"code": None}, "server", True),
        ("overload", "server", True),
    ],
)
def test_error_instead_of_choices_is_classed_by_its_code_or_words(error: Any, code: str, passing: bool):
    with pytest.raises(Complaint) as caught:
        reply_of_body(json.dumps({"error": error}), 0)
    failed = failure(caught.value)
    assert (failed.code, failed.passing) == (code, passing)


def test_error_inside_a_choice_is_a_failure():
    choice = {"error": {"message": "upstream died"}, "message": {"content": "{"}}
    with pytest.raises(Complaint, match="upstream died"):
        reply_of_body(json.dumps({"choices": [choice]}), 0)


def test_error_field_that_is_empty_is_no_error():
    assert reply_of_body(body({"content": "a"}, error=None), 0).text == "a"


@pytest.mark.parametrize("delta", ["x", ["x"], 7, {"content": ["x"]}, None])
def test_part_of_a_stream_of_another_form_holds_no_text(delta: Any):
    choices = [{"delta": delta}, {"delta": {"content": "whole"}, "finish_reason": "stop"}]
    chunk = json.dumps({"choices": [{"index": 0, **choice} for choice in choices]})
    assert reply_of_body(f"data: {chunk}\n\ndata: [DONE]\n\n", images=0).text == "whole"


@pytest.mark.parametrize("count", [-5, 10**15, 1.5, True, "7", None])
def test_a_number_of_tokens_that_is_none_is_unknown(count):
    body = {"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": count, "completion_tokens": 3}}
    usage = reply_of_body(json.dumps(body), images=0).usage
    assert (usage.input, usage.output) == (None, 3)
