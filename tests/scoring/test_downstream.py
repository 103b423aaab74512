"""What errors do downstream: worked by hand, and by drawing agents whose true rate is known."""

import random

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.scoring.downstream import Grades, corrected_rate, downstream, wrong_share
from agenthorizon.scoring.intervals import Tally


def singles(right, total):
    return {str(n): Tally(int(n < right), 1) for n in range(total)}


TPR, TNR = singles(160, 200), singles(270, 300)  # 0.8 and 0.9


def test_the_corrected_rate_is_that_of_rogan_and_gladen():
    assert corrected_rate(TPR, TNR, Grades(45, 100)).value == pytest.approx((0.45 + 0.9 - 1) / (0.8 + 0.9 - 1))


@pytest.mark.parametrize(("graded", "expected"), [(2, 0.0), (95, 1.0)])
def test_a_rate_beyond_the_possible_is_held_at_its_end_inside_its_limits(graded, expected):
    found = corrected_rate(TPR, TNR, Grades(graded, 100))
    assert found.value == expected
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_a_perfect_judge_leaves_the_rate_as_graded():
    found = corrected_rate(singles(400, 400), singles(400, 400), Grades(30, 100))
    assert found.value == pytest.approx(0.3)
    assert found.low == pytest.approx(0.21, abs=0.02)


@pytest.mark.parametrize(("true", "graded"), [(0.1, 100), (0.5, 100), (0.9, 400)])
def test_the_interval_holds_the_true_rate_in_about_95_of_100_draws(true, graded):
    chance = random.Random(f"{true}")
    held = 0
    for _ in range(400):
        tp, tn = (sum(chance.random() < rate for _ in range(n)) for rate, n in ((0.8, 200), (0.9, 300)))
        passed = sum(chance.random() < (0.8 if chance.random() < true else 0.1) for _ in range(graded))
        found = corrected_rate(singles(tp, 200), singles(tn, 300), Grades(passed, graded))
        held += found.low <= true <= found.high
    assert 0.92 <= held / 400 <= 0.99


def test_pair_groups_widen_the_interval():
    def grouped(right, total):
        return {str(n): Tally(4 if 4 * n < right else 0, 4) for n in range(total // 4)}

    alone = corrected_rate(TPR, TNR, Grades(450, 1000))
    found = corrected_rate(grouped(160, 200), grouped(268, 300), Grades(450, 1000))
    assert found.high - found.low > 1.4 * (alone.high - alone.low)


def test_a_judge_not_shown_to_be_better_than_chance_is_refused():
    with pytest.raises(UsageError, match="not shown to be better than chance"):
        corrected_rate(singles(11, 20), singles(11, 20), Grades(5, 10))


@pytest.mark.parametrize("graded", [(11, 10), (-1, 10), (0, 0)])
def test_grades_that_are_no_share_are_refused(graded):
    with pytest.raises(UsageError, match="give X/N"):
        corrected_rate(TPR, TNR, Grades(*graded))


@pytest.mark.parametrize(("base_rate", "expected"), [(0.5, 0.05 / 0.45), (0.1, 0.09 / 0.17), (1.0, 0.0), (0.0, 1.0)])
def test_the_wrong_share_of_a_filtered_set_is_bayes_rule(base_rate, expected):
    found = wrong_share(TPR, TNR, base_rate)
    assert found.value == pytest.approx(expected)
    assert found.low <= found.value <= found.high


def test_a_judge_that_passes_nothing_leaves_no_set():
    assert wrong_share(singles(0, 10), singles(10, 10), 0.5).value is None


def test_rarer_successes_leave_a_dirtier_set():
    shares = [one.wrong.value for one in downstream(TPR, TNR).filtered]
    assert shares == sorted(shares, reverse=True)


def test_one_class_alone_is_refused():
    with pytest.raises(UsageError, match="one class only"):
        downstream(TPR, {})


def test_a_base_rate_beyond_1_is_refused():
    with pytest.raises(UsageError, match="share from 0 to 1, not 10"):
        downstream(TPR, TNR, base_rates=[10])
