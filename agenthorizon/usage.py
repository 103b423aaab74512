"""Tokens by kind: what a provider counts of a request, and sums of it. What is unknown is None, never 0."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

MOST_TOKENS = 10**12
"""No request takes as many; who says so, or says fewer than none, has not counted."""


def token_count(value: object) -> int | None:
    """Return a number of tokens as a provider says it; None where it is none, and so unknown."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < MOST_TOKENS else None


def total(counts: Iterable[int | None]) -> int | None:
    """Return the sum; unknown as soon as one count is, or where there is none."""
    known = list(counts)
    return None if None in known or not known else known_total(known)


def known_total(counts: Iterable[int | None]) -> int | None:
    """Return the sum of the counts that are known, so the least it can be; unknown where none is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


@dataclass(frozen=True)
class Usage:
    """Tokens by kind as the provider counts them; None is unknown, never 0."""

    input: int | None = None
    """All of the prompt, what was cached included."""
    output: int | None = None
    """All that was generated, reasoning included."""
    cached_read: int | None = None
    reasoning: int | None = None
    cached_write: int | None = None

    @property
    def by_kind(self) -> dict[str, int | None]:
        """Every kind with its count."""
        return asdict(self)

    @classmethod
    def total(cls, parts: Iterable[Self]) -> Self:
        """Return the sum by kind; a kind is unknown as soon as one part does not know it."""
        return cls(**{kind: total(counts) for kind, counts in _columns(parts).items()})

    @classmethod
    def known_total(cls, parts: Iterable[Self]) -> Self:
        """Return the sum by kind of what is known, so the least it can be; caps go by it."""
        return cls(**{kind: known_total(counts) for kind, counts in _columns(parts).items()})


KINDS = tuple(one.name for one in fields(Usage))
"""Kinds of tokens, in the order in which records name them."""


def _columns(parts: Iterable[Usage]) -> dict[str, list[int | None]]:
    listed = list(parts)
    return {kind: [getattr(part, kind) for part in listed] for kind in KINDS}


def of_chat(usage: Mapping[str, Any]) -> Usage:
    """Return the `usage` of a chat completion, in which any field may be absent, null or of another type.

    {"prompt_tokens": 1200, "prompt_tokens_details": {"cached_tokens": 0},
     "completion_tokens": 40, "completion_tokens_details": {"reasoning_tokens": 12}}
    """
    return Usage(
        input=token_count(usage.get("prompt_tokens")),
        output=token_count(usage.get("completion_tokens")),
        cached_read=_detail(usage, "prompt_tokens_details", "cached_tokens"),
        reasoning=_detail(usage, "completion_tokens_details", "reasoning_tokens"),
        cached_write=_written(usage),
    )


def _written(usage: Mapping[str, Any]) -> int | None:
    """Return how many tokens were written to a cache: OpenRouter's name for it, then litellm's two."""
    named = (_detail(usage, "prompt_tokens_details", name) for name in ("cache_write_tokens", "cache_creation_tokens"))
    found = [*named, token_count(usage.get("cache_creation_input_tokens"))]
    return next((count for count in found if count is not None), None)


def _detail(usage: Mapping[str, Any], group: str, name: str) -> int | None:
    details = usage.get(group)
    return token_count(details.get(name)) if isinstance(details, dict) else None
