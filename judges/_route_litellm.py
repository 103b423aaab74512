"""Anthropic, Gemini, Bedrock, Azure and the rest through litellm, which turns one form of request into each of theirs.

It builds bodies in memory, so a worker holds its whole request. The model is named as litellm does: anthropic/claude-…,
gemini/…, bedrock/…, azure/…; keys come from the variables litellm reads, or from `key_env`.
"""

import json
import logging
import os
import warnings
from typing import Any

import pybase64

from agenthorizon.errors import MissingExtra, UsageError
from agenthorizon.evidence.conversation import LastShared
from agenthorizon.judge import Reply, Sheet
from agenthorizon.judging.beside_the_loop import prepared
from agenthorizon.judging.chat_reply import reply_of_body

from ._route import Asking, Said
from ._secrets import hide, without
from ._settings import Settings

_PROVIDERS = {
    "anthropic": "anthropic",
    "gemini": "gemini-inline",
    "vertex_ai": "vertex",
    "bedrock": "bedrock-converse",
    "azure": "azure-openai",
    "openai": "openai",
    "openrouter": "openrouter",
}
_ADDRESSES = {
    "anthropic": "https://api.anthropic.com",
    "gemini": "https://generativelanguage.googleapis.com",
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
}
"""Of providers that have one address; the others' depends on region, project or resource."""
_CARRY_CLAUDE = frozenset({"azure_ai", "bedrock", "openrouter", "vertex_ai"})
_SECRET_NAMES = ("_KEY", "_TOKEN", "_SECRET", "_KEY_ID")
_NOT_OURS = "OPENAI_API_KEY"  # the setting's default says nothing about another provider's key


class Route:
    """Sends requests through litellm."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._is_open = False

    @staticmethod
    def provider(settings: Settings) -> str:
        """Return whose limits hold, by the first part of the model's name."""
        return _PROVIDERS.get(settings.model.partition("/")[0], "unknown")

    @staticmethod
    def address(settings: Settings) -> str | None:
        """Return where requests go; None where only litellm knows."""
        return settings.base_url or _ADDRESSES.get(settings.model.partition("/")[0])

    @staticmethod
    def takes_cache_marker(settings: Settings) -> bool:
        """Whether the provider caches what is marked, and only that.

        Gemini and OpenAI cache by themselves; of a mark, litellm would make Gemini a cache that is paid by the hour.
        """
        provider = settings.model.partition("/")[0]
        return provider == "anthropic" or (provider in _CARRY_CLAUDE and "claude" in settings.model.lower())

    async def send(self, asking: Asking) -> Reply:
        """Send one request. Raises litellm's errors, which carry the provider's status."""
        import openai  # the base of litellm's errors

        litellm = _litellm()
        messages = await prepared(_messages, asking)
        self._is_open = True
        try:
            response = await litellm.acompletion(messages=messages, **self._fields(asking))
        except litellm.UnsupportedParamsError as error:
            raise UsageError(f'{error.message} ("none" leaves a setting to the provider)') from error
        except openai.APIError as error:
            hide(_secrets(), error)
            raise
        contents = (message["content"] for message in messages if message["role"] == "user")
        pictures = sum(part["type"] == "image_url" for content in contents for part in content)
        body = json.dumps(response.model_dump(mode="json"), default=repr)
        return reply_of_body(without(_secrets(), body), images=pictures)

    async def aclose(self) -> None:
        """Close the connections that litellm keeps."""
        if self._is_open:
            await _litellm().close_litellm_async_clients()
            self._is_open = False

    def _fields(self, asking: Asking) -> dict[str, Any]:
        settings = self._settings if asking.is_verdict else self._settings.without_schema()
        key = os.environ.get(settings.key_env, "").strip() if settings.key_env != _NOT_OURS else ""
        budget = settings.thinking_budget
        thinking = None if budget is None else {"type": "enabled", "budget_tokens": budget}
        if settings.enable_thinking is False:
            thinking = {"type": "disabled"}
        optional = {
            "api_base": settings.base_url,
            "api_key": key or None,
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
            "seed": settings.seed,
            "reasoning_effort": settings.reasoning_effort,
            "thinking": thinking,
            "response_format": settings.response_format,
        }
        given = {name: value for name, value in optional.items() if value is not None}
        # Its own retries are off: the runner counts and paces them.
        return {"model": settings.model, "num_retries": 0, "max_retries": 0} | given | settings.extra_body


def _litellm() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else importing it fetches a price list
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its own types, which are no concern of a user's
            import litellm
    except ImportError as error:
        raise MissingExtra("the litellm route", "providers") from error
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    logging.getLogger("LiteLLM").setLevel(logging.ERROR)
    return litellm


def _secrets() -> list[str]:
    """Return what may be a key: litellm knows a hundred variables' names, each provider its own."""
    return [value for name, value in os.environ.items() if name.endswith(_SECRET_NAMES)]


def _messages(asking: Asking) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": asking.system}, {"role": "user", "content": []}]
    for part in asking.content:
        if isinstance(part, Said):
            messages += [{"role": "assistant", "content": part.text}, {"role": "user", "content": []}]
        else:
            messages[-1]["content"].append(_part(part, asking.media_type))
    return messages


def _part(part: str | Sheet | LastShared, media_type: str) -> dict[str, Any]:
    if isinstance(part, LastShared):  # becomes Bedrock's cachePoint, too
        return {"type": "text", "text": part.text, "cache_control": {"type": "ephemeral"}}
    if isinstance(part, str):
        return {"type": "text", "text": part}
    data = pybase64.b64encode(part.encoded()).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{media_type};base64,{data}"}}
