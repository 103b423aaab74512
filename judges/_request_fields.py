"""How OpenAI-compatible servers name what a request is set to: there is no common name for some of it."""

from typing import Any

from agenthorizon.errors import UsageError

from ._settings import Settings


def request_fields(settings: Settings, provider: str) -> dict[str, Any]:
    """Return the fields of a request but its messages, as the server names them."""
    # OpenAI's newer models refuse the old name of the limit; other servers may not know the new one.
    limit = "max_completion_tokens" if provider == "openai" else "max_tokens"
    optional = {
        "temperature": settings.temperature,
        limit: settings.max_tokens,
        "seed": settings.seed,
        "reasoning_effort": settings.reasoning_effort,
        "response_format": settings.response_format,
    }
    named = {"model": settings.model} | {name: value for name, value in optional.items() if value is not None}
    return _merged(_merged(named, _thinking(settings, provider)), settings.extra_body)


def _thinking(settings: Settings, provider: str) -> dict[str, Any]:
    """Return how a server is told to think, and how long: there is no common name for it."""
    wanted = {"enable_thinking": settings.enable_thinking, "thinking_budget": settings.thinking_budget}
    given = {name: value for name, value in wanted.items() if value is not None}
    if not given:
        return {}
    if provider == "openai":
        raise UsageError(f"OpenAI has no {' or '.join(given)}; its models take reasoning_effort")
    if provider == "openrouter":
        names = {"enable_thinking": "enabled", "thinking_budget": "max_tokens"}
        return {"reasoning": {names[name]: value for name, value in given.items()}}
    if provider == "dashscope":
        return given
    return {"chat_template_kwargs": given}  # vLLM, SGLang, llama.cpp


def _merged(fields: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Return fields with more of them; objects that both have are joined."""
    both = {name: fields[name] | value for name, value in more.items() if _are_objects(fields.get(name), value)}
    return fields | more | both


def _are_objects(first: Any, second: Any) -> bool:
    return isinstance(first, dict) and isinstance(second, dict)
