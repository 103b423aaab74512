"""Tasks that share a recording, judged one right after the other so that a server's cache still holds their prefix.

Only for judges that put the trajectory first. The first task of a recording is asked in its turn; each further one is
held back until the one before it is settled, since a cache is filled by an answered request, and then goes first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.outcome import Outcome
from agenthorizon.prices import MILLION, Prices


def shares_prefixes(judge: Any) -> bool:
    """Whether a judge's requests about one recording begin the same way."""
    return traits_of(judge).prompt_order == "trajectory-first"


def recordings(bench: Bench, ids: Sequence[str]) -> dict[str, str]:
    """Return, for each task, what stands for its recording: equal for tasks whose steps are equal."""
    return {task_id: bench[task_id].trajectory.recording for task_id in ids}


@dataclass(frozen=True)
class Saving:
    """What reading from a server's cache saved, over the attempts whose tokens are known."""

    input: int
    """Tokens of all prompts."""
    cached: int
    """Those of them that were read from a cache."""
    shareable: int
    """Tokens of the prompts that came after another one about the same recording: the most that could be."""
    dollars: float | None
    """Less what writing the cache cost more than plain input would have; None where prices are unknown."""


def saving_of(attempts: Sequence[Outcome], prices: Prices | None) -> Saving:
    """Return what caching saved in these attempts."""
    known = [(attempt, attempt.telemetry.tokens or {}) for attempt in attempts]
    cached = sum(tokens.get("cached_read") or 0 for _, tokens in known)
    shared = sum(tokens.get("input") or 0 for attempt, tokens in known if attempt.evidence.get("follows"))
    written = sum(tokens.get("cached_write") or 0 for _, tokens in known)
    dollars = _saved(cached, written, prices) if prices else None
    return Saving(sum(tokens.get("input") or 0 for _, tokens in known), cached, shared, dollars)


def _saved(cached: int, written: int, prices: Prices) -> float | None:
    """Return what tokens read from a cache cost less than others, less what those written to it cost more."""
    if written and prices.cached_write is None:
        return None
    cheaper = prices.input - (prices.input if prices.cached_read is None else prices.cached_read)
    dearer = (prices.cached_write or 0.0) - prices.input if written else 0.0
    return (cached * cheaper - written * dearer) / MILLION
