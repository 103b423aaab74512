"""What the four protocols say about tokens and endings becomes one account; bodies as their makers document them."""

import json

import pytest

from agenthorizon.isolation.usage import ModelAnswer
from agenthorizon.usage import Usage


def read(protocol, *events, streamed=True):
    answer = ModelAnswer(protocol, streamed)
    for event in events:
        answer.feed(f"data: {json.dumps(event)}\n\n".encode() if streamed else json.dumps(event).encode())
    answer.end()
    return answer


def test_messages_leave_out_of_their_input_what_was_cached():
    start = {"input_tokens": 10, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 20, "output_tokens": 1}
    answer = read(
        "messages",
        {"type": "message_start", "message": {"model": "m", "usage": start}},
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 44}},
    )
    assert answer.usage == Usage(input=100, output=44, cached_read=70, cached_write=20)
    assert answer.finish == "length"


def test_gemini_leaves_its_thoughts_out_of_its_output_and_the_last_count_holds():
    early = {"usageMetadata": {"promptTokenCount": 50, "candidatesTokenCount": 1}}
    late = {
        "usageMetadata": {
            "promptTokenCount": 50,
            "cachedContentTokenCount": 5,
            "candidatesTokenCount": 7,
            "thoughtsTokenCount": 30,
        },
        "candidates": [{"finishReason": "STOP"}],
    }
    assert read("gemini", early, late).usage == Usage(input=50, output=37, cached_read=5, reasoning=30)
    assert read("gemini", [early, late], streamed=False).usage.output == 37


def test_responses_count_in_their_last_event():
    usage = {
        "input_tokens": 9,
        "input_tokens_details": {"cached_tokens": 4},
        "output_tokens": 8,
        "output_tokens_details": {"reasoning_tokens": 6},
    }
    created = {"type": "response.created", "response": {"model": "m", "usage": None}}
    incomplete = {"incomplete_details": {"reason": "max_output_tokens"}, "status": "incomplete", "usage": usage}
    answer = read("responses", created, {"type": "response.incomplete", "response": incomplete})
    assert answer.usage == Usage(input=9, output=8, cached_read=4, reasoning=6)
    assert (answer.model, answer.finish) == ("m", "length")


@pytest.mark.parametrize(
    ("protocol", "event", "finish"),
    [
        ("chat", {"choices": [{"finish_reason": "content_filter"}]}, "content_filter"),
        ("messages", {"type": "message_delta", "delta": {"stop_reason": "refusal"}}, "content_filter"),
        ("gemini", {"candidates": [{"finishReason": "SAFETY"}]}, "content_filter"),
        ("gemini", {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "content_filter"),
        ("chat", {"choices": [{"finish_reason": "tool_calls"}]}, "stop"),
        ("chat", {"choices": [{"finish_reason": None}]}, None),
    ],
)
def test_endings_are_told_in_one_way(protocol, event, finish):
    assert read(protocol, event).finish == finish


def test_an_error_in_mid_stream_has_the_status_it_would_have_had():
    answer = read("messages", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    assert (answer.error, answer.error_status) == ("Overloaded", 529)


def test_events_cut_anywhere_are_put_together():
    event = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 6}}
    data = f"data: {json.dumps(event)}\r\n\r\ndata: [DONE]\n\n".encode()
    answer = ModelAnswer("chat", streamed=True)
    for position in range(len(data)):
        answer.feed(data[position : position + 1])
    answer.end()
    assert (answer.usage, answer.error) == (Usage(input=5, output=6), None)


@pytest.mark.parametrize(
    "odd", [{"usage": "many"}, {"choices": "none"}, {"response": 5}, {"usage": {"prompt_tokens": "9"}}, 7]
)
def test_odd_bodies_are_unknown_never_a_crash(odd):
    assert read("chat", odd).usage in (None, Usage())
