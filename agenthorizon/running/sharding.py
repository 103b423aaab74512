"""Parts of a data set for several machines: the same part for the same data set, whatever is asked of it.

Pair groups are never torn, so that tasks which share a recording are judged in one place.
"""

import re
from collections.abc import Sequence

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import UsageError

Shard = tuple[int, int]

_SHARD = re.compile("([0-9]{1,9})/([0-9]{1,9})")


def read_shard(text: str) -> Shard:
    """Read `i/n`, the i-th of n parts, from 1. Raises UsageError that says so."""
    found = _SHARD.fullmatch(text)
    part, parts = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= part <= parts:
        raise UsageError(f"--shard takes i/n with 1 ≤ i ≤ n, e.g. 2/8; not {text[:60]!r}")
    return part, parts


def shard_of(bench: Bench, ids: Sequence[str], shard: Shard | None) -> list[str]:
    """Return those of `ids` that belong to a part.

    Groups are dealt out in the order of the whole data set, not of `ids`: a wider selection moves no task to another
    part, so that going on asks nothing twice.
    """
    if shard is None:
        return list(ids)
    part, parts = shard
    order: dict[str, int] = {}
    for split in bench.splits.values():
        for task_id in split:
            order.setdefault(bench.group_of(task_id), len(order))
    return [task_id for task_id in ids if order[bench.group_of(task_id)] % parts == part - 1]
