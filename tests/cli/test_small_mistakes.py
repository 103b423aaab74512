"""Small mistakes of a user are answered with what would be right."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.cli.display import Display
from agenthorizon.errors import UsageError
from agenthorizon.outcome import Outcome


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return str(ah.run("demo", "coin", repeats=2, out=tmp_path_factory.mktemp("runs")).folder)


def test_columns_of_records_keep_the_split_before_them(folder):
    done = CliRunner().invoke(app, ["export", folder, "-f", "csv", "--columns", "judge,tpr"])
    lines = done.stdout.splitlines()
    assert lines[0] == "split,judge,tpr"
    assert [line.partition(",")[0] for line in lines[1:]] == ["AH", "AH-S", "AH-D"]


def test_a_submission_of_a_repeated_run_says_whose_verdicts_it_has(folder, tmp_path):
    done = CliRunner().invoke(app, ["export", folder, "-f", "submission", "-o", str(tmp_path / "mine.jsonl")])
    assert "of a repeated run, the verdicts of repeat 0" in done.stderr


def test_downstream_of_two_runs_says_that_it_is_of_one(folder):
    done = CliRunner().invoke(app, ["downstream", folder, folder])
    assert "downstream is of one run" in str(done.exception)


def test_splits_are_named_by_comma_from_python_too():
    bench = ah.load("demo")
    assert bench.select("AH,AH-S") == bench.select(["AH", "AH-S"])


def test_an_unknown_option_is_answered_with_all_that_there_are():
    with pytest.raises(UsageError, match=r"unknown option splits; known: .*drop_duplicates.*limit.*split.*without"):
        ah.run("demo", "coin", splits="AH")


def test_a_wrong_place_is_answered_with_every_data_set(tmp_path):
    with pytest.raises(UsageError, match="expected demo, desktop, a release folder"):
        ah.load(str(tmp_path / "demos"))


def test_a_folder_of_several_files_is_answered_with_their_names(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text("")
    with pytest.raises(UsageError, match=r"a\.jsonl, b\.jsonl: name one"):
        ah.load(str(tmp_path))


def test_an_import_of_a_wrong_folder_says_which_files_it_looked_for(tmp_path):
    (tmp_path / "source").mkdir()
    words = ["data", "import", "webvoyager", str(tmp_path / "source"), "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "looked for files named interact_messages.json" in done.stderr


def test_an_instruction_that_matches_no_recording_is_named_with_the_keys_expected(recorded, tmp_path):
    words = tmp_path / "words.json"
    words.write_text(json.dumps({"nothing": "Open it"}))
    source = str(recorded / "native" / "webvoyager")
    more = ["-o", str(tmp_path / "out"), "--instructions", str(words)]
    done = CliRunner().invoke(app, ["data", "import", "webvoyager", source, *more])
    assert "'nothing' matched no recording; expected keys such as 'task" in done.stderr


def attempt(number, kind):
    error = {"class": kind, "message": "http://127.0.0.1:9: is it running?", "passing": True}
    return Outcome(task_id="t", attempt=number, status="failed", error=error)


def test_a_server_that_cannot_be_reached_is_told_once_and_early(capsys):
    with Display() as display:
        display.opened("direct:m", Path("run"), 0, 9)
        for number in range(1, 7):
            display.wrote(Path("run"), attempt(number, "connection"), last=False)
            said = capsys.readouterr().err
            assert ("cannot be reached, asked again: http://127.0.0.1:9" in said) is (number == 3)


def test_a_connection_lost_after_an_answer_is_not_called_unreachable(capsys):
    with Display() as display:
        display.opened("direct:m", Path("run"), 0, 9)
        display.wrote(Path("run"), attempt(1, "server"), last=False)
        for number in range(2, 7):
            display.wrote(Path("run"), attempt(number, "connection"), last=False)
    assert "cannot be reached" not in capsys.readouterr().err
