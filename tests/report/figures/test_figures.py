"""Figures: files of the format asked for, the figures scored, and nothing that only colour tells."""

import re

import pytest
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.cli.figures import Suffix
from agenthorizon.cli.figures import figures as command
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.errors import UsageError
from agenthorizon.report.figures.all_figures import FIGURES, write_figures
from agenthorizon.report.figures.drawing import Drawn, style
from agenthorizon.scoring.answers import Answer, Answers
from agenthorizon.scoring.calibration import calibration
from agenthorizon.scoring.comparing import compare
from agenthorizon.scoring.scorecard import score
from agenthorizon.scoring.slices import slices
from agenthorizon.verdict import MISTAKE_TYPES

LABELS = Labels(
    {
        "AH": [
            *(Label(trajectory_id=f"p{n}", label="positive") for n in range(6)),
            *(Label(trajectory_id=f"n{n}", label="negative", mistake_type=MISTAKE_TYPES[n % 3]) for n in range(6)),
        ]
    }
)
SIGNATURES = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


def card(judge, right):
    """Score a judge that is right on the last tasks, sure of these, and wrong or silent on the others."""
    by_id = {
        name: Answer("verdict", label.is_positive, confidence="high")
        for name, label in list(LABELS.items())[12 - right :]
    }
    by_id["p0"] = Answer("verdict", False, confidence="low")
    return score(Answers(judge, "run", by_id), LABELS)


def calibrated(card):
    """Calibrate a judge that says yes to everything when it is asked again."""
    again = score(Answers(card.judge, "run", {name: Answer("verdict", True) for name in LABELS}), LABELS)
    return calibration([card.marks["AH"], again.marks["AH"]])


@pytest.fixture(scope="module")
def drawn():
    cards = [card("a $x_1$ <b>", 10), card("b", 7)]
    steps = {name: (3 if n % 2 else 30,) for n, name in enumerate(LABELS)}
    return Drawn(
        "AH",
        cards,
        {"a $x_1$ <b>": 0.2, "b": 0.01},
        {one.judge: slices(one, "steps", steps) for one in cards},
        compare(cards, "AH").pairs,
        {one.judge: calibrated(one) for one in cards},
    )


@pytest.mark.parametrize("suffix", SIGNATURES)
def test_every_figure_is_written_in_every_format(tmp_path, drawn, suffix):
    written, empty = write_figures(drawn, tmp_path, suffix)
    assert ([path.stem for path in written], empty) == (list(FIGURES), [])
    assert all(path.read_bytes().startswith(SIGNATURES[suffix]) for path in written)


def test_names_are_text_and_no_formula(tmp_path, drawn):
    FIGURES["leaderboard"](drawn, tmp_path / "f.svg")
    assert "a $x_1$ &lt;b&gt;" in (tmp_path / "f.svg").read_text()


def test_the_same_data_give_the_same_file(tmp_path, drawn):
    for name in ("one.svg", "two.svg"):
        FIGURES["rates"](drawn, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_what_has_nothing_to_show_is_named_and_leaves_no_file(tmp_path):
    _, empty = write_figures(Drawn("AH", [card("alone", 5)]), tmp_path, "svg")
    assert empty == ["steps", "costs", "agreement", "reliability", "repeats"]
    assert not (tmp_path / "costs.svg").exists()


def test_judges_differ_in_more_than_colour():
    shapes = [(style(n)["marker"], style(n)["linestyle"]) for n in range(8)]
    assert len(set(shapes)) == 8


def test_the_command_names_files_and_what_was_left_out(tmp_path, capsys):
    runs = [ah.run("demo", judge, out=tmp_path).folder for judge in ("coin", "always_yes")]
    command(tmp_path / "figures", runs, Suffix.svg, None, False)
    shown = capsys.readouterr()
    assert [re.sub(r".*/", "", line) for line in shown.out.splitlines()] == [
        f"{name}.svg" for name in ("leaderboard", "rates", "steps", "agreement")
    ]
    assert "mistakes, costs, reliability, repeats" in shown.err


def test_reliability_shows_accuracy_and_counts_of_each_confidence(tmp_path, drawn):
    FIGURES["reliability"](drawn, tmp_path / "f.svg")
    text = (tmp_path / "f.svg").read_text()
    assert [height(text, y) for y in squares(text)] == pytest.approx([0, 100], abs=0.5)
    assert re.findall(r">(b, tasks|\d+)</text>", text)[-3:] == ["b, tasks", "1", "7"]


def test_repeats_show_how_many_tasks_with_a_share_of_yes_succeeded(tmp_path, drawn):
    FIGURES["repeats"](drawn, tmp_path / "f.svg")
    text = (tmp_path / "f.svg").read_text()
    # b: half a yes for p0 and the six negatives, a whole one for p5 and for the four it was silent on the first time
    assert [height(text, y) for y in squares(text)] == pytest.approx([100 / 7, 100], abs=0.5)
    assert re.findall(r">(b, tasks|\d+)</text>", text)[-3:] == ["b, tasks", "7", "5"]


def squares(svg):
    """Return how high the points of the second judge stand, from left to right; the last square is the legend's."""
    places = re.findall(r'<use [^>]*x="([\d.]+)" y="([\d.]+)" style="fill: #d55e00;[^"]*miter"', svg)
    return [y for _, y in sorted((float(x), float(y)) for x, y in places)[:-1]]


def height(svg, y):
    """Return what a place means on the axis from 0 to 100."""
    ticks = [float(found) for found in re.findall(r'id="ytick_\d+">.*?<use [^>]*y="([\d.]+)"', svg, re.DOTALL)]
    return 100 * (ticks[0] - y) / (ticks[0] - ticks[-1])


def test_files_among_run_folders_are_passed_over(tmp_path):
    runs = [str(ah.run("demo", judge, out=tmp_path).folder) for judge in ("coin", "always_yes")]
    table = tmp_path / "leaderboard.md"
    table.write_text("written by the demo")
    done = CliRunner().invoke(app, ["figures", *runs, str(table), "-o", str(tmp_path / "figures"), "-f", "svg"])
    assert (done.exit_code, "leaderboard.svg" in done.stdout) == (0, True)


def test_published_results_can_stand_alone(tmp_path, capsys):
    command(tmp_path, None, Suffix.svg, None, True)
    shown = (tmp_path / "leaderboard.svg").read_text()
    assert shown.count("(published)") >= 19
    assert [re.sub(r".*/", "", line) for line in capsys.readouterr().out.splitlines()] == [
        "leaderboard.svg",
        "rates.svg",
    ]


def test_neither_runs_nor_published_results_are_refused(tmp_path):
    with pytest.raises(UsageError, match="run folders, or --published"):
        command(tmp_path, None, Suffix.svg, None, False)
