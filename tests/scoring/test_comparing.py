"""Judges are compared on the tasks both were asked, and told apart only by what the data show."""

import json
import random
from pathlib import Path

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.errors import UsageError
from agenthorizon.report.leaderboard import leaderboards
from agenthorizon.report.leaderboard_markdown import to_markdown
from agenthorizon.scoring.answers import Answer, Answers
from agenthorizon.scoring.comparing import compare
from agenthorizon.scoring.results import from_results
from agenthorizon.scoring.scorecard import Conditions, score

RECORDED = Path(__file__).parents[1] / "recorded" / "scoring.jsonl"
CASES = {case["id"]: case for case in map(json.loads, RECORDED.read_text("utf-8").splitlines())}
DATA = Conditions("release", "three-split", "published", "f" * 64)


def ah_labels():
    """A split of AH's size, 227 positives and 301 negatives, in pair groups of up to four."""
    kinds = [("positive", n) for n in range(227)] + [("negative", n) for n in range(301)]
    return Labels(
        {"AH": [Label(trajectory_id=f"{kind}{n}", label=kind, pair_group_id=f"g{n // 2}") for kind, n in kinds]}
    )


AH = ah_labels()


def judged(name, rate, seed, labels=AH, asked=None, conditions=DATA):
    """A judge that is right with chance `rate`, harder in some pair groups than in others."""
    hard = random.Random("groups")
    ease = {group: hard.uniform(-0.15, 0.15) for group in dict.fromkeys(labels.groups.values())}
    chance = random.Random(seed)
    by_id = {
        task_id: Answer("verdict", label.is_positive is (chance.random() < rate + ease[labels.groups[task_id]]))
        for task_id, label in labels.items()
    }
    return score(Answers(name, "run", by_id), labels, asked, conditions=conditions)


def exact(name, tp, tn):
    """A judge with so many right answers, the first ones of each class."""
    right = {"positive": tp, "negative": tn}
    by_id = {
        task_id: Answer("verdict", label.is_positive is (int(task_id.removeprefix(label.label)) < right[label.label]))
        for task_id, label in AH.items()
    }
    return score(Answers(name, "run", by_id), AH, conditions=DATA)


@pytest.mark.parametrize("seed", range(8))
def test_judges_that_differ_only_by_noise_are_shown_as_tied(seed):
    cards = [judged("one", 0.75, f"{seed} one"), judged("other", 0.75, f"{seed} other")]
    [board] = leaderboards(cards)
    assert [row.standing.groups for row in board.rows] == [("a",), ("a",)]
    assert [row.place for row in board.rows] == ["1 (1 to 2)", "2 (1 to 2)"]
    assert compare(cards, "AH").pairs[0].better is None


@pytest.mark.parametrize("seed", range(8))
def test_judges_that_differ_by_12_points_at_the_size_of_ah_are_told_apart(seed):
    cards = [judged("worse", 0.66, f"{seed} worse"), judged("better", 0.78, f"{seed} better")]
    [board] = leaderboards(cards)
    assert [(row.card.judge, row.place, row.standing.groups) for row in board.rows] == [
        ("better", "1", ("a",)),
        ("worse", "2", ("b",)),
    ]
    assert compare(cards, "AH").pairs[0].better == "better"


def test_the_table_shows_who_is_tied():
    text = to_markdown([judged("one", 0.75, "1"), judged("same", 0.75, "2"), judged("far", 0.5, "3")])
    rows = [line.split(" | ")[:3] for line in text.splitlines() if line.startswith("| ")]
    ranks = {row[1]: (row[0], row[2]) for row in rows if row[1] in ("one", "same", "far")}
    assert "cannot be told apart" in text
    assert {ranks["one"][1], ranks["same"][1]} == {"a"}
    assert ranks["far"] == ("| 3", "b")


def test_every_figure_of_a_pair_is_first_minus_second():
    [pair] = compare([exact("a", 200, 250), exact("b", 180, 270)], "AH").pairs
    assert pair.tpr.value == pytest.approx(20 / 227)
    assert pair.tnr.value == pytest.approx(-20 / 301)
    assert pair.balanced_accuracy.value == pytest.approx((20 / 227 - 20 / 301) / 2)
    assert (pair.positives_test.first_only, pair.positives_test.second_only) == (20, 0)
    assert (pair.negatives_test.first_only, pair.negatives_test.second_only) == (0, 20)
    assert (pair.tasks, pair.positives, pair.negatives) == (528, 227, 301)


