"""Remembers what an attempt has paid for until its reply is there: that of a process that is killed never is.

What it had been answered is kept as well, and used by the next attempt, whose outcome then counts what it cost.
"""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from agenthorizon.judge import Case, Reply, Usage
from agenthorizon.judging.beside_the_loop import on_disk
from agenthorizon.usage import KINDS, token_count

from ._kept_texts import KeptTexts

_MOST_COUNT = 10**6


class Unsettled:
    """What attempts at each task and repeat of a run have paid for and no outcome counts."""

    def __init__(self) -> None:
        self._kept = KeptTexts("unsettled")

    async def bill_of(self, case: Case) -> "Bill":
        """Return the bill that an attempt at a case begins with. Without a resume key nothing is kept."""
        if case.resume_key is None:
            return Bill(self._kept, None, None)
        key = hashlib.sha256(case.resume_key.encode()).digest()
        return Bill(self._kept, key, _read(await on_disk(self._kept.get, key)))


class Bill:
    """What one attempt has paid for, with what those before it did that had no outcome."""

    def __init__(self, kept: KeptTexts, key: bytes | None, before: Reply | None) -> None:
        self._kept = kept
        self._key = key
        self._writing = asyncio.Lock()
        self._sum = before
        self.before = [before] if before else []
        """What attempts before it took, as one reply without a text; none where there is nothing to count."""

    @property
    def account(self) -> Mapping[str, int]:
        """What an outcome says of the requests that it counts and this attempt has not made."""
        return {"requests_before": self.before[0].requests} if self.before else {}

    async def add(self, reply: Reply) -> None:
        """Take note of an answer. When this returns it is on disk, unless nothing can be kept there."""
        async with self._writing:  # the larger sum must be written last
            self._sum = _sum(self._sum, reply)
            if self._key:
                await on_disk(self._kept.put, self._key, [_written(self._sum)])

    async def settle(self) -> None:
        """Forget it: the reply that is about to be returned says it all."""
        if self._key and self._sum:
            await on_disk(self._kept.take, self._key)


def _sum(before: Reply | None, reply: Reply) -> Reply:
    usages = [before.usage, reply.usage] if before else [reply.usage]
    requests, images = (before.requests, before.images) if before else (0, 0)
    return Reply(text=None, usage=Usage.total(usages), requests=requests + reply.requests, images=images + reply.images)


def _written(reply: Reply) -> str:
    return json.dumps({"tokens": reply.usage.by_kind, "requests": reply.requests, "images": reply.images})


def _read(kept: list[str] | None) -> Reply | None:
    """Return what was written; None where it is nothing that could have been."""
    try:
        record: Any = json.loads(kept[0]) if kept else None
        tokens = {kind: token_count(record["tokens"].get(kind)) for kind in KINDS}
        requests, images = (record[name] for name in ("requests", "images"))
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return None
    if not all(isinstance(count, int) and 0 <= count < _MOST_COUNT for count in (requests, images)):
        return None
    return Reply(text=None, usage=Usage(**tokens), requests=requests, images=images)
