"""What one request may hold, provider by provider, as documented in November 2026. A judge's `limits` override it.

Where sources differ the smaller figure stands: a request that is planned too small is answered, one too large is not.
A name is a route, since the same model takes more or less through another one.
"""

import re
from collections.abc import Mapping

from agenthorizon.case import Limits

AS_OF = "2026-11"

_MB = 1_000_000

LIMITS: dict[str, Limits] = {
    # platform.claude.com, build-with-claude/vision: 100 pictures for models of 200k tokens (600 for the others),
    # 8000 px a side, 2000 px beyond 20 pictures; tokens ≈ width × height / 750, at most 4784 (1600 for older models).
    # Ibid., api/overview: 32 MB a request.
    "anthropic": Limits(
        images=100,
        side=8000,
        many=20,
        many_side=2000,
        request_bytes=32 * _MB,
        context=200_000,
        image_tokens=0,
        pixels_per_token=750,
        most_image_tokens=4784,
    ),
    # AWS reference of the Converse operation: 20 pictures, 3.75 MB and 8000 px each.
    "bedrock-converse": Limits(images=20, side=8000, image_bytes=3_750_000),
    # Images and vision guide: 500 pictures and 50 MB (a newer edition says 1,500 pictures).
    "openai": Limits(images=500, request_bytes=50 * _MB),
    # Azure/azure-rest-api-specs issue 46145: the 51st picture of a request gets status 400.
    "azure-openai": Limits(images=50),
    # ai.google.dev and Firebase, input file requirements: 20 MB a request with inline data; Vertex AI, image
    # understanding: 900 pictures (Gemini 3), 1120 tokens a picture at the default resolution.
    "gemini-inline": Limits(images=900, request_bytes=20 * _MB, image_tokens=1120, pixels_per_token=None),
    # Vertex AI, image understanding: 900 pictures (Gemini 3; 3,000 for the 2.5 line), 7 MB each.
    "vertex": Limits(images=900, image_bytes=7 * _MB, image_tokens=1120, pixels_per_token=None),
    # A start option of the server (--limit-mm-per-prompt): 1 in old engines, 999 in newer ones. `judges check` asks.
    "vllm": Limits(),
    # Passes on to whichever provider serves the model.
    "openrouter": Limits(),
}

UNKNOWN = Limits()
"""Stands for a server that is not in the table: nothing is assumed, and `too large` is learned from its answer."""


def limits_of(provider: str, overrides: Mapping[str, int | float | None] | None = None) -> Limits:
    """Return a provider's limits with some replaced. Raises ValueError for a name or value that Limits has not."""
    known = LIMITS.get(provider, UNKNOWN)
    return Limits.model_validate({**known.model_dump(), **(overrides or {})})


def side_limit(limits: Limits, images: int) -> int | None:
    """Return how wide and high a picture may be, in pixels, in a request of so many."""
    is_many = limits.many is not None and images > limits.many
    return limits.many_side if is_many else limits.side


# How servers say what they take: vLLM, then OpenAI and Azure, then Anthropic; then vLLM and OpenAI on tokens.
_IMAGES_TAKEN = (
    re.compile(r"at most (\d+) image", re.IGNORECASE),
    re.compile(r"(?:too many|number of) images.{0,80}?max\w*\D{0,20}(\d+)", re.IGNORECASE | re.DOTALL),
    re.compile(r"max\w*\D{0,20}(\d+) images", re.IGNORECASE),
)
_TOKENS_TAKEN = re.compile(r"(?:maximum|max) (?:context|model) (?:length|len)\D{0,20}([\d,]{3,})", re.IGNORECASE)


def learned(limits: Limits, message: str) -> Limits:
    """Return the limits with what an error message says of them; the same where it says nothing tighter."""
    found: dict[str, int] = {}
    for pattern in _IMAGES_TAKEN:
        if match := pattern.search(message):
            found["images"] = max(1, int(match[1]))
            break
    if match := _TOKENS_TAKEN.search(message):
        found["context"] = max(1, int(match[1].replace(",", "")))
    tighter = {name: value for name, value in found.items() if value < (getattr(limits, name) or value + 1)}
    return limits.model_copy(update=tighter)
