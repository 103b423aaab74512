"""Joins the replies of one attempt that asks a model several times into the one that the runner gets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agenthorizon.judge import Reply, Usage

_UNFINISHED = frozenset({"length", "content_filter"})


def is_whole(reply: Reply) -> bool:
    """Whether an answer holds a text that was neither cut nor refused."""
    return reply.failure is None and reply.finish not in _UNFINISHED and bool((reply.text or "").strip())


def unanswered(reply: Reply) -> Reply:
    """Return an unusable answer of an early request as the end of its attempt: its reason stays, its text is none."""
    return replace(reply, text=None)


def failed(error: Exception) -> Reply:
    """Return a request that failed as a reply that took nothing, so that what was paid for before it is kept."""
    return Reply(text=None, usage=Usage(0, 0, 0, 0, 0), failure=error)


def joined(earlier: Sequence[Reply], last: Reply, evidence: Mapping[str, Any]) -> Reply:
    """Return the last reply with what all of them took. Raises its failure where nothing was paid for before it."""
    if last.failure is not None and not earlier and not last.requests:
        raise last.failure
    replies = [*earlier, last]
    return replace(
        last,
        usage=Usage.total(reply.usage for reply in replies),
        requests=sum(reply.requests for reply in replies),
        images=sum(reply.images for reply in replies),
        raw={"earlier": [reply.raw for reply in earlier], "last": last.raw} if earlier else last.raw,
        evidence={**evidence, **last.evidence},
    )
