"""A scorecard has the contract's shape for every kind of input and says what it covers."""

import json

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.scoring.answers import FAILED, Answer, Answers
from agenthorizon.scoring.scorecard import Conditions, score
from agenthorizon.verdict import MISTAKE_TYPES

ROWS = [
    {"id": "p", "label": "positive", "subset": "AH"},
    {"id": "n", "label": "negative", "subset": "AH", "mistake_type": "Bad Side Effect"},
    {"id": "s", "label": "negative", "subset": "AH-S"},
]
RATE = {"value", "low", "high", "numerator", "denominator"}


@pytest.fixture
def labels(manifest):
    return manifest(ROWS)


def answers(source="run", **by_id):
    return Answers("j", source, by_id)


@pytest.mark.parametrize("source", ["run", "results", "submission"])
def test_json_has_the_same_shape_whatever_was_scored(source, labels):
    found = json.loads(json.dumps(score(answers(source, p=Answer("verdict", True)), labels).to_json()))
    [run] = found["runs"]
    split = run["splits"]["AH"]
    assert (run["judge"], list(run["splits"])) == ("j", ["AH", "AH-S"])
    assert set(split["balanced_accuracy"]) == {"value", "low", "high"}
    assert all(set(split[name]) == RATE for name in ("tpr", "tnr", "accuracy"))
    assert set(split["mistake_type_recall"]) == {"overall", "by_type"}
    assert list(split["mistake_type_recall"]["by_type"]) == list(MISTAKE_TYPES)
    counts = [split[name] for name in ("tasks", "positives", "negatives", "verdicts", "malformed", "failed", "missing")]
    assert counts == [2, 1, 1, 1, 0, 0, 1]


def test_an_absent_class_is_null(labels):
    split = score(answers(), labels).to_json()["runs"][0]["splits"]["AH-S"]
    assert split["tpr"] == {"value": None, "low": None, "high": None, "numerator": 0, "denominator": 0}
    assert split["balanced_accuracy"] == {"value": None, "low": None, "high": None}


def test_only_asked_splits_appear(labels):
    assert list(score(answers(), labels, asked={"s"}).splits) == ["AH-S"]


def test_a_split_asked_in_part_keeps_its_denominator_and_says_so(labels):
    found = score(answers(p=Answer("verdict", True)), labels, asked={"p"}).main
    assert (found.tasks, found.asked, found.missing, found.tnr.denominator) == (2, 1, 1, 1)
    assert found.partial == "partial: 1 of 2"


def test_a_split_asked_in_full_is_not_partial(labels):
    assert score(answers(), labels, asked={"p", "n"}).main.partial is None


def test_asking_for_one_split_scores_that_one(labels):
    assert list(score(answers(), labels, splits="AH-S").splits) == ["AH-S"]


def test_an_unknown_split_is_refused_with_the_known_ones(labels):
    with pytest.raises(UsageError, match=r"unknown split AH-X; did you mean AH-S\? the labels have AH, AH-S"):
        score(answers(), labels, splits=["AH-X"])


def test_a_run_asked_nothing_of_the_labels_is_refused(labels):
    with pytest.raises(UsageError, match="was asked no task of AH, AH-S"):
        score(answers(), labels, asked={"elsewhere"})


def test_an_empty_label_file_is_scored_with_every_rate_undefined(manifest):
    card = score(answers(), manifest([], split="mine"), asked=set())
    assert (card.balanced_accuracy.value, card.tpr.low, card.main.tasks) == (None, None, 0)


def test_unknown_ids_leave_the_scores_alone_and_are_counted(labels):
    clean = score(answers(p=Answer("verdict", True)), labels)
    other = score(answers(p=Answer("verdict", True), ZZ=Answer("verdict", True)), labels)
    assert other.splits == clean.splits
    assert other.warning_counts == {"unknown_result_id": 1}


def test_kinds_of_answers_are_counted_apart(labels):
    found = score(answers(p=FAILED), labels).main
    assert (found.verdicts, found.failed, found.missing) == (0, 1, 1)


def test_the_card_speaks_for_ah(labels):
    card = score(answers(n=Answer("verdict", False, "Bad Side Effect")), labels)
    assert (card.balanced_accuracy.value, card.tpr.value, card.tnr.value) == (0.5, 0, 1)
    assert card.mistake_type_recall.value == 1


def test_a_card_of_several_other_splits_names_them(manifest):
    card = score(answers(), manifest([{**row, "subset": row["id"]} for row in ROWS], split="p"))
    with pytest.raises(UsageError, match="choose one of splits: n, p, s"):
        _ = card.tpr


def test_tasks_of_one_pair_group_widen_the_interval(manifest):
    rows = [{"id": f"t{n}", "label": "positive", "pair_group_id": f"g{n // 2}"} for n in range(40)]
    by_id = {f"t{n}": Answer("verdict", n % 4 < 2) for n in range(40)}
    alone = [{**row, "pair_group_id": None} for row in rows]
    grouped, plain = (score(answers(**by_id), manifest(labels)).tpr for labels in (rows, alone))
    assert grouped.value == plain.value
    assert grouped.low < plain.low


def test_the_frame_has_a_row_a_split_and_unrounded_figures(labels):
    card = score(answers(p=Answer("verdict", True)), labels, conditions=Conditions("demo", "three-split", "published"))
    frame = card.frame()
    assert list(frame["split"]) == ["AH", "AH-S"]
    assert frame.loc[0, ["judge", "data", "form", "tpr", "tpr_numerator"]].tolist() == [
        "j",
        "demo",
        "three-split",
        1,
        1,
    ]
    assert frame["balanced_accuracy"].isna().tolist() == [False, True]
