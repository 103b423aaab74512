"""Paired differences: the value is plain arithmetic, the interval follows groups, test and interval agree."""

import random

import pytest
from scipy.stats import norm, t

from agenthorizon.scoring.differences import difference
from agenthorizon.scoring.intervals import tally


def drawn(seed, n=200, group_size=1, rates=(0.8, 0.6)):
    """Tallies of two judges on the same tasks."""
    chance = random.Random(seed)
    marks = [(f"g{k // group_size}", *(chance.random() < rate for rate in rates)) for k in range(n)]
    return tuple(tally((mark[0], mark[place]) for mark in marks) for place in (1, 2))


@pytest.mark.parametrize("seed", range(5))
def test_with_one_class_the_value_is_the_difference_of_shares(seed):
    first, second = drawn(seed)
    right = [sum(tally.right for tally in tallies.values()) for tallies in (first, second)]
    assert difference((first, second)).value == (right[0] - right[1]) / 200


def test_with_both_classes_it_is_the_difference_of_balanced_accuracies():
    positives = tally([("a", True), ("b", True)]), tally([("a", False), ("b", True)])
    negatives = tally([("a", True), ("b", False), ("c", True)]), tally([("a", True), ("b", True), ("c", True)])
    assert difference(positives, negatives).value == pytest.approx((1 / 2 - 1 / 3) / 2)


def test_equal_balanced_accuracies_differ_by_nothing_to_the_last_bit():
    positives = tally([("a", True), ("b", False)]), tally([("a", False), ("b", False)])  # 1/2 against 0
    negatives = (
        tally([(f"{n}", n < 2) for n in range(6)]),  # 2/6 against 5/6
        tally([(f"{n}", n < 5) for n in range(6)]),
    )
    assert difference(positives, negatives).value == 0


@pytest.mark.parametrize("seed", range(5))
def test_for_independent_tasks_it_is_the_interval_of_bonett_and_price(seed):
    chance = random.Random(seed)
    pairs = [(chance.random() < 0.8, chance.random() < 0.6) for _ in range(400)]
    found = difference(tuple(tally((str(n), pair[place]) for n, pair in enumerate(pairs)) for place in (0, 1)))
    b, c = ((pairs.count(pair) + 1) / 402 for pair in ((True, False), (False, True)))
    half = norm.ppf(0.975) * ((b + c - (b - c) ** 2) / 402) ** 0.5
    assert (found.low, found.high) == pytest.approx((b - c - half, b - c + half), abs=0.001)


@pytest.mark.parametrize("seed", range(5))
def test_statsmodels_cluster_robust_error_is_the_same_for_many_tasks(seed):
    import numpy as np
    import statsmodels.api as sm

    first, second = drawn(seed, n=1200, group_size=4)
    nets = [(group, n) for group, tally in first.items() for n in (tally.right - second[group].right,)]
    # One row per group, weighted: the mean of equal groups has the error of the mean of their tasks.
    fit = sm.OLS(np.array([net / 4 for _, net in nets]), np.ones(len(nets))).fit(cov_type="HC1")
    found = difference((first, second))
    half = (found.high - found.low) / 2
    assert half == pytest.approx(t.ppf(0.975, 299) * fit.bse[0], rel=0.01)


def test_groups_that_go_together_widen_the_interval():
    marks = [(f"g{n // 4}", n // 4 % 3 > 0, n // 4 % 3 == 0) for n in range(120)]
    grouped = difference(tuple(tally((mark[0], mark[place]) for mark in marks) for place in (1, 2)))
    alone = difference(tuple(tally((str(n), mark[place]) for n, mark in enumerate(marks)) for place in (1, 2)))
    assert grouped.value == alone.value
    assert grouped.high - grouped.low > 1.8 * (alone.high - alone.low)


@pytest.mark.parametrize("seed", range(30))
def test_the_test_finds_a_difference_exactly_when_the_interval_leaves_out_0(seed):
    found = difference(drawn(seed, n=60, group_size=3, rates=(0.75, 0.6)))
    assert (found.p < 0.05) == (found.low > 0 or found.high < 0)
    assert found.low <= found.value <= found.high


def test_swapping_the_judges_turns_the_sign_and_nothing_else():
    first, second = drawn(3, group_size=2)
    one, other = difference((first, second)), difference((second, first))
    assert (other.value, other.low, other.high) == pytest.approx((-one.value, -one.high, -one.low))
    assert other.p == pytest.approx(one.p)


def test_a_judge_compared_with_itself_has_no_difference_and_is_not_known_to_the_last_digit():
    first, _ = drawn(1)
    found = difference((first, first))
    assert (found.value, found.p) == (0, 1)
    assert found.low < 0 < found.high


def test_one_group_knows_nothing():
    marks = [("g", True, False)] * 8
    found = difference(tuple(tally((mark[0], mark[place]) for mark in marks) for place in (1, 2)))
    assert (found.value, found.low, found.high, found.p) == (1, -1, 1, 1)


def test_an_absent_class_leaves_the_difference_undefined():
    first, second = drawn(0)
    assert difference((first, second), ({}, {})).value is None


def test_the_number_of_tasks_needed_is_that_of_statsmodels_power():
    from statsmodels.stats.power import NormalIndPower

    found = difference(drawn(5, n=400))
    per_task = found.error * 400**0.5
    expected = NormalIndPower(ddof=0).solve_power(effect_size=0.05 / per_task, alpha=0.05, power=0.8, ratio=0)
    assert found.tasks_needed(400, 0.05) == pytest.approx(expected, abs=1.5)
    assert found.tasks_needed(400, found.detectable) == pytest.approx(400, abs=1)
