"""The worked examples of recorded/scoring.jsonl, each computed by hand and checked with public libraries."""

import json
from pathlib import Path

import pytest

from agenthorizon.report.leaderboard import ranked
from agenthorizon.scoring.intervals import wilson
from agenthorizon.scoring.results import from_results
from agenthorizon.scoring.scorecard import score

RECORDED = Path(__file__).parents[1] / "recorded" / "scoring.jsonl"
CASES = {case["id"]: case for case in map(json.loads, RECORDED.read_text("utf-8").splitlines())}

ONE_RUN = [
    "plain",
    "all-true",
    "all-invalid",
    "string-false-on-positive",
    "int-one",
    "missing-rows",
    "no-positives",
    "empty-slice",
    "type-missing-reference",
    "type-right-verdict-wrong",
    "type-macro-micro",
    "one-pair",
    "shuffled",
]


def check(found, expect):
    assert (found.tasks, found.positives, found.negatives) == (expect["n"], expect["n_pos"], expect["n_neg"])
    assert (found.tpr.numerator, found.tnr.numerator) == (expect["tp"], expect["tn"])
    assert (found.malformed, found.missing, found.failed) == (expect["invalid"], expect["missing"], 0)
    for name in ("tpr", "tnr", "balanced_accuracy", "accuracy"):
        assert getattr(found, name).value == pytest.approx(expect[name], abs=1e-6), name
    types, overall = expect["failure_type"], found.mistake_type_recall.overall
    assert (overall.numerator, overall.denominator) == (types["hits"], types["denominator"])
    assert overall.value == pytest.approx(types["recall"], abs=1e-6)
    assert {
        name: [rate.numerator, rate.denominator] for name, rate in found.mistake_type_recall.by_type.items()
    } == types["by_type"]


@pytest.mark.parametrize("case_id", ONE_RUN)
def test_one_run_gets_the_recorded_figures(case_id, manifest, results_file):
    case = CASES[case_id]
    answers = from_results(results_file(case["verdicts"].items()), may_be_empty=not case["labels"])
    check(score(answers, manifest(case["labels"])).main, case["expect"])


def test_row_order_does_not_matter(manifest, results_file):
    case = CASES["shuffled"]
    labels = manifest(case["labels"])
    rows = list(case["verdicts"].items())
    cards = [score(from_results(results_file(order)), labels) for order in (rows, rows[::-1], rows[2:] + rows[:2])]
    assert cards[0].splits == cards[1].splits == cards[2].splits


def test_one_pair_judged_right_has_wide_limits(manifest, results_file):
    case = CASES["one-pair"]
    card = score(from_results(results_file(case["verdicts"].items())), manifest(case["labels"]))
    assert [card.tpr.low, card.tpr.high] == pytest.approx(case["expect"]["wilson95_tpr"], abs=1e-6)
    assert [card.tnr.low, card.tnr.high] == pytest.approx(case["expect"]["wilson95_tnr"], abs=1e-6)


@pytest.mark.parametrize("part", ["S1", "S2"])
def test_splits_are_scored_apart(part, manifest, results_file):
    case = CASES["unbalanced-subsets"]
    card = score(from_results(results_file(case["verdicts"].items())), manifest(case["labels"]))
    check(card.splits[part], case["expect"][part])


def test_a_figure_over_several_groups_is_pooled_not_averaged(manifest, results_file):
    case = CASES["unbalanced-subsets"]
    rows = [{**row, "subset": "both"} for row in case["labels"]]
    card = score(from_results(results_file(case["verdicts"].items())), manifest(rows, split="both"))
    check(card.main, case["expect"]["overall"])


def test_accepting_the_whole_release_is_half_right_by_balanced_accuracy(manifest, results_file):
    case = CASES["release-size-all-true"]
    rows = [{"id": f"p{n}", "label": "positive"} for n in range(case["labels"]["n_positive"])]
    rows += [{"id": f"n{n}", "label": "negative"} for n in range(case["labels"]["n_negative"])]
    card = score(from_results(results_file((row["id"], True) for row in rows)), manifest(rows))
    for name in ("tpr", "tnr", "balanced_accuracy", "accuracy"):
        assert getattr(card.main, name).value == pytest.approx(case["expect"][name], abs=1e-6), name


def test_agreeing_duplicates_count_once_and_are_reported(manifest, results_file):
    case = CASES["duplicate-agreeing"]
    card = score(from_results(results_file(case["verdicts"])), manifest(case["labels"]))
    assert card.balanced_accuracy.value == case["expect"]["balanced_accuracy"]
    assert card.warning_counts == {"duplicate_result": 1}


@pytest.mark.parametrize("case_id", ["wilson-0-10", "wilson-10-10", "wilson-0-523", "wilson-7-10"])
def test_wilson_gives_the_recorded_limits(case_id):
    case = CASES[case_id]
    assert wilson(case["labels"]["k"], case["labels"]["n"]) == pytest.approx(case["expect"]["wilson95"], abs=1e-6)


def test_wilson_of_nothing_is_undefined():
    assert wilson(0, 0) is CASES["wilson-n0"]["expect"]["wilson95"] is None


def test_equal_values_share_a_rank_and_undefined_has_none():
    case = CASES["rank-ties"]
    values = case["labels"]["ba"]
    assert dict(zip(values, ranked(list(values.values())), strict=True)) == case["expect"]["rank"]
