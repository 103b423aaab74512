"""Repeats: pass^k counts every planned trial, the two sources of error are told apart."""

import json
import random
from pathlib import Path
from statistics import pstdev, stdev

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.scoring.answers import FAILED, Answer
from agenthorizon.scoring.marks import mark
from agenthorizon.scoring.repeats import repeat_score

RECORDED = Path(__file__).parents[1] / "recorded" / "scoring.jsonl"
CASES = {case["id"]: case for case in map(json.loads, RECORDED.read_text("utf-8").splitlines())}


def repeats_of(outcomes):
    """Marks of each repeat from rows of a task's trials: 1 right, 0 wrong, e no verdict. Every task is positive."""
    labels = [Label(trajectory_id=f"t{n}", label="positive") for n in range(len(outcomes))]
    said = {"1": Answer("verdict", True), "0": Answer("verdict", False), "e": FAILED}
    groups = {label.trajectory_id: label.trajectory_id for label in labels}
    return [
        mark(labels, {f"t{n}": said[row[trial]] for n, row in enumerate(outcomes)}, groups)
        for trial in range(len(outcomes[0]))
    ]


@pytest.mark.parametrize("case_id", ["pass-hat-k", "pass-hat-k-vs-at-k"])
def test_pass_hat_k_and_pass_at_k_are_the_recorded_ones(case_id):
    case = CASES[case_id]
    found = repeat_score(repeats_of(case["labels"]["outcomes"]))
    assert found.repeats == case["labels"]["trials_planned"]
    for name, expected in case["expect"].items():
        figures = found.pass_hat if "^" in name else found.pass_at
        assert figures[int(name[-1]) - 1].value == pytest.approx(expected, abs=1e-6), name


def test_pass_hat_has_an_interval_that_holds_it():
    chance = random.Random(0)
    found = repeat_score(repeats_of([[chance.choice("1110") for _ in range(3)] for _ in range(60)]))
    for figure in found.pass_hat:
        assert figure.low < figure.value < figure.high


def test_the_majority_is_of_planned_votes():
    found = repeat_score(repeats_of([["1", "1", "e"], ["1", "0", "e"], ["1", "e", "e"]]))
    assert (found.majority.tpr.numerator, found.majority.missing) == (1, 2)


def simulated(seed, tasks, trials, steady):
    """A judge with a chance of its own on each task; with `steady` it always answers a task alike."""
    chance = random.Random(seed)
    labels = [Label(trajectory_id=f"t{n}", label="negative" if n % 2 else "positive") for n in range(tasks)]
    chances = [chance.choice((0.0, 1.0)) if steady else 0.6 for _ in labels]
    groups = {label.trajectory_id: label.trajectory_id for label in labels}
    return [
        mark(
            labels,
            {
                label.trajectory_id: Answer("verdict", label.is_positive is (chance.random() < p))
                for label, p in zip(labels, chances, strict=True)
            },
            groups,
        )
        for _ in range(trials)
    ]


def test_a_judge_that_answers_alike_has_no_error_of_repeating_and_all_of_it_from_tasks():
    found = repeat_score(simulated(1, 200, 4, steady=True))
    assert found.error_of_repeating == 0
    assert found.error_of_tasks == pytest.approx((0.25 / 200) ** 0.5, rel=0.05)
    assert len(set(found.balanced_accuracy)) == 1


def test_a_judge_of_one_chance_on_all_tasks_has_all_its_error_from_repeating():
    trials = simulated(2, 400, 12, steady=False)
    found = repeat_score(trials)
    assert found.error_of_repeating == pytest.approx((0.24 / 400) ** 0.5, rel=0.05)
    assert found.error_of_repeating == pytest.approx(stdev(found.balanced_accuracy), rel=0.5)
    assert found.error_of_tasks < 0.4 * found.error_of_repeating


def test_the_mean_is_of_the_repeats():
    found = repeat_score(simulated(3, 60, 5, steady=False))
    assert min(found.balanced_accuracy) < found.mean_balanced_accuracy < max(found.balanced_accuracy)
    assert pstdev(found.balanced_accuracy) > 0


def test_one_repeat_cannot_tell_the_two_errors_apart():
    found = repeat_score(simulated(4, 20, 1, steady=False))
    assert (found.error_of_repeating, found.error_of_tasks) == (None, None)
    assert found.pass_hat[0].value == found.pass_at[0].value


def test_a_split_without_tasks_has_no_figures():
    found = repeat_score([(), ()])
    assert (found.mean_balanced_accuracy, found.pass_hat[1].value) == (None, None)
