"""Joins the replies of one attempt that asks a model several times into the one that the runner gets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agenthorizon.errors import JudgeFailure
from agenthorizon.judge import Reply, Usage

MOST_CHARACTERS = 20_000
"""Of an early answer, where no setting says otherwise: ten times what a description or notes usually have."""


def is_finished(reply: Reply) -> bool:
    """Whether a model said all it wanted to: neither failed, nor cut, nor refused."""
    return reply.failure is None and reply.finish not in ("length", "content_filter")


def unusable_end(reply: Reply, most: int, setting: str) -> Reply | None:
    """Return an early answer that cannot be carried on as the end of its attempt; None for one that can.

    Such is one without a text, cut, refused, or of more characters than a setting allows, since every later request
    would hold it. Its reason stays, its text is none.
    """
    text = reply.text or ""
    if is_finished(reply) and len(text) > most:
        message = f"an answer of {len(text):,} characters, where at most {most:,} are read ({setting})"
        return replace(reply, text=None, failure=JudgeFailure("truncated", message, passing=False))
    return None if is_finished(reply) and text.strip() else replace(reply, text=None)


def failed(error: Exception) -> Reply:
    """Return a request that failed as a reply that took nothing, so that what was paid for before it is kept."""
    return Reply(text=None, usage=Usage(0, 0, 0, 0, 0), failure=error)


def joined(earlier: Sequence[Reply], last: Reply, evidence: Mapping[str, Any], answers_kept: int = 0) -> Reply:
    """Return the last reply with what all of them took, and the answers that were found instead of asked for.

    Raises its failure where nothing was paid for before it.
    """
    if last.failure is not None and not earlier and not last.requests:
        raise last.failure
    replies = [*earlier, last]
    raw = [reply.raw for reply in earlier if reply.raw is not None]  # of what an attempt before took, only the sum
    return replace(
        last,
        usage=Usage.total(reply.usage for reply in replies),
        requests=sum(reply.requests for reply in replies),
        images=sum(reply.images for reply in replies),
        answers_kept=answers_kept + sum(reply.answers_kept for reply in replies),
        raw={"earlier": raw, "last": last.raw} if raw else last.raw,
        evidence={**evidence, **last.evidence},
    )
