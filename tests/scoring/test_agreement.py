"""Agreement of judges is that of scikit-learn and statsmodels; ensembles count every vote."""

import json
import random
from pathlib import Path

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.scoring.agreement import cohen_kappa, error_overlap, fleiss_kappa
from agenthorizon.scoring.answers import MALFORMED, Answer
from agenthorizon.scoring.ensembles import ideal, majority, majority_verdict
from agenthorizon.scoring.marks import Mark

RECORDED = Path(__file__).parents[1] / "recorded" / "scoring.jsonl"
CASES = {case["id"]: case for case in map(json.loads, RECORDED.read_text("utf-8").splitlines())}


def marks(said, labels=None):
    labels = labels or ["positive"] * len(said)
    return tuple(
        Mark(
            Label(trajectory_id=str(n), label=label),
            str(n),
            MALFORMED if verdict is None else Answer("verdict", verdict),
        )
        for n, (verdict, label) in enumerate(zip(said, labels, strict=True))
    )


def drawn(seed, judges):
    chance = random.Random(seed)
    return [[chance.random() < 0.6 for _ in range(50)] for _ in range(judges)]


@pytest.mark.parametrize("seed", range(10))
def test_scikit_learn_finds_the_same_kappa_of_two(seed):
    from sklearn.metrics import cohen_kappa_score

    first, second = drawn(seed, 2)
    assert cohen_kappa(marks(first), marks(second)) == pytest.approx(cohen_kappa_score(first, second))


@pytest.mark.parametrize("seed", range(10))
def test_statsmodels_finds_the_same_kappa_of_several(seed):
    from statsmodels.stats.inter_rater import fleiss_kappa as theirs

    judges = drawn(seed, 4)
    table = [[row.count(True), row.count(False)] for row in map(list, zip(*judges, strict=True))]
    assert fleiss_kappa([marks(said) for said in judges]) == pytest.approx(theirs(table, method="fleiss"))


def test_tasks_without_a_verdict_of_each_leave_kappa():
    first, second = [True, False, None, True], [True, False, True, None]
    assert cohen_kappa(marks(first), marks(second)) == 1
    assert fleiss_kappa([marks(first), marks(second)]) == 1


def test_kappa_of_judges_that_say_one_thing_is_undefined():
    yes = marks([True] * 5)
    assert (cohen_kappa(yes, yes), fleiss_kappa([yes, yes])) == (None, None)
    assert (cohen_kappa(marks([None]), marks([True])), fleiss_kappa([marks([None])] * 2)) == (None, None)


def test_shared_errors_are_of_the_tasks_that_either_got_wrong():
    found = error_overlap(marks([True, False, False, None]), marks([True, True, False, False]))
    assert (found.numerator, found.denominator) == (2, 3)


def test_the_ideal_ensemble_is_right_where_any_judge_is():
    found = ideal([marks([True, False, None]), marks([False, True, None])])
    assert [mark.is_right for mark in found] == [True, True, False]


def test_a_majority_is_of_all_votes_so_that_invalid_ones_do_not_make_one():
    votes = [marks([True, False, True]), marks([True, True, None]), marks([False, None, None])]
    assert [mark.answer.success for mark in majority(votes)] == [True, None, None]


def test_one_true_one_false_one_unusable_vote_is_no_verdict():
    case = CASES["vote-with-invalid"]
    assert case["expect"]["majority"] == "no verdict"
    assert majority_verdict([True, False, None]) is None
