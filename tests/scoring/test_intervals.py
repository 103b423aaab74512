"""Intervals are Wilson's for independent tasks and wider, never outside 0 to 1, for tasks that come in groups."""

import random

import pytest

from agenthorizon.scoring.intervals import (
    Tally,
    balanced_accuracy_interval,
    correlation,
    design_effect,
    grouped_wilson,
    wilson,
)


def groups(*counts, name="g"):
    return {f"{name}{n}": Tally(*count) for n, count in enumerate(counts)}


def width(interval):
    return interval.high - interval.low


@pytest.mark.parametrize(("right", "total"), [(0, 1), (1, 1), (3, 7), (163, 227), (271, 301), (849, 850)])
def test_statsmodels_gives_the_same_wilson_limits(right, total):
    from statsmodels.stats.proportion import proportion_confint

    assert wilson(right, total) == pytest.approx(proportion_confint(right, total, method="wilson"))


@pytest.mark.parametrize("total", [1, 3, 10, 523, 850])
def test_limits_at_the_ends_are_exact(total):
    assert wilson(0, total).low == 0
    assert wilson(total, total).high == 1


def test_groups_of_one_give_exactly_wilson():
    singles = groups(*[(n % 3 == 0, 1) for n in range(50)])
    assert design_effect(singles) == 1
    assert grouped_wilson(singles) == wilson(17, 50)


def test_one_group_counts_as_one_task():
    assert grouped_wilson(groups((3, 4))) == wilson(3, 4, design_effect=4)


def test_groups_that_are_all_alike_inside_count_nearly_as_one_task_each():
    alike = groups(*[(2 * (n % 2), 2) for n in range(200)])
    assert design_effect(alike) == pytest.approx(2, rel=0.01)


def test_groups_that_differ_inside_more_than_chance_never_narrow_an_interval():
    mixed = groups(*[(1, 2)] * 100)
    assert design_effect(mixed) == 1
    assert grouped_wilson(mixed) == wilson(100, 200)


def test_a_perfect_judge_gets_the_cautious_limit():
    assert grouped_wilson(groups(*[(2, 2)] * 50)) == wilson(100, 100, design_effect=2)


def test_one_error_does_not_raise_the_lower_limit():
    perfect = grouped_wilson(groups(*[(2, 2)] * 50))
    almost = grouped_wilson(groups(*[(2, 2)] * 49, (1, 2)))
    assert almost.low < perfect.low


def test_nothing_has_no_interval():
    assert grouped_wilson({}) is None


@pytest.mark.parametrize(("positives", "negatives"), [({}, {"g": Tally(1, 2)}), ({"g": Tally(1, 2)}, {})])
def test_balanced_accuracy_without_a_class_has_no_interval(positives, negatives):
    assert balanced_accuracy_interval(positives, negatives) is None


def test_unrelated_groups_are_added_as_newcombe_does():
    positives, negatives = groups(*[(n < 15, 1) for n in range(20)]), groups(*[(n < 9, 1) for n in range(30)], name="h")
    first, second = wilson(15, 20), wilson(9, 30)
    found = balanced_accuracy_interval(positives, negatives)
    assert found.low == pytest.approx(0.525 - ((0.75 - first.low) ** 2 + (0.3 - second.low) ** 2) ** 0.5 / 2)
    assert found.high == pytest.approx(0.525 + ((first.high - 0.75) ** 2 + (second.high - 0.3) ** 2) ** 0.5 / 2)


def test_pairs_that_are_hard_as_a_whole_widen_balanced_accuracy():
    same = groups(*[(n % 2, 1) for n in range(40)])
    opposite = groups(*[(1 - n % 2, 1) for n in range(40)])
    apart = groups(*[(n % 2, 1) for n in range(40)], name="h")
    widths = [width(balanced_accuracy_interval(same, other)) for other in (same, apart, opposite)]
    assert widths[0] > widths[1] > widths[2]


def test_common_groups_correlate_the_shares():
    half = groups(*[(n % 2, 1) for n in range(40)])
    assert correlation(half, half) == pytest.approx(1)
    assert correlation(half, groups(*[(n % 2, 1) for n in range(40)], name="h")) == 0


def test_a_negative_correlation_of_few_groups_is_not_believed():
    assert correlation(groups((0, 2), (2, 2)), groups((2, 2), (0, 2))) == 0
    opposite = [groups(*[((n + turn) % 2, 1) for n in range(40)]) for turn in (0, 1)]
    assert correlation(*opposite) == pytest.approx(-0.95)


@pytest.mark.parametrize("seed", range(50))
def test_limits_stay_between_0_and_1_whatever_the_groups(seed):
    chance = random.Random(seed)
    sizes = [chance.randint(1, 6) for _ in range(chance.randint(1, 12))]
    positives = groups(*[(chance.choice((0, size, chance.randint(0, size))), size) for size in sizes])
    negatives = groups(*[(chance.choice((0, size, chance.randint(0, size))), size) for size in reversed(sizes)])
    for found in (grouped_wilson(positives), balanced_accuracy_interval(positives, negatives)):
        assert 0 <= found.low <= found.high <= 1
