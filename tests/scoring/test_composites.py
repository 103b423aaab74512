"""Composite figures agree with scikit-learn where it defines them, and are undefined where it only says 0."""

import random

import pytest
from scipy.stats import norm

from agenthorizon.scoring.answers import FAILED, MALFORMED, Answer, Answers
from agenthorizon.scoring.scorecard import score


@pytest.fixture
def scored(manifest):
    """Score a judge that says `said` of positives and of negatives (True, False, or an Answer)."""

    def make(positives, negatives, **group_of):
        rows, by_id = [], {}
        for label, given in (("positive", positives), ("negative", negatives)):
            for n, said in enumerate(given):
                name = f"{label}{n}"
                rows.append({"id": name, "label": label, "pair_group_id": group_of.get(name)})
                by_id[name] = said if isinstance(said, Answer) else Answer("verdict", said)
        return score(Answers("j", "results", by_id), manifest(rows)).main

    return make


def drawn(seed):
    chance = random.Random(seed)
    return tuple([chance.choice((True, False, FAILED)) for _ in range(chance.randint(3, 40))] for _ in range(2))


@pytest.mark.parametrize("seed", range(20))
def test_scikit_learn_agrees_when_unusable_answers_are_replaced_by_the_wrong_one(seed, scored):
    from sklearn.metrics import f1_score, matthews_corrcoef, precision_score

    positives, negatives = drawn(seed)
    true = [True] * len(positives) + [False] * len(negatives)
    said = [
        (not label if isinstance(answer, Answer) else answer)
        for label, answer in zip(true, positives + negatives, strict=True)
    ]
    found = scored(positives, negatives)
    assert found.precision.value == pytest.approx(precision_score(true, said))
    assert found.f1.value == pytest.approx(f1_score(true, said))
    assert found.mcc.value == pytest.approx(matthews_corrcoef(true, said))


def test_a_judge_that_accepts_nothing_has_no_precision_where_scikit_learn_says_0(scored):
    from sklearn.metrics import precision_score

    found = scored([False] * 4, [False] * 4)
    assert (found.precision.value, found.precision.denominator, found.f1.value) == (None, 0, 0)
    assert precision_score([1, 0], [0, 0], zero_division=0) == 0


@pytest.mark.parametrize("always", [True, False])
def test_a_constant_judge_has_no_correlation_where_scikit_learn_says_0(always, scored):
    from sklearn.metrics import matthews_corrcoef

    assert scored([always] * 4, [always] * 4).mcc.value is None
    assert matthews_corrcoef([1, 0], [always, always]) == 0


def test_without_positives_f1_is_undefined_where_scikit_learn_says_0(scored):
    from sklearn.metrics import f1_score

    assert scored([], [True, False]).f1.value is None
    assert f1_score([0, 0], [1, 0], zero_division=0) == 0


def test_coverage_counts_verdicts_and_the_two_rates_count_their_failures(scored):
    refused, cut, other = (Answer("failed", failure=kind) for kind in ("refused", "truncated", "timeout"))
    found = scored([True, refused, refused, MALFORMED], [False, cut, other, False])
    shares = [(r.numerator, r.denominator) for r in (found.coverage, found.refusal_rate, found.truncation_rate)]
    assert shares == [(3, 8), (2, 8), (1, 8)]


def test_d_prime_and_criterion_have_the_log_linear_correction(scored):
    found = scored([True] * 8 + [False] * 2, [True] * 3 + [False] * 17).pairs
    hits, false_alarms = norm.ppf(8.5 / 11), norm.ppf(3.5 / 21)
    assert found.d_prime.value == pytest.approx(hits - false_alarms)
    assert found.criterion.value == pytest.approx(-(hits + false_alarms) / 2)


def test_a_judge_that_says_yes_to_everything_has_no_sensitivity_and_leans_to_yes(scored):
    found = scored([True] * 10, [True] * 10).pairs
    assert found.d_prime.value == 0
    assert found.criterion.value < -1
    assert found.yes_rate.value == 1


@pytest.mark.parametrize("positives", [[True] * 10, [False] * 10])
def test_composites_have_no_limits_where_a_class_never_varied(positives, scored):
    found = scored(positives, [False] * 7 + [True] * 3)
    assert found.f1.value is not None
    assert (found.f1.low, found.mcc.high, found.pairs.d_prime.low) == (None, None, None)
    assert 0 < found.balanced_accuracy.low < found.balanced_accuracy.high


def test_composites_have_limits_on_both_sides_where_both_classes_vary(scored):
    found = scored([True] * 30 + [False] * 10, [False] * 28 + [True] * 12)
    for figure in (found.f1, found.mcc, found.pairs.d_prime, found.pairs.criterion):
        assert figure.low < figure.value < figure.high


def test_limits_are_the_same_every_time(scored):
    first, again = (scored([True] * 30 + [False] * 10, [False] * 28 + [True] * 12) for _ in range(2))
    assert first == again
