"""The published rule of difficulty, counted by hand on small tables."""

import pytest

from agenthorizon.construction.partition import PUBLISHED, Rule, partition
from agenthorizon.errors import DataError, UsageError

POSITIVE = {"t": True}


def eight(right, of=True, invalid=0):
    """Eight verdicts on a task whose answer is `of`: so many right, so many invalid, the rest wrong."""
    return [of] * right + [None] * invalid + [not of] * (8 - right - invalid)


def three(*rights, of=True, invalid=0):
    return {name: {"t": eight(right, of, invalid)} for name, right in zip("abc", rights, strict=True)}


@pytest.mark.parametrize(
    ("rights", "split"), [((8, 8, 2), "AH"), ((8, 8, 3), "AH-S"), ((0, 0, 0), "AH"), ((8, 8, 8), "AH-S")]
)
def test_at_most_18_of_24_right_is_the_frontier(rights, split):
    assert partition(three(*rights), POSITIVE).splits()[split] == ("t",)


def test_an_invalid_verdict_counts_as_wrong_whichever_class_the_task_has():
    for is_positive in (True, False):
        verdicts = three(6, 6, 6, of=is_positive, invalid=2)
        assert partition(verdicts, {"t": is_positive}).right == {"t": 18}


def test_a_number_or_a_text_is_no_right_verdict():
    verdicts = {"one": {"t": [1, "true", True, 1, 1, 1, 1, 1]}}
    assert partition(verdicts, POSITIVE, rule=Rule(1, 8, 6)).right == {"t": 1}


def test_tasks_held_out_for_development_need_no_verdicts_and_are_in_neither_split():
    found = partition(three(8, 8, 8), {"t": True, "aside": False}, held_out={"aside"})
    assert found.splits() == {"AH": (), "AH-S": ("t",)}


def test_tasks_of_one_pair_group_may_part_and_keep_the_order_of_the_labels():
    verdicts = {name: {"hard": eight(1), "easy": eight(8), "also hard": eight(2)} for name in "abc"}
    found = partition(verdicts, {"also hard": True, "easy": True, "hard": True})
    assert found.splits() == {"AH": ("also hard", "hard"), "AH-S": ("easy",)}


def test_every_task_without_its_verdicts_is_named():
    verdicts = three(8, 8, 8)
    verdicts["b"]["t"] = verdicts["b"]["t"][:7]
    verdicts["c"]["t"] = verdicts["c"]["t"] + [True]
    with pytest.raises(DataError) as caught:
        partition(verdicts, {"t": True, "unasked": True})
    assert [(fault.file, fault.code) for fault in caught.value.faults] == [
        ("a", "verdicts_missing"),
        ("b", "verdicts_missing"),
        ("b", "verdicts_missing"),
        ("c", "too_many_verdicts"),
        ("c", "verdicts_missing"),
    ]


def test_another_number_of_splitters_than_the_rule_counts_is_refused():
    with pytest.raises(UsageError, match="3 splitters, found 1: a"):
        partition({"a": {"t": eight(8)}}, POSITIVE)


@pytest.mark.parametrize(("splitters", "at_most"), [(1, 6), (2, 12), (3, 18)])
def test_fewer_splitters_keep_the_published_share(splitters, at_most):
    assert Rule.like_published(splitters, 8) == Rule(splitters, 8, at_most)


def test_the_published_rule_is_its_own_likeness():
    assert Rule.like_published(3, 8) == PUBLISHED


@pytest.mark.parametrize("at_most", [-1, 24])
def test_a_limit_that_leaves_one_split_empty_by_construction_is_refused(at_most):
    with pytest.raises(UsageError, match="the limit must lie from 0 to 23"):
        Rule(3, 8, at_most)
