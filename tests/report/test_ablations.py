"""The ablation table, on real runs of the `ocr` judge with all there is to see and with less."""

import csv
import io
import json

import pandas
import pytest
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.results.scorecards import score_runs
from agenthorizon.running.store import read_run
from agenthorizon.scoring.comparing import compare

LESS = ({"without": "screenshots"}, {"only": "final", "without": "actions"})


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Complete evidence last: its place in the table is not that of the command."""
    out = tmp_path_factory.mktemp("runs")
    return judged(out, 0.5, (*LESS, {}))


def judged(out, threshold, settings):
    """Run `ocr` with the last screenshot of a recording alone to read, which takes seconds."""
    file = out / "ocr.toml"
    file.write_text(f'kind = "ocr"\nframes = 1\nthreshold = {threshold}\n')
    return [ah.run("demo", str(file), split="AH-S", out=out, **less).folder for less in settings]


def exported(form, runs, *more):
    done = CliRunner().invoke(app, ["export", *map(str, runs), "-f", form, "--table", "ablations", *more])
    assert done.exit_code == 0, done.output or done.exception
    return done.stdout


def test_a_row_says_what_was_left_out_and_the_complete_evidence_comes_first(runs):
    rows = [line.split("|")[1:3] for line in exported("md", runs).splitlines() if line.startswith("| ocr")]
    assert [(judge.strip(), evidence.strip()) for judge, evidence in rows] == [
        ("ocr", "complete"),
        ("ocr", "without screenshots"),
        ("ocr", "without actions; only the final screenshot"),
    ]


def test_the_change_is_that_of_tasks_right_with_less_and_with_all(runs):
    labels = ah.load("demo").labels
    right = [
        {(o.task_id, labels[o.task_id].is_positive): o.verdict.success is labels[o.task_id].is_positive for o in found}
        for found in (read_run(folder).outcomes for folder in runs)
    ]
    records = {record["left_out"]: record for record in json.loads(exported("json", runs))}
    assert records[""]["change_tpr"] is None
    for name, less in (("without screenshots", right[0]), ("without actions; only the final screenshot", right[1])):
        for column, kind in (("change_tpr", True), ("change_tnr", False)):
            tasks = [task for task in less if task[1] is kind]
            expected = sum(less[task] - right[2][task] for task in tasks) / len(tasks)
            assert records[name][column] == pytest.approx(expected)


def test_its_interval_is_the_paired_one_of_a_comparison(runs):
    [record] = [one for one in json.loads(exported("json", runs)) if one["left_out"] == "without screenshots"]
    [pair] = compare([card for _, card in score_runs([runs[0], runs[2]])], "AH-S").pairs
    shown = [record[f"change_balanced_accuracy{end}"] for end in ("", "_low", "_high")]
    of_pair = pair.balanced_accuracy
    assert shown == [of_pair.value, of_pair.low, of_pair.high]


def test_every_format_has_the_same_figures(runs, tmp_path):
    records = json.loads(exported("json", runs))
    read = list(csv.DictReader(io.StringIO(exported("csv", runs))))
    assert [float(row["balanced_accuracy"]) for row in read] == [one["balanced_accuracy"] for one in records]
    exported("parquet", runs, "-o", str(tmp_path / "t.parquet"))
    frame = pandas.read_parquet(tmp_path / "t.parquet")
    pandas.testing.assert_frame_equal(frame, pandas.DataFrame.from_records(records), check_dtype=False)
    for form in ("html", "latex"):
        assert all(f"{100 * one['balanced_accuracy']:.1f}" in exported(form, runs) for one in records)


def test_judges_without_both_are_left_out_and_named_where_none_has_both(runs, tmp_path):
    coin = ah.run("demo", "coin", split="AH-S", out=tmp_path).folder
    assert "coin" not in exported("md", [*runs, coin])
    alone = CliRunner().invoke(app, ["export", str(coin), str(runs[0]), "-f", "md", "--table", "ablations"])
    assert "Found coin; ocr, without screenshots" in str(alone.exception)


def test_settings_tell_two_judges_of_one_name_apart(runs, tmp_path):
    """A judge's threshold is no ablation: its runs are compared with each other only."""
    other = judged(tmp_path, 0.9, ({}, LESS[0]))
    names = {record["judge"] for record in json.loads(exported("json", [*runs, *other]))}
    assert len(names) == 2
    assert all(name.startswith("ocr #") for name in names)
