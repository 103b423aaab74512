"""Where a provider is told to cache: on the last text that two tasks on one recording share, and what it then costs."""

import json
from typing import Any

import pytest

import agenthorizon as ah
from agenthorizon.evidence.markdown import fenced
from agenthorizon.plugins import make_judge
from agenthorizon.running.run_state import state_of

# litellm's own types make pydantic warn while they are built.
pytestmark = [pytest.mark.usefixtures("dummy_keys"), pytest.mark.filterwarnings("ignore:Items? .*ReadOnly:UserWarning")]

VERDICT = json.dumps({"success": True, "reasoning": "r", "confidence": "low", "mistake_type": None})
CLAUDE, BEDROCK, GEMINI = (
    "anthropic/claude-opus-4-6",
    "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
    "gemini/gemini-2.5-pro",
)
MARK = {"type": "ephemeral"}
PRICES = {"input": 5.0, "output": 25.0, "cached_read": 0.5, "cached_write": 6.25}


def claude(read: int, written: int) -> dict[str, Any]:
    usage = {"input_tokens": 10, "output_tokens": 5}
    usage |= {"cache_read_input_tokens": read, "cache_creation_input_tokens": written}
    answer = {"content": [{"type": "text", "text": VERDICT}], "stop_reason": "end_turn", "usage": usage}
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-recorded", **answer}


def converse(read: int, written: int) -> dict[str, Any]:
    usage = {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15 + read + written}
    usage |= {"cacheReadInputTokens": read, "cacheWriteInputTokens": written}
    message = {"role": "assistant", "content": [{"text": VERDICT}]}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": usage, "metrics": {"latencyMs": 1}}


GEMINI_REPLY = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": VERDICT}]}, "finishReason": "STOP", "index": 0}],
    "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 4, "totalTokenCount": 15},
}


@pytest.fixture
def ask(model_server, tmp_path):
    """ask(model, replies, …): run a judge, with the trajectory first, on two tasks of one recording."""

    def run(model: str, replies: list[Any], ids: list[str] | None = None, **settings: Any) -> Any:
        model_server.script = [{"body": body} for body in replies]
        url = model_server.url if settings.get("route") == "openai" else model_server.url.removesuffix("/v1")
        given = {"model": model, "route": "litellm", "base_url": url, "prompt_order": "trajectory-first"}
        judge = make_judge("direct", given | {"prices": PRICES} | settings)
        found = ah.run(ah.load("demo"), judge, ids=ids or pair(), out=tmp_path, workers=1, attempts=1)
        assert [outcome.status for outcome in found.outcomes] == ["verdict"] * len(replies)
        return found

    return run


def pair() -> list[str]:
    """Return two tasks on one recording."""
    bench = ah.load("demo")
    group = next(group for group in bench.labels.pairs() if any(len(ids) == 2 for ids in group.recordings.values()))
    return list(next(ids for ids in group.recordings.values() if len(ids) == 2))


def sent(server: Any) -> list[list[dict[str, Any]]]:
    """Return the blocks of each request's user message."""
    return [next(one for one in body["messages"] if one["role"] == "user")["content"] for body in bodies(server)]


def bodies(server: Any) -> list[Any]:
    return [received.json for received in server.received]


def test_anthropic_is_told_to_cache_up_to_the_last_block_before_the_instruction(ask, model_server):
    run = ask(CLAUDE, [claude(0, 2000), claude(2000, 0)])
    first, second = sent(model_server)
    marked = [place for place, block in enumerate(first) if "cache_control" in block]
    assert marked == [place for place, block in enumerate(second) if "cache_control" in block]
    (place,) = marked
    assert first[place]["cache_control"] == MARK
    assert json.dumps(bodies(model_server)).count("cache_control") == 2
    assert first[: place + 1] == second[: place + 1]
    assert len({block["type"] for block in first[:place]}) == 2
    bench = ah.load("demo")
    for blocks, outcome in zip((first, second), run.outcomes, strict=True):
        assert fenced(bench[outcome.task_id].instruction) in blocks[place + 1]["text"]
        assert outcome.evidence["cache_marker"] is True


def test_bedrock_gets_its_cache_point_there(ask, model_server):
    run = ask(BEDROCK, [converse(0, 2000), converse(2000, 0)])
    first, second = sent(model_server)
    (place,) = [place for place, block in enumerate(first) if "cachePoint" in block]
    assert first[: place + 1] == second[: place + 1]
    assert "The instruction stands between" in first[place + 1]["text"]
    assert [outcome.telemetry.tokens["cached_write"] for outcome in run.outcomes] == [2000, 0]