def test_a_run_compared_with_itself_has_no_difference(manifest, results_file):
    case = CASES["identical-runs"]
    labels = manifest(case["labels"])
    cards = [
        score(from_results(results_file(case["verdicts"][name].items(), f"{name}.jsonl")), labels) for name in "AB"
    ]
    [pair] = compare(cards, "AH").pairs
    assert pair.balanced_accuracy.value == case["expect"]["difference_ba"]
    assert pair.positives_test.p == pair.negatives_test.p == case["expect"]["p_exact"]
    discordant = [test.first_only + test.second_only for test in (pair.positives_test, pair.negatives_test)]
    assert sum(discordant) == case["expect"]["discordant"]


def test_only_tasks_that_both_were_asked_are_compared():
    half = {task_id for n, task_id in enumerate(AH) if n % 2}
    cards = [judged("all", 0.8, "1"), judged("half", 0.8, "2", asked=half), judged("other", 0.7, "3")]
    found = compare(cards, "AH")
    assert [(pair.first, pair.second, pair.tasks) for pair in found.pairs] == [
        ("all", "half", 264),
        ("all", "other", 528),
        ("half", "other", 264),
    ]
    assert found.common_tasks == found.ideal.tasks == found.majority.tasks == 264


def test_a_judge_asked_less_than_the_split_has_no_standing_in_the_leaderboard():
    part = set(list(AH)[:100])
    [board] = leaderboards([judged("a", 0.8, "1"), judged("b", 0.7, "2"), judged("part", 0.9, "3", asked=part)])
    assert {row.card.judge: row.standing is None for row in board.rows} == {"a": False, "b": False, "part": True}


def test_p_values_are_corrected_for_all_pairs():
    cards = [judged(name, rate, name) for name, rate in (("a", 0.8), ("b", 0.75), ("c", 0.7), ("d", 0.6))]
    pairs = compare(cards, "AH").pairs
    assert len(pairs) == 6
    smallest = min(pairs, key=lambda pair: pair.balanced_accuracy.p)
    assert smallest.p_holm == pytest.approx(6 * smallest.balanced_accuracy.p)
    assert all(pair.p_holm >= pair.balanced_accuracy.p for pair in pairs)


def test_an_ideal_ensemble_is_at_least_as_good_as_its_judges():
    cards = [judged(name, 0.7, name) for name in "abc"]
    found = compare(cards, "AH")
    assert found.ideal.balanced_accuracy.value > max(card.balanced_accuracy.value for card in cards) + 0.1
    assert found.majority.balanced_accuracy.value > min(card.balanced_accuracy.value for card in cards)


@pytest.mark.parametrize(
    "other",
    [
        Conditions("release", "two-split", "published", "f" * 64),
        Conditions("mine", "three-split", "published", "f" * 64),
        Conditions("release", "three-split", "published", "e" * 64),
    ],
)
def test_judges_of_other_data_or_another_form_are_refused_and_never_ranked_together(other):
    cards = [judged("a", 0.8, "1"), judged("b", 0.7, "2", conditions=other)]
    with pytest.raises(UsageError, match="judges of different data are not compared"):
        compare(cards, "AH")
    assert len(leaderboards(cards)) == 2
    assert len({board.title for board in leaderboards(cards)}) == 2


def test_one_judge_alone_is_refused():
    with pytest.raises(UsageError, match="at least two judges"):
        compare([judged("a", 0.8, "1")], "AH")


def test_judges_without_a_task_in_common_are_refused():
    ids = list(AH)
    cards = [judged(name, 0.8, name, asked=set(part)) for name, part in (("a", ids[:50]), ("b", ids[50:]))]
    with pytest.raises(UsageError, match="a and b were asked no task in common"):
        compare(cards, "AH")


def test_a_split_that_one_was_not_asked_is_refused():
    with pytest.raises(UsageError, match="a, b was not asked AH-S"):
        compare([judged("a", 0.8, "1"), judged("b", 0.8, "2")], "AH-S")


def test_the_json_is_plain_and_says_who_is_better():
    found = json.loads(json.dumps(compare([judged("worse", 0.6, "1"), judged("better", 0.8, "2")], "AH").to_json()))
    assert found["pairs"][0]["better"] == "better"
    assert set(found["pairs"][0]["balanced_accuracy"]) == {"value", "low", "high", "p", "error"}
    assert found["standings"]["better"] == {"judge": "better", "best": 1, "worst": 1, "groups": ["a"]}
