"""`runs/*` with runs not asked of the split, of other data, and with what is no run: left out and named, or refused."""

import csv
import io
import shutil
import subprocess
import sys

import pytest

import agenthorizon as ah


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three runs of the demo set, one of them of AH-D alone, and one of `desktop`: their folders, by name."""
    out = tmp_path_factory.mktemp("runs")
    asked = {"yes": ("demo", "AH"), "no": ("demo", "AH"), "small": ("demo", "AH-D"), "other": ("desktop", "AH")}
    judges = {"yes": "always_yes", "no": "always_no", "small": "coin", "other": "coin"}
    return {
        name: str(ah.run(data, judges[name], split=split, limit=2, out=out).folder)
        for name, (data, split) in asked.items()
    }


@pytest.fixture
def command():
    """command(*arguments): the finished process."""
    words = [sys.executable, "-m", "agenthorizon"]
    return lambda *more: subprocess.run([*words, *more], capture_output=True, text=True, timeout=120)


@pytest.fixture
def of_demo(runs):
    return [runs["yes"], runs["small"], runs["no"]]


def left_out(done, runs):
    assert f"left out, asked nothing of AH: {runs['small']}" in done.stderr.splitlines()


def test_compare_leaves_out_what_was_not_asked_the_split_where_two_remain(command, runs, of_demo):
    done = command("compare", *of_demo)
    assert done.returncode == 0, done.stderr
    left_out(done, runs)
    assert "coin" not in done.stdout
    assert r"always\_yes" in done.stdout


def test_compare_refuses_runs_of_different_data_sets_and_names_them(command, runs):
    done = command("compare", *runs.values())
    assert done.returncode == 2
    assert "different data sets" in done.stderr
    for name in ("demo, three-split", "desktop, three-split", *runs.values()):
        assert name in done.stderr


def test_score_leaves_out_what_was_not_asked_the_split(command, runs, of_demo):
    done = command("score", *of_demo, "--split", "AH", "--by", "os")
    assert done.returncode == 0, done.stderr
    left_out(done, runs)
    assert "coin" not in done.stdout


@pytest.mark.parametrize("table", ["leaderboard", "comparisons", "slices"])
def test_export_leaves_out_what_was_not_asked_the_split(command, runs, of_demo, table):
    done = command("export", *of_demo, "-f", "csv", "--split", "AH", "--table", table)
    assert done.returncode == 0, done.stderr
    left_out(done, runs)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert rows
    assert "coin" not in {row.get("judge", row.get("first")) for row in rows}


def test_figures_leave_out_what_was_not_asked_the_split(command, runs, of_demo, tmp_path):
    done = command("figures", *of_demo, "-o", str(tmp_path / "figures"), "--format", "svg")
    assert done.returncode == 0, done.stderr
    left_out(done, runs)
    assert (tmp_path / "figures" / "leaderboard.svg").exists()


def test_a_split_that_none_was_asked_is_still_an_error(command, of_demo):
    done = command("score", *of_demo, "--split", "AH-S")
    assert done.returncode == 2
    assert "was asked no task of AH-S" in done.stderr


@pytest.mark.parametrize("words", [["score"], ["compare"], ["status"], ["export", "--format", "md"]])
def test_what_is_no_run_is_passed_over_beside_runs_and_named(words, command, runs, tmp_path):
    (tmp_path / "leaderboard.md").write_text("a table")
    (tmp_path / "report").mkdir()
    others = [str(tmp_path / "leaderboard.md"), str(tmp_path / "report")]
    done = command(words[0], others[0], runs["yes"], runs["no"], others[1], *words[1:])
    assert done.returncode == 0, done.stderr
    assert f"passed over, no run folders: {', '.join(others)}" in done.stderr.splitlines()


@pytest.mark.parametrize("lost", ["config.json", "."])
def test_a_run_folder_that_has_lost_its_configuration_or_is_gone_is_not_passed_over(lost, command, runs, tmp_path):
    broken = tmp_path / "broken"
    if lost != ".":
        shutil.copytree(runs["no"], broken)
        (broken / lost).unlink()
    done = command("score", runs["yes"], str(broken))
    assert (done.returncode, "is not a run folder" in done.stderr) == (2, True)
