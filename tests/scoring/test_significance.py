"""The tests of significance are those of scipy and statsmodels, and hold at their edges."""

import json
import random
from pathlib import Path

import pytest

from agenthorizon.scoring.significance import holm, mcnemar

RECORDED = Path(__file__).parents[1] / "recorded" / "scoring.jsonl"
MCNEMAR = [case for case in map(json.loads, RECORDED.read_text("utf-8").splitlines()) if case.get("form") == "mcnemar"]


@pytest.mark.parametrize("case", MCNEMAR, ids=lambda case: case["id"])
def test_mcnemar_gives_the_recorded_p(case):
    counts = case["labels"]["only_A_right"], case["labels"]["only_B_right"]
    assert mcnemar(*counts).p == pytest.approx(case["expect"]["p_exact"])


@pytest.mark.parametrize(("first", "second"), [(1, 0), (5, 0), (7, 3), (12, 30), (200, 260), (0, 900)])
def test_scipy_and_statsmodels_find_the_same_p(first, second):
    from scipy.stats import binomtest
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    p = mcnemar(first, second).p
    assert p == pytest.approx(binomtest(first, first + second).pvalue, rel=1e-9)
    assert p == pytest.approx(theirs([[9, first], [second, 9]], exact=True).pvalue, rel=1e-9)


def test_many_discordant_tasks_do_not_overflow():
    assert 0 < mcnemar(9_000, 9_100).p < 1


@pytest.mark.parametrize("seed", range(10))
def test_statsmodels_corrects_many_tests_the_same_way(seed):
    from statsmodels.stats.multitest import multipletests

    chance = random.Random(seed)
    values = [chance.random() ** 4 for _ in range(chance.randint(1, 40))] + [0.01, 0.01]
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())


def test_a_test_that_could_not_be_made_stays_so_and_is_not_counted():
    assert holm([0.01, None, 0.04]) == [0.02, None, 0.04]


def test_nothing_to_correct():
    assert holm([]) == []
