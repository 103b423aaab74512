"""Judges of whatever kind that ask one place share its limits."""

import pytest

from agenthorizon.plugins import make_judge
from agenthorizon.running.endpoints import endpoint_of


@pytest.fixture(autouse=True)
def vendors(monkeypatch):
    """No address but the vendors' own."""
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def places(*judges, **offered):
    return {endpoint_of(make_judge(judge, offered)) for judge in judges}


@pytest.mark.parametrize(
    "judges",
    [
        ("direct:gpt-5.5", "direct:another", "filter:gpt-5.5", "codex:gpt-5.5", "direct:openai/gpt-5.5"),
        ("direct:anthropic/claude", "filter:anthropic/claude", "claude_code:claude"),
        ("direct:gemini/gemini-3", "gemini_cli:gemini-3"),
    ],
)
def test_judges_at_one_vendor_ask_one_place(judges):
    assert len(places(*judges)) == 1


def test_an_address_is_the_same_place_with_and_without_its_version():
    assert places("direct:m", base_url="http://127.0.0.1:9/v1/") == places("codex:m", base_url="http://127.0.0.1:9")


def test_different_vendors_and_judges_that_ask_nobody_are_different_places():
    assert len(places("direct:gpt-5.5", "direct:anthropic/claude", "direct:bedrock/x", "coin", "always_yes")) == 5


def test_a_vote_is_at_its_members_place_if_that_is_one():
    one = make_judge("vote", {"members": ("direct:gpt-5.5", "filter:gpt-5.5")})
    two = make_judge("vote", {"members": ("direct:gpt-5.5", "direct:anthropic/claude")})
    assert endpoint_of(one) in places("direct:gpt-5.5")
    assert endpoint_of(two) not in places("direct:gpt-5.5", "direct:anthropic/claude")
