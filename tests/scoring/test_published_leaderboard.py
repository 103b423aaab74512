"""Every AH figure of the published leaderboard follows from whole counts over 227 positives and 301 negatives."""

import csv
import json
from pathlib import Path

import pytest

from agenthorizon.report.leaderboard_markdown import to_markdown
from agenthorizon.report.leaderboard_table import leaderboard_table
from agenthorizon.scoring.results import from_results
from agenthorizon.scoring.scorecard import score

RECORDED = Path(__file__).parents[1] / "recorded" / "leaderboard.csv"
ROWS = list(csv.DictReader(RECORDED.read_text("utf-8").splitlines()))
SIZE = {"positive": 227, "negative": 301}


def count_behind(percent, total):
    """Return the one whole count that prints as this percentage."""
    [count] = [k for k in range(total + 1) if f"{100 * k / total:.1f}" == percent]
    return count


@pytest.fixture(scope="module")
def ah_rows():
    return [{"id": f"{label}-{n}", "label": label} for label, size in SIZE.items() for n in range(size)]


@pytest.fixture
def folder_of_counts(tmp_path):
    """Write one result file per task, with the given numbers of right answers."""

    def write(tp, tn):
        for label, right in (("positive", tp), ("negative", tn)):
            for n in range(SIZE[label]):
                said = (label == "positive") == (n < right)
                (tmp_path / f"{label}-{n}.json").write_text(json.dumps({"success": said}))
        return tmp_path

    return write


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['model']}-{row['interface']}")
def test_published_figures_are_reproduced(row, ah_rows, manifest, folder_of_counts):
    counts = count_behind(row["ah_pos"], 227), count_behind(row["ah_neg"], 301)
    card = score(from_results(folder_of_counts(*counts)), manifest(ah_rows))
    shown = [f"{100 * figure.value:.1f}" for figure in (card.balanced_accuracy, card.tpr, card.tnr)]
    assert shown == [row["ah_bal"], row["ah_pos"], row["ah_neg"]]


def test_the_best_published_judge_prints_as_published(ah_rows, manifest, folder_of_counts):
    card = score(from_results(folder_of_counts(163, 271), judge="GPT-5.5 in Codex"), manifest(ah_rows))
    figures = [round(figure.value, 3) for figure in (card.balanced_accuracy, card.tpr, card.tnr)]
    assert figures == [0.809, 0.718, 0.900]
    assert "| GPT-5.5 in Codex | 80.9 [" in to_markdown([card])
    assert next(csv.DictReader(leaderboard_table([card]).written("csv").splitlines()))["tpr"] == str(163 / 227)
