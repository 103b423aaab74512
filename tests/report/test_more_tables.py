"""The tables beside the leaderboard: slices, mistake types, costs, comparisons, for reading and for computing."""

import io
import json
import shutil
import subprocess

import pandas
import pytest
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.report.exports.run_card import run_card
from agenthorizon.running.taken import answers_kept

TABLES = {
    "slices": "AH by os",
    "mistakes": "Mistake-type recall on AH",
    "costs": "Dollars in all",
    "comparisons": "Holm",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs")
    return [str(ah.run("demo", judge, split="AH", out=out).folder) for judge in ("coin", "always_yes")]


@pytest.mark.parametrize("form", ["md", "html", "latex"])
@pytest.mark.parametrize("table", TABLES)
def test_each_table_names_its_subject_and_every_judge(runs, table, form):
    done = CliRunner().invoke(app, ["export", *runs, "-f", form, "--table", table])
    assert done.exit_code == 0, done.output
    assert TABLES[table] in done.output
    assert "coin" in done.output
    assert "always" in done.output


def test_a_comparison_is_the_one_that_compare_shows(runs):
    from agenthorizon.report.cells import points
    from agenthorizon.results.scorecards import score_runs
    from agenthorizon.scoring.comparing import compare

    [pair] = compare([card for _, card in score_runs(runs_as_paths(runs))], "AH").pairs
    done = CliRunner().invoke(app, ["export", *runs, "-f", "md", "--table", "comparisons"])
    assert points(pair.balanced_accuracy) in done.output


def runs_as_paths(runs):
    from pathlib import Path

    return [Path(run) for run in runs]


def test_published_results_have_no_such_table(runs):
    done = CliRunner().invoke(app, ["export", *runs, "-f", "md", "--table", "costs", "--published"])
    assert "--published is of the leaderboard" in str(done.exception)


@pytest.mark.parametrize("table", TABLES)
def test_records_are_the_same_as_csv_json_and_parquet(runs, table, tmp_path):
    text = {
        form: CliRunner().invoke(app, ["export", *runs, "-f", form, "--table", table]).stdout
        for form in ("json", "csv")
    }
    words = ["export", *runs, "-f", "parquet", "--table", table, "-o", str(tmp_path / "t.parquet")]
    assert CliRunner().invoke(app, words).exit_code == 0
    wanted = pandas.DataFrame.from_records(json.loads(text["json"]))
    assert len(wanted) > 0
    for found in (pandas.read_parquet(tmp_path / "t.parquet"), pandas.read_csv(io.StringIO(text["csv"]))):
        pandas.testing.assert_frame_equal(blank(found), blank(wanted), check_dtype=False)


def blank(frame):
    """CSV cannot tell an empty text from nothing."""
    return frame.astype(object).where(frame.notna() & (frame != ""), None)


def test_a_slice_record_is_unrounded_and_a_cell_is_its_rounding(runs):
    words = ["export", *runs, "--table", "slices", "--by", "os", "-f"]
    records = json.loads(CliRunner().invoke(app, [*words, "json"]).stdout)
    shown = CliRunner().invoke(app, [*words, "md", "--columns", "os,judge,tasks,tpr"]).stdout
    for record in records:
        start = f"| {record['value']} | {record['judge']} | {record['tasks']} |".replace("_", r"\_")
        [row] = [line for line in shown.splitlines() if line.startswith(start)]
        assert row.split("|")[4].split()[0] == ("–" if record["tpr"] is None else f"{100 * record['tpr']:.1f}")


@pytest.mark.parametrize("form", ["md", "csv"])
def test_an_unknown_column_is_named_with_those_there_are(runs, form):
    done = CliRunner().invoke(app, ["export", *runs, "--table", "mistakes", "-f", form, "--columns", "judge,speed"])
    assert "unknown column speed; there are judge, " in str(done.exception)


def test_files_among_run_folders_are_passed_over(runs, tmp_path):
    (tmp_path / "leaderboard.md").write_text("written by the demo")
    words = ["export", *runs, str(tmp_path / "leaderboard.md"), "-f", "md", "--table", "slices"]
    assert CliRunner().invoke(app, words).exit_code == 0


@pytest.mark.outside
@pytest.mark.parametrize("table", TABLES)
def test_they_compile(runs, table, tmp_path):
    assert compiled(runs, table, tmp_path) == (0, "")


@pytest.mark.outside
def test_ablations_compile(runs, tmp_path):
    less = ah.run("demo", "coin", split="AH", out=tmp_path, without="screenshots").folder
    assert compiled([*runs, str(less)], "ablations", tmp_path) == (0, "")


def compiled(runs, table, folder):
    done = CliRunner().invoke(app, ["export", *runs, "-f", "latex", "--table", table, "-o", str(folder / "t.tex")])
    assert done.exit_code == 0, done.output
    words = [shutil.which("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    made = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    return made.returncode, made.stdout[-1500:] if made.returncode else ""


def test_costs_that_hang_on_the_cache_say_so_wherever_they_stand(tmp_path, model_server, answer_body):
    """The second run of a describing judge finds every screenshot's words in the cache, and pays for verdicts alone."""
    (tmp_path / "d.toml").write_text(
        f'kind = "describe"\nmodel = "m{tmp_path.name}"\nbase_url = "{model_server.url}"\n'
        "prices = {input = 1.0, output = 1.0}\n"
    )
    made = [ah.run("demo", str(tmp_path / "d.toml"), split="AH-S", out=tmp_path / name) for name in ("one", "two")]
    bench = ah.load("demo")
    shots = sum(shot.path is not None for each in bench.select("AH-S") for shot in bench.screenshots(bench[each]))
    assert answers_kept(made[1]) == shots
    assert 0 <= answers_kept(made[0]) < shots
    second = str(made[1].folder)
    for form in ("md", "html", "latex"):
        table = CliRunner().invoke(app, ["export", second, "-f", form, "--table", "costs"]).stdout
        assert f"without an earlier one it would have cost more. Such answers: d {shots}." in table
    [record] = json.loads(CliRunner().invoke(app, ["export", second, "-f", "json", "--table", "costs"]).stdout)
    assert record["answers_kept"] == shots
    assert f"{shots} answers were kept and found again" in CliRunner().invoke(app, ["status", second]).stdout
    assert run_card(made[1], set(bench.labels), "")["answers_kept"] == shots


def test_costs_of_a_judge_that_keeps_nothing_say_nothing_of_answers_kept(runs):
    table = CliRunner().invoke(app, ["export", *runs, "-f", "md", "--table", "costs"]).stdout
    assert "found again" not in table + CliRunner().invoke(app, ["status", *runs]).stdout
