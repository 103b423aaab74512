"""Confidence: what each level is worth, and scikit-learn's figures of the share of yes over repeats."""

import random

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.scoring.answers import FAILED, Answer
from agenthorizon.scoring.calibration import calibration, reliability
from agenthorizon.scoring.marks import mark
from agenthorizon.scoring.results import from_results


def marks_of(rows):
    """Marks from (is positive, answer) rows, each task its own group."""
    labels = [
        Label(trajectory_id=f"t{n}", label="positive" if kind else "negative") for n, (kind, _) in enumerate(rows)
    ]
    groups = {label.trajectory_id: label.trajectory_id for label in labels}
    return mark(labels, {f"t{n}": answer for n, (_, answer) in enumerate(rows)}, groups)


def said(success, confidence=None):
    return Answer("verdict", success, confidence=confidence)


SURE = marks_of(
    [
        (True, said(True, "high")),
        (True, said(True, "high")),
        (True, said(False, "high")),
        (False, said(False, "low")),
        (False, said(True, "low")),
        (False, said(False)),
        (True, FAILED),
    ]
)


def test_each_level_has_its_share_and_accuracy():
    levels = {level.confidence: level for level in calibration([SURE]).levels}
    assert list(levels) == ["high", "low", None]
    assert [(one.share.numerator, one.share.denominator) for one in levels.values()] == [(3, 7), (2, 7), (1, 7)]
    assert [(one.accuracy.numerator, one.accuracy.denominator) for one in levels.values()] == [(2, 3), (1, 2), (1, 1)]


def test_accuracy_at_coverage_takes_the_surest_first():
    found = [(one.share.numerator, one.accuracy.numerator) for one in calibration([SURE]).at_least]
    assert found == [(3, 2), (5, 3), (6, 4)]


def test_one_repeat_shows_no_probability():
    assert calibration([SURE]).repeats is None


def drawn(seed, repeats=5, tasks=80):
    chance = random.Random(seed)
    kinds = [chance.random() < 0.45 for _ in range(tasks)]
    rates = [min(0.95, max(0.05, 0.35 + 0.4 * kind + chance.uniform(-0.3, 0.3))) for kind in kinds]
    trials = [[chance.random() < rate for rate in rates] for _ in range(repeats)]
    marks = [marks_of(list(zip(kinds, map(said, trial), strict=True))) for trial in trials]
    shares = [sum(trial[n] for trial in trials) / repeats for n in range(tasks)]
    return kinds, shares, marks


@pytest.mark.parametrize("seed", range(8))
def test_scikit_learn_finds_the_same_brier_score_and_auroc(seed):
    from sklearn.metrics import brier_score_loss, roc_auc_score

    kinds, shares, marks = drawn(seed)
    found = reliability(marks)
    assert found.brier.value == pytest.approx(brier_score_loss(kinds, shares))
    assert found.auroc.value == pytest.approx(roc_auc_score(kinds, shares))
    for figure in (found.brier, found.auroc):
        assert figure.low < figure.value < figure.high


def test_the_calibration_error_is_worked_out_bin_by_bin():
    kinds, shares, marks = drawn(3)
    expected = sum(
        abs(
            shares.count(value) * value - sum(kind for kind, share in zip(kinds, shares, strict=True) if share == value)
        )
        for value in set(shares)
    ) / len(kinds)
    assert reliability(marks).calibration_error.value == pytest.approx(expected)


def test_bins_hold_every_task_with_a_verdict_once():
    _, _, marks = drawn(4)
    found = reliability(marks)
    assert sum(one.positives.denominator for one in found.bins) + found.without_verdict == 80
    assert [one.yes for one in found.bins] == sorted({one.yes for one in found.bins})


def test_a_task_without_any_verdict_is_left_out_and_counted():
    found = reliability([marks_of([(True, FAILED), (False, said(False))])] * 2)
    assert (found.without_verdict, len(found.bins)) == (1, 1)
    assert found.auroc.value is None


def test_no_verdict_at_all_leaves_every_figure_undefined():
    found = reliability([marks_of([(True, FAILED)])] * 2)
    assert (found.brier.value, found.auroc.value, found.bins) == (None, None, ())


def test_results_that_differ_in_confidence_alone_agree(results_file):
    rows = [("t", {"success": True, "confidence": "high"}), ("t", {"success": True, "confidence": "low"})]
    assert from_results(results_file(rows)).by_id["t"].confidence == "high"
