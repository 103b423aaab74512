"""Small mistakes of a user are answered with what would be right."""

import json
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.cli.display import Display
from agenthorizon.cli.working import said_of_limit
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
    with pytest.raises(
        UsageError, match=r"unknown option splits; did you mean split\? known: .*drop_duplicates.*limit.*split.*without"
    ):
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


def said(*words):
    done = CliRunner().invoke(app, list(words))
    return done.stdout + done.stderr + str(done.exception or "")


def test_a_judge_file_is_shown_as_the_judge_that_it_sets_up(tmp_path):
    file = tmp_path / "my-judge.toml"
    file.write_text('kind = "direct"\nmodel = "m"\nmax_tokens = 400\n')
    shown = said("judges", "show", str(file)).splitlines()
    assert shown[0] == f'{file}, kind = "direct": A vision model asked once, with every screenshot in order.'
    assert "  max_tokens = 400    # in the file" in shown
    assert "  image_size = [512, 332]" in shown
    assert "cannot read judge file gone-file.toml" in said("judges", "show", "gone-file.toml")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["judges", "show", "directt"], "unknown judge 'directt'; did you mean direct?"),
        (["harnesses", "install", "codx"], "unknown name 'codx' in harnesses; did you mean codex?"),
        (["harnesses", "check", "command"], "try it out with: agenthorizon judges check FILE.toml"),
        (["harnesses", "check", "mine.toml"], "try it out with: agenthorizon judges check mine.toml"),
        (["tasks", "dem"], "'dem' does not exist; did you mean demo?"),
        (["tasks", "demo", "--split", "AHD"], "unknown split AHD; did you mean AH-D? demo has"),
        (["tasks", "demo", "--by", "oss"], "no task has a field 'oss'; did you mean os? there are os, app,"),
        (["data", "import", "webvoyge", "x", "-o", "y"], "did you mean webvoyager?"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_what_is_misspelt_is_told_what_was_meant(words, told):
    assert told in said(*words)


def test_names_of_what_a_run_holds_are_suggested_too(folder):
    assert "class refusd; did you mean refused?" in said("rerun", folder, "--class", "refusd")
    assert "unknown split AH_S; did you mean AH-S?" in said("score", folder, "--split", "AH_S")
    assert "no task has a field 'step'; did you mean steps?" in said("score", folder, "--by", "step")
    assert "did you mean tpr" in said("export", folder, "-f", "csv", "--columns", "tprr")
    with pytest.raises(UsageError, match="unknown option splits; did you mean split"):
        ah.run("demo", "coin", splits="AH")


def test_a_busy_port_is_named_with_the_way_to_another():
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        told = said("view", "demo", "--port", str(port))
    assert f"cannot serve on port {port} of 127.0.0.1" in told
    assert "--port N" in told
    assert "--port 0" in told


def test_a_limit_draws_from_every_split_the_one_that_ranks_first():
    bench = ah.load("demo")
    few, more = bench.select(limit=1), bench.select(limit=20)
    assert {bench.split_of(task_id) for task_id in few} == {"AH"}
    assert {bench.split_of(task_id) for task_id in more} == {"AH", "AH-S", "AH-D"}
    assert set(few) < set(more)
    assert "1 whole pair group, at least" in said_of_limit(bench, few, 1)
    assert "whole pair groups, at least" in said_of_limit(bench, more, 20)


def test_a_judge_without_its_key_says_which_variable_and_what_else_helps(monkeypatch, tmp_path):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    told = said("run", "demo", "-j", "direct:m", "--limit", "1", "-o", str(tmp_path))
    for words in (
        "variable OPENAI_API_KEY holds none",
        "export OPENAI_API_KEY=",
        "--base-url URL (base_url in a judge",
    ):
        assert words in told
    assert "asked: nothing" not in told
    assert said("judges", "check", "direct:m").startswith("FAIL https://api.openai.com/v1 wants a key")
