"""What the tests of judges share."""

import pytest

KEY = "sk-dummy-0123456789abcdef"


@pytest.fixture
def dummy_keys(monkeypatch: pytest.MonkeyPatch) -> str:
    """No key and address of a user's own, and this one, returned, wherever a provider's client looks for its key."""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    return KEY
