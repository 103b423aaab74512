"""Tables rank what can be compared, and show hostile names as text."""

import csv
import re

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.report.cells import PERCENT, PLAIN, POINTS, decimal, percent, points
from agenthorizon.report.grid import figure
from agenthorizon.report.leaderboard import leaderboards
from agenthorizon.report.leaderboard_markdown import to_markdown
from agenthorizon.report.leaderboard_table import leaderboard_table
from agenthorizon.scoring.answers import Answer, Answers
from agenthorizon.scoring.estimates import Estimate
from agenthorizon.scoring.scorecard import Conditions, score

LABELS = Labels(
    {
        "AH-S": [Label(trajectory_id="s", label="negative")],
        "AH": [Label(trajectory_id=f"{label}{n}", label=label) for label in ("positive", "negative") for n in range(4)],
    }
)


def card(judge, right=4, *, asked=None, labels=LABELS, **conditions):
    by_id = {f"positive{n}": Answer("verdict", n < right) for n in range(4)}
    given = Conditions(**{"data": "demo", "form": "three-split", "protocol": "published", **conditions})
    return score(Answers(judge, "run", by_id), labels, asked, conditions=given)


def board_table(text):
    """Return the cells of the first table of a Markdown text."""
    lines = [line for line in text.split("\n\n")[2].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def test_judges_are_ranked_on_ah_with_ties_sharing_a_rank():
    [board] = leaderboards([card("low", 1), card("b", 3), card("a", 3)])
    assert [(row.rank, row.card.judge) for row in board.rows] == [(1, "a"), (1, "b"), (3, "low")]
    assert (board.ranked_on, board.splits) == ("AH", ("AH", "AH-S"))


def test_an_undefined_figure_is_unranked_and_last():
    [board] = leaderboards([card("not asked", asked={"s"}), card("bad", 0)])
    assert [(row.rank, row.card.judge) for row in board.rows] == [(1, "bad"), (None, "not asked")]


@pytest.mark.parametrize("other", [{"form": "two-split"}, {"data": "mine"}])
def test_different_data_or_forms_are_never_ranked_together(other):
    boards = leaderboards([card("a", 1), card("b", 4, **other), card("c", 2)])
    assert [[row.card.judge for row in board.rows] for board in boards] == [["c", "a"], ["b"]]


def test_without_ah_the_only_split_ranks():
    mine = Labels(
        {"mine": [Label(trajectory_id="positive0", label="positive"), Label(trajectory_id="x", label="negative")]}
    )
    [board] = leaderboards([card("a", labels=mine)])
    assert (board.ranked_on, board.rows[0].rank) == ("mine", 1)


def test_markdown_has_a_leaderboard_with_percent_intervals_protocol_and_other_splits():
    heads, _, row = board_table(to_markdown([card("gpt-5.5")]))
    assert heads == [
        "Rank",
        "Judge",
        "AH Balanced accuracy",
        "AH TPR",
        "AH TNR",
        "AH Mistake-type recall",
        "AH-S Balanced accuracy",
        "Protocol",
        "Notes",
    ]
    assert row[:2] == ["1", "gpt-5.5"]
    assert re.fullmatch(r"50\.0 \[\d+\.\d, \d+\.\d\]", row[2])
    assert row[5:] == ["–", "–", "published", ""]


def test_markdown_has_a_table_for_each_split_with_coverage():
    text = to_markdown([card("a")])
    assert "#### AH (8 in all, 4 positive, 4 negative)" in text
    assert "#### AH-S (1 in all, 0 positive, 1 negative)" in text
    assert "| 4 of 8 | 0 | 0 | 4 | published |" in text


def test_a_judge_asked_less_than_a_split_says_so_in_every_table():
    text = to_markdown([card("a", asked={"positive0", "s"})])
    assert board_table(text)[2][-1] == "AH partial: 1 of 8"
    assert "| published | partial: 1 of 8 |" in text


HOSTILE = "a|b\n| 1 | fake | <img src=x onerror=alert(1)> `c` [x](http://e) \x1b[31m\u202ered\ud800"


def test_a_hostile_name_stays_in_its_cell():
    text = to_markdown([card(HOSTILE)])
    assert {len(row) for row in board_table(text)} == {9}
    assert not re.search("[<\x1b\u202e\ud800]", text)
    assert r"\[x\](http" in text
    text.encode("utf-8")


def test_a_usual_name_is_left_as_it_is():
    assert board_table(to_markdown([card("codex:gpt-5.5 (high)")]))[2][1] == "codex:gpt-5.5 (high)"


def to_csv(cards):
    return leaderboard_table(cards).written("csv")


def test_csv_has_unrounded_fractions_and_counts_for_each_judge_and_split():
    rows = list(csv.DictReader(to_csv([card("a", 1), card("b", 3)]).splitlines()))
    assert [(row["rank"], row["judge"], row["split"]) for row in rows] == [
        ("1", "b", "AH"),
        ("1", "b", "AH-S"),
        ("2", "a", "AH"),
        ("2", "a", "AH-S"),
    ]
    found = rows[0]
    assert (found["tpr"], found["tpr_numerator"], found["tpr_denominator"]) == ("0.75", "3", "4")
    assert (found["balanced_accuracy"], found["missing"], found["data"], found["form"]) == (
        "0.375",
        "4",
        "demo",
        "three-split",
    )
    assert float(found["tpr_low"]) < 0.75 < float(found["tpr_high"])
    assert rows[1]["tpr"] == ""


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\n=1"])
def test_csv_texts_are_never_formulas(name):
    row = next(csv.DictReader(to_csv([card(name)]).splitlines()))
    assert row["judge"].startswith("'")


def test_csv_names_stay_on_their_line():
    assert len(to_csv([card(HOSTILE)]).splitlines()) == 3


@pytest.mark.parametrize("write", [to_markdown, to_csv])
def test_no_scorecards_make_an_empty_table(write):
    assert len(write([]).splitlines()) <= 1


def test_answers_by_recording_have_a_table_where_there_are_couples():
    labels = Labels(
        {
            "AH": [
                Label(trajectory_id="own", label="positive", original_id="A", paired_id="B"),
                Label(trajectory_id="swapped", label="negative", original_id="A", paired_id="B"),
            ]
        }
    )
    by_id = {"own": Answer("verdict", True), "swapped": Answer("verdict", True)}
    text = to_markdown([score(Answers("blind", "run", by_id), labels)])
    assert "One recording under its own and the swapped instruction, 1 times in AH:" in text
    assert re.search(r"\| blind \| 0\.0 \[[^|]+ \| 100\.0 \[", text)
    assert "One recording" not in to_markdown([card("a")])


def test_splits_stand_in_one_order_whatever_order_their_labels_came_in():
    names = ["spare", "AH-D", "AH", "other", "AH-S"]
    labels = Labels({name: [Label(trajectory_id=name, label="negative")] for name in names})
    assert list(labels.splits) == ["AH", "AH-S", "AH-D", "other", "spare"]
    (board,) = leaderboards([card("a", labels=labels)])
    assert board.splits == ("AH", "AH-S", "AH-D", "other", "spare")


@pytest.mark.parametrize(
    ("write", "scale", "expected"),
    [
        (percent, PERCENT, "71.4 [-0.1, 95.0]"),
        (points, POINTS, "+71.4 [-0.1, +95.0]"),
        (decimal, PLAIN, "0.71 [0.00, 0.95]"),
    ],
    ids=["percent", "points", "decimal"],
)
def test_a_figure_reads_the_same_on_one_line_and_with_its_interval_apart(write, scale, expected):
    estimate = Estimate(5 / 7, -0.001, 0.95)
    cell = figure(estimate, scale)
    assert write(estimate) == f"{cell.text} [{cell.interval}]" == expected


@pytest.mark.parametrize("write", [decimal, points, percent])
def test_what_rounds_to_zero_has_no_sign_of_its_own(write):
    assert "-0.0" not in write(Estimate(-0.0004, -0.0002, 0.0))


def test_letters_of_the_comparison_stand_beside_the_figures_they_are_of_alone():
    table = leaderboard_table([card("low", 1), card("b", 3), card("a", 3)]).written("latex", None)
    main, simple = re.findall(r"\\caption\{.*?\}\n(.*?)\\end\{tabular\}", table, re.S)
    assert re.findall(r"AH(?:-S)?: \d+ tasks", table) == ["AH: 8 tasks", "AH-S: 1 tasks"]
    letter = r"textsuperscript\{a\}"
    assert (len(re.findall(letter, main)), len(re.findall(letter, simple))) == (3, 0)
    assert table.count("Judges that share a letter cannot be told apart on these tasks.") == 1
