"""The litellm route against a local recorder: Anthropic's and Gemini's forms, settings, thoughts, errors and keys."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from agenthorizon.errors import RunStopped
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.plugins import make_judge
from agenthorizon.running.attempt import Ask, attempt
from agenthorizon.source import load

# litellm's own types make pydantic warn while they are built.
pytestmark = [pytest.mark.usefixtures("dummy_keys"), pytest.mark.filterwarnings("ignore:Items? .*ReadOnly:UserWarning")]

VERDICT = json.dumps({"success": True, "reasoning": "r", "confidence": "low", "mistake_type": None})
CLAUDE, GEMINI = "anthropic/claude-opus-4-6", "gemini/gemini-2.5-pro"
CLAUDE_REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-recorded",
    "content": [{"type": "thinking", "thinking": "step by step", "signature": "s"}, {"type": "text", "text": VERDICT}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 3},
}
GEMINI_REPLY = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": VERDICT}]}, "finishReason": "STOP", "index": 0}],
    "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 4, "totalTokenCount": 15},
}


@pytest.fixture(scope="module")
def bench(demo: Path):
    return load(str(demo))


def ask(bench: Any, server: Any, model: str, reply: dict[str, Any] | None = None, **settings: Any) -> Any:
    """Make one attempt at the first task and return it."""
    server.script = server.script or [{"body": reply or (CLAUDE_REPLY if model == CLAUDE else GEMINI_REPLY)}]
    url = server.url.removesuffix("/v1")
    judge = make_judge("direct", {"model": model, "route": "litellm", "base_url": url} | settings)

    async def once():
        try:
            return await attempt(bench, Ask(judge, bench.select()[0], repeat=0, attempt=1, timeout=60), Pictures())
        finally:
            await judge.aclose()

    return asyncio.run(once())


def test_anthropics_reply_keeps_thoughts_apart_from_the_answer(bench, model_server):
    made = ask(bench, model_server, CLAUDE)
    assert made.outcome.verdict.success is True
    assert made.transcript["text"] == VERDICT
    assert "step by step" in json.dumps(made.transcript["raw"])
    tokens = made.outcome.telemetry.tokens
    assert (tokens["input"], tokens["cached_read"]) == (13, 3)
    assert made.outcome.telemetry.model == "claude-recorded"


def test_guide_is_the_system_text_of_either_provider(bench, model_server):
    from agenthorizon.prompts import guide

    ask(bench, model_server, CLAUDE)
    ask(bench, model_server, GEMINI)
    claude, gemini = (received.json for received in model_server.received)
    assert claude["system"][0]["text"] == guide().text
    assert gemini["system_instruction"]["parts"][0]["text"] == guide().text


def test_settings_reach_anthropic_in_its_own_words(bench, model_server):
    ask(bench, model_server, CLAUDE, temperature="none", max_tokens=9000, thinking_budget=2048)
    body = model_server.received[0].json
    assert (body["max_tokens"], body["thinking"]) == (9000, {"type": "enabled", "budget_tokens": 2048})
    assert "temperature" not in body


def test_settings_reach_gemini_in_its_own_words(bench, model_server):
    ask(bench, model_server, GEMINI, max_tokens=9000, thinking_budget=2048, seed=3)
    made = model_server.received[0].json["generationConfig"]
    assert (made["max_output_tokens"], made["seed"], made["temperature"]) == (9000, 3, 0)
    assert made["thinkingConfig"]["thinkingBudget"] == 2048


def test_schema_reaches_gemini(bench, model_server):
    made = ask(bench, model_server, GEMINI, json_schema=True)
    asked = json.dumps(model_server.received[0].json["generationConfig"])
    assert "Bad Side Effect" in asked
    assert made.outcome.evidence["answer_format"] == "json_schema"


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limited"), (500, None), (529, None), (400, "bad_request")])
def test_status_of_a_provider_is_classed_as_everywhere(bench, model_server, status, kind):
    error = {"type": "error", "error": {"type": "some_error", "message": "something happened"}}
    model_server.script = [{"status": status, "body": error}]
    made = ask(bench, model_server, CLAUDE)
    assert (made.outcome.status, len(model_server.received)) == ("failed", 1)
    assert made.outcome.error.passing is (status != 400)
    assert kind is None or made.outcome.error.kind == kind


def test_refused_key_stops_the_run_and_is_not_shown(bench, model_server, dummy_keys):
    model_server.script = [
        {
            "status": 401,
            "body": {"type": "error", "error": {"type": "authentication_error", "message": f"invalid {dummy_keys}"}},
        }
    ]
    with pytest.raises(RunStopped) as caught:
        ask(bench, model_server, CLAUDE)
    assert caught.value.code == "key"
    assert dummy_keys not in str(caught.value)


def test_limit_is_learned_and_the_next_plan_keeps_to_it(bench, model_server):
    message = "messages: too many images in the request, the maximum is 2 images"
    model_server.script = [
        {"status": 400, "body": {"type": "error", "error": {"type": "invalid_request_error", "message": message}}}
    ]
    made = ask(bench, model_server, CLAUDE)
    assert (made.outcome.error.kind, made.outcome.error.passing) == ("repacked", True)


def test_setting_a_model_does_not_take_stops_the_run(bench, model_server):
    with pytest.raises(RunStopped, match="temperature"):
        ask(bench, model_server, "anthropic/claude-opus-4-7", CLAUDE_REPLY)
    assert model_server.received == []


@pytest.mark.parametrize(
    ("model", "address", "route", "provider"),
    [
        ("anthropic/claude-opus-4-6", None, "litellm", "anthropic"),
        ("gemini/gemini-2.5-pro", None, "litellm", "gemini-inline"),
        ("bedrock/anthropic.claude", None, "litellm", "bedrock-converse"),
        ("azure/my-gpt", None, "litellm", "azure-openai"),
        ("anthropic/claude-opus-4-6", "https://openrouter.ai/api/v1", "openai", "openrouter"),
        ("gpt-5.5", None, "openai", "openai"),
        ("Qwen/Qwen3.6-27B", "http://127.0.0.1:8000/v1", "openai", "unknown"),
        ("my-gpt", "https://me.openai.azure.com/openai/v1", "openai", "azure-openai"),
    ],
)
def test_route_and_limits_follow_from_the_models_name_and_the_address(model, address, route, provider):
    judge = make_judge("direct", {"model": model, "base_url": address})
    assert (judge.route, judge.packing.provider) == (route, provider)