def test_servers_of_openais_form_get_the_marker_where_the_judge_says_so(ask, model_server, answer_body):
    usage = {"prompt_tokens": 2010, "completion_tokens": 5}
    replies = [
        answer_body(VERDICT, usage=usage | {"prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 2000}}),
        answer_body(VERDICT, usage=usage | {"prompt_tokens_details": {"cached_tokens": 2000, "cache_write_tokens": 0}}),
    ]
    run = ask("anthropic/claude-opus-4.6", replies, route="openai", cache_marker="always")
    first, second = sent(model_server)
    (place,) = [place for place, block in enumerate(first) if block.get("cache_control") == MARK]
    assert first[: place + 1] == second[: place + 1]
    assert [outcome.telemetry.cost for outcome in run.outcomes] == pytest.approx([0.012675, 0.001175])


@pytest.mark.parametrize("without", [{"without": "actions"}, {"without": "screenshots"}], ids=str)
def test_what_is_shared_of_thinner_evidence_is_marked_on_a_text(model_server, tmp_path, without):
    model_server.script = [{"body": claude(0, 0)} for _ in range(2)]
    url = model_server.url.removesuffix("/v1")
    settings = {"model": CLAUDE, "base_url": url, "route": "litellm", "prompt_order": "trajectory-first"}
    ah.run(ah.load("demo"), make_judge("direct", settings), ids=pair(), out=tmp_path, workers=1, **without)
    for blocks in sent(model_server):
        (place,) = [place for place, block in enumerate(blocks) if "cache_control" in block]
        assert blocks[place]["type"] == "text"
        after = [block["type"] for block in blocks[place + 1 :]]
        assert after == (["image", "text", "text"] if without["without"] == "actions" else ["text", "text"])


@pytest.mark.parametrize(
    ("model", "reply", "settings"),
    [
        (CLAUDE, claude(0, 0), {"prompt_order": "instruction-first"}),
        (CLAUDE, claude(0, 0), {"cache_marker": "never"}),
        (CLAUDE, claude(0, 0), {"prompt_order": "instruction-first", "cache_marker": "always"}),
        (GEMINI, GEMINI_REPLY, {}),
    ],
    ids=str,
)
def test_nothing_is_marked_where_nothing_is_shared_nobody_wants_it_or_the_provider_needs_none(
    ask, model_server, model, reply, settings
):
    run = ask(model, [reply, reply], **settings)
    assert "cache_control" not in json.dumps(bodies(model_server))
    assert len(model_server.received) == 2  # Gemini's own caches would take a request of their own
    assert all("cache_marker" not in outcome.evidence for outcome in run.outcomes)


def test_a_recording_that_is_asked_about_once_is_not_marked_since_nobody_would_read_what_was_written(ask, model_server):
    ask(CLAUDE, [claude(0, 0)], ids=pair()[:1])
    assert "cache_control" not in json.dumps(bodies(model_server))


@pytest.mark.parametrize(
    ("model", "address", "marks"),
    [
        (CLAUDE, None, True),
        ("bedrock/anthropic.claude-opus-4-6-v1", None, True),
        ("vertex_ai/claude-opus-4-6", None, True),
        ("bedrock/amazon.nova-pro-v1:0", None, False),
        ("vertex_ai/gemini-2.5-pro", None, False),
        ("azure/my-gpt", None, False),
        ("anthropic/claude-opus-4.6", "https://openrouter.ai/api/v1", True),
        ("google/gemini-2.5-pro", "https://openrouter.ai/api/v1", False),
        ("anthropic/claude-opus-4.6", "http://127.0.0.1:8000/v1", False),
        ("gpt-5.5", None, False),
    ],
)
def test_who_gets_a_marker_follows_from_the_models_name_and_the_address(model, address, marks):
    settings = {"model": model, "base_url": address, "prompt_order": "trajectory-first"}
    assert make_judge("direct", settings).marks_cache is marks


def test_tokens_written_to_a_cache_are_counted_and_cost_what_they_cost(ask):
    run = ask(CLAUDE, [claude(0, 2000), claude(2000, 0)])
    tokens = [outcome.telemetry.tokens for outcome in run.outcomes]
    assert [(each["input"], each["cached_read"], each["cached_write"]) for each in tokens] == [
        (2010, 0, 2000),
        (2010, 2000, 0),
    ]
    # 10 at $5, 2000 at $6.25 or at $0.5, 5 at $25 a million
    assert [outcome.telemetry.cost for outcome in run.outcomes] == pytest.approx([0.012675, 0.001175])
    # plain, both prompts would have cost 2 × 2010 × $5 a million
    assert state_of(run).saving.dollars == pytest.approx(2 * (2010 * 5 + 5 * 25) / 1e6 - 0.012675 - 0.001175)


def test_what_writing_costs_is_unknown_without_its_price(ask):
    run = ask(CLAUDE, [claude(0, 2000), claude(2000, 0)], prices={"input": 5.0, "output": 25.0})
    assert [outcome.telemetry.cost for outcome in run.outcomes] == [None, pytest.approx(0.010175)]
    assert state_of(run).saving.dollars is None


def test_the_configuration_says_what_was_set_and_a_run_goes_on_with_another_setting(ask, model_server):
    run = ask(CLAUDE, [claude(0, 2000), claude(2000, 0)])
    assert run.config["remake"]["settings"]["cache_marker"] == "auto"
    url = model_server.url.removesuffix("/v1")
    settings = {"model": CLAUDE, "route": "litellm", "base_url": url, "prompt_order": "trajectory-first"}
    judge = make_judge("direct", settings | {"cache_marker": "never"})
    again = ah.run(ah.load("demo"), judge, ids=pair(), out=run.folder.parent)
    assert (again.folder, len(model_server.received)) == (run.folder, 2)
