"""Splits of whole pair groups."""

import random
from itertools import combinations

import pytest

from agenthorizon.construction.drawing import by_group, draw_splits, hold_out
from agenthorizon.errors import UsageError


def groups_of(*sizes):
    return {f"g{n}": tuple(f"g{n}-{k}" for k in range(size)) for n, size in enumerate(sizes)}


def test_no_group_is_torn():
    groups = groups_of(4, 3, 2, 4, 7, 1, 4)
    drawn = hold_out(groups, 9, seed=3)
    assert all(len(drawn.intersection(members)) in (0, len(members)) for members in groups.values())


@pytest.mark.parametrize("seed", range(20))
def test_the_size_is_exact_wherever_some_choice_of_groups_has_it(seed):
    sizes = [random.Random(seed).choice((2, 3, 4, 7)) for _ in range(8)]
    possible = {sum(chosen) for n in range(9) for chosen in combinations(sizes, n)}
    for size in range(sum(sizes) + 1):
        assert len(hold_out(groups_of(*sizes), size, seed)) == max(n for n in possible if n <= size)


def test_the_draw_depends_on_the_seed_alone():
    groups = groups_of(*[4] * 30)
    backwards = dict(reversed(groups.items()))
    assert hold_out(groups, 40, seed=1) == hold_out(backwards, 40, seed=1) != hold_out(groups, 40, seed=2)


def test_every_group_is_drawn_now_and_then():
    groups = groups_of(2, 3, 4, 4, 3, 2)
    drawn = [hold_out(groups, 9, seed) for seed in range(200)]
    assert all(any(drawing.issuperset(members) for drawing in drawn) for members in groups.values())


def test_more_tasks_than_there_are_is_refused():
    with pytest.raises(UsageError, match="5 tasks cannot be drawn from 4"):
        hold_out(groups_of(4), 5)


def test_splits_of_ones_own_divide_all_tasks_without_tearing_a_group():
    groups = groups_of(*[4] * 10, 3, 3)
    splits = draw_splits(groups, {"train": 20, "test": 10}, rest="spare", seed=5)
    assert {name: len(ids) for name, ids in splits.items()} == {"train": 20, "test": 10, "spare": 16}
    homes = {(task_id.split("-")[0], name) for name, ids in splits.items() for task_id in ids}
    assert len(homes) == len(groups)


def test_groups_are_gathered_in_the_order_of_the_tasks():
    assert by_group(["a", "b", "c"], {"a": "x", "b": "y", "c": "x"}) == {"x": ("a", "c"), "y": ("b",)}
