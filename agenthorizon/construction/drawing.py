"""Draws splits that never tear a pair group: seeded, and of exactly the size asked for where groups allow it."""

import random
from collections.abc import Iterable, Mapping, Sequence

from agenthorizon.errors import UsageError


def by_group(ids: Iterable[str], group_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Gather task ids by pair group, in the order they come."""
    groups: dict[str, list[str]] = {}
    for task_id in ids:
        groups.setdefault(group_of[task_id], []).append(task_id)
    return {group: tuple(members) for group, members in groups.items()}


def hold_out(groups: Mapping[str, Sequence[str]], size: int, seed: int = 0) -> frozenset[str]:
    """Draw whole pair groups of `size` tasks together and return the ids of those tasks.

    The groups come in an order drawn with `seed`; each is taken if the rest can still fill what is then left.
    Where no choice of groups has exactly `size` tasks, the nearest smaller number is drawn. Raises UsageError when
    there are fewer tasks than asked for.
    """
    total = sum(len(members) for members in groups.values())
    if not 0 <= size <= total:
        raise UsageError(f"a split of {size} tasks cannot be drawn from {total}")
    order = sorted(groups)
    random.Random(seed).shuffle(order)
    reachable = _reachable([len(groups[name]) for name in order])
    left = max(n for n in range(size + 1) if reachable[0] >> n & 1)
    drawn: set[str] = set()
    for name, later in zip(order, reachable[1:], strict=True):
        after = left - len(groups[name])
        if after >= 0 and later >> after & 1:
            drawn.update(groups[name])
            left = after
    return frozenset(drawn)


def _reachable(sizes: Sequence[int]) -> list[int]:
    """Return, for every position, the sums that the sizes from there on can make, as bits of a number."""
    sums = [1]
    for size in reversed(sizes):
        sums.append(sums[-1] | sums[-1] << size)
    return sums[::-1]


def draw_splits(
    groups: Mapping[str, Sequence[str]], sizes: Mapping[str, int], rest: str, seed: int = 0
) -> dict[str, tuple[str, ...]]:
    """Draw each named split in turn from whole pair groups; what remains is the split called `rest`."""
    remaining = dict(groups)
    splits: dict[str, tuple[str, ...]] = {}
    for name, size in sizes.items():
        drawn = hold_out(remaining, size, seed)
        splits[name] = tuple(task_id for members in remaining.values() for task_id in members if task_id in drawn)
        remaining = {group: members for group, members in remaining.items() if not drawn.issuperset(members)}
    left = tuple(task_id for members in remaining.values() for task_id in members)
    return splits | ({rest: left} if left else {})
