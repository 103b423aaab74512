"""Remembers what an attempt has paid for until its reply is there: that of a process that is killed never is.

What it had been answered is kept as well, and used by the next attempt, whose outcome then counts what it cost.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from agenthorizon.judge import Case, Reply, Usage
from agenthorizon.judging.beside_the_loop import on_disk
from agenthorizon.judging.kept_texts import KeptTexts
from agenthorizon.usage import KINDS, token_count

_PART = "unsettled"
"""Of the cache."""
_MOST_COUNT = 10**6
"""Requests or pictures beyond which a record is none of ours."""


def unsettled_of(resume_keys: Sequence[str]) -> list[Reply]:
    """Return what attempts with these keys have paid for and no outcome counts, each as one reply without a text."""
    kept = KeptTexts(_PART).several([_place(key) for key in resume_keys])
    return [bill for texts in kept.values() if (bill := _read(texts))]


class Unsettled:
    """What attempts at each task and repeat of a run have paid for and no outcome counts."""

    def __init__(self) -> None:
        self._kept = KeptTexts(_PART)
        self._in_hand: set[str] = set()

    @asynccontextmanager
    async def bill_of(self, case: Case) -> AsyncIterator["Bill"]:
        """Give an attempt at a case its bill; it is settled where the block ends, which is when a reply is there.

        An attempt that is broken off, by an error, its time or its process, leaves it to the next one. Without a resume
        key nothing is kept; nor is it for the second of two askings of one key at the same time, since one attempt
        alone can be gone on with.
        """
        if case.resume_key is None or case.resume_key in self._in_hand:
            yield Bill(self._kept, None, None)
            return
        self._in_hand.add(case.resume_key)
        try:
            before = _read(await on_disk(self._kept.get, _place(case.resume_key)))
            bill = Bill(self._kept, case.resume_key, before)
            yield bill
            await bill.settle()
        finally:
            self._in_hand.discard(case.resume_key)


class Bill:
    """What one attempt has paid for, with what those before it did that had no outcome."""

    def __init__(self, kept: KeptTexts, resume_key: str | None, before: Reply | None) -> None:
        self.resume_key = resume_key
        """The case's, where this attempt is the one to be gone on with; else None."""
        self._kept = kept
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
            if self.resume_key:
                await on_disk(self._kept.put, _place(self.resume_key), [_written(self._sum)])

    async def settle(self) -> None:
        """Forget it: the reply that is about to be returned says it all."""
        if self.resume_key and self._sum:
            await on_disk(self._kept.take, _place(self.resume_key))


def _place(resume_key: str) -> bytes:
    return hashlib.sha256(resume_key.encode()).digest()


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
