"""The published rows print as published, carry intervals, and stand only beside what they are of."""

import csv
import json
from pathlib import Path

import pytest
from statsmodels.stats.proportion import proportion_confint

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.errors import UsageError
from agenthorizon.report.leaderboard import leaderboards
from agenthorizon.scoring.answers import Answer, Answers
from agenthorizon.scoring.published import published_rows, with_published
from agenthorizon.scoring.scorecard import Conditions, as_json, score

RECORDED = Path(__file__).parents[1] / "recorded" / "leaderboard.csv"
ROWS = list(csv.DictReader(RECORDED.read_text("utf-8").splitlines()))
CARDS = with_published([])


def mine(sizes=(227, 301), data="release", form="three-split"):
    labels = [
        Label(trajectory_id=f"{kind}{n}", label=kind)
        for kind, size in zip(("positive", "negative"), sizes, strict=True)
        for n in range(size)
    ]
    by_id = {label.trajectory_id: Answer("verdict", label.is_positive) for label in labels}
    return score(Answers("mine", "run", by_id), Labels({"AH": labels}), conditions=Conditions(data, form))


def test_every_published_figure_prints_as_published():
    shown = [
        [f"{100 * figure.value:.1f}" for figure in (card.balanced_accuracy, card.tpr, card.tnr)]
        + [f"{100 * card.splits['AH-S'].balanced_accuracy.value:.1f}"]
        for card in CARDS
    ]
    assert shown == [[row[name] for name in ("ah_bal", "ah_pos", "ah_neg", "ah_s_bal")] for row in ROWS]
    assert [card.judge for card in CARDS] == [f"{row['model']} ({row['interface']})" for row in ROWS]


def test_ah_has_whole_counts_with_wilson_limits_and_ah_s_has_neither():
    best = CARDS[0]
    assert (best.tpr.numerator, best.tpr.denominator, best.tnr.numerator) == (163, 227, 271)
    assert (best.tpr.low, best.tpr.high) == pytest.approx(proportion_confint(163, 227, method="wilson"))
    simple = best.splits["AH-S"]
    assert (simple.balanced_accuracy.low, simple.tpr.value, simple.tpr.denominator) == (None, None, 0)


def test_what_is_not_published_is_unknown_and_not_zero():
    found = as_json(CARDS[:1])["runs"][0]
    assert found["source"] == "published"
    split = found["splits"]["AH"]
    assert [split[name] for name in ("verdicts", "malformed", "failed", "missing")] == [None] * 4
    assert split["mistake_type_recall"]["overall"]["value"] is split["coverage"]["value"] is None
    json.dumps(found, allow_nan=False)


def test_they_stand_in_one_table_with_a_run_and_say_what_they_are():
    [board] = leaderboards(with_published([mine()]))
    assert len(board.rows) == 20
    assert board.rows[0].card.judge == "mine"
    assert board.splits == ("AH",)
    published = board.rows[1]
    assert published.card.conditions.protocol.startswith("published result")
    assert "as published" in published.notes(board.splits)
    assert published.standing is None


@pytest.mark.parametrize(
    "card", [mine(sizes=(8, 7), data="demo"), mine(form="two-split"), mine(sizes=(230, 375), form="two-split")]
)
def test_other_data_and_other_forms_are_refused(card):
    with pytest.raises(UsageError, match="the published rows are of the three-split form"):
        with_published([card])


def test_beside_several_data_sets_they_join_only_their_own():
    boards = leaderboards(with_published([mine(sizes=(8, 7), data="demo"), mine()]))
    assert [len(board.rows) for board in boards] == [1, 20]


def test_resource_use_is_known_of_agentic_judges():
    rows = {row.judge: row for row in published_rows()}
    assert rows["GPT-5.5 (Codex)"].resource_use["usd_per_trajectory"] == 0.4035
    assert not rows["GPT-5.5 (Direct)"].resource_use
    assert sum(bool(row.resource_use) for row in rows.values()) == 10
