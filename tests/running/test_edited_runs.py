"""Run folders that a hand, an editor or a power cut has changed: named where they are wrong, never believed, never a
traceback."""

import gzip
import json
import os
import shutil
import subprocess
import sys

import pytest

import agenthorizon as ah
from agenthorizon.errors import DataError, UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.results.scorecards import score_runs
from agenthorizon.running.merging import merge_runs
from agenthorizon.running.rereading import reread
from agenthorizon.running.run_folder import RunFolder
from agenthorizon.running.store import read_run, read_transcript, transcript_path

VERDICT = {"success": True, "reasoning": "x", "confidence": None, "mistake_type": None}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run of the shipped set's first split."""
    return ah.run("demo", "always_yes", split="AH", out=tmp_path_factory.mktemp("runs")).folder


@pytest.fixture
def run(whole, tmp_path):
    """A copy of it, to be changed."""
    return shutil.copytree(whole, tmp_path / whole.name)


def changed(run, **keys):
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(json.dumps(config | keys))


EDITS = {
    "asked": [5, "x", [{}], [7], {"a": "b"}, None],
    "repeats": ["x", -1, 0, 1.5, True, 10**9],
    "repeats_by_task": [3, [1], {"a": 0}, {"a": "2"}, {"a": 10**9}],
    "reask": ["1", -1],
    "data": [None, "demo", {}, {"name": 3}, {"name": "d", "form": []}],
    "judge": [None, [], {}, {"name": {}}, {"name": "j", "class": 3}, {"name": "j", "settings": "x"}],
    "evidence": ["x", {"view": {"fit": [1]}}, {"view": 3}, {"ablation": {"what": 1}}, {"ablation": {"without": 3}}],
    "prompt": [3, {"sha256": 3}],
    "protocol": [3],
    "location": [["demo"]],
    "prices": ["x", {"input": -1, "output": 1}],
    "remake": [3, {"settings": []}],
    "versions": [3, {"agenthorizon": {}}],
    "reader": ["one"],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in EDITS.items() for value in values])
def test_a_key_of_the_config_that_cannot_be_used_is_named_with_what_stands_there(key, value, run):
    changed(run, **{key: value})
    with pytest.raises(DataError, match=rf"config\.json bad_config \[{key}") as refused:
        read_run(run)
    assert str(run / "config.json") in str(refused.value)


@pytest.mark.parametrize("key", ["data", "judge"])
def test_a_key_without_which_there_is_no_run_is_named_where_it_is_absent(key, run):
    config = json.loads((run / "config.json").read_text())
    del config[key]
    (run / "config.json").write_text(json.dumps(config))
    with pytest.raises(DataError, match=rf"config\.json bad_config \[{key}\]: Field required"):
        read_run(run)


@pytest.mark.parametrize(
    "text", ["", "[]", "3", "null", '"x"', "{", "\x00\x00", '{"a": NaN}', '{"judge": {}, "judge": {}}']
)
def test_a_config_that_is_no_object_or_no_json_is_refused(text, run):
    (run / "config.json").write_text(text)
    with pytest.raises(DataError, match=r"config\.json is not the config of a run"):
        read_run(run)


def test_a_named_pipe_in_place_of_the_config_is_refused(run):
    (run / "config.json").unlink()
    os.mkfifo(run / "config.json")
    with pytest.raises(DataError, match="is a named pipe"):
        read_run(run)


def test_a_named_pipe_in_place_of_the_outcomes_is_refused(run):
    (run / "outcomes.jsonl").unlink()
    os.mkfifo(run / "outcomes.jsonl")
    with pytest.raises(DataError, match="is a named pipe"):
        read_run(run)


def test_a_config_with_what_is_needed_alone_is_a_run(run):
    (run / "config.json").write_text('{"data": {"name": "d"}, "judge": {"name": "j"}}')
    assert read_run(run).judge == "j"


@pytest.mark.parametrize(
    "command",
    ["score {run}", "status {run}", "report {run} -o {out}", "merge {run} -o {out}", "export {run} --format md"],
)
def test_every_command_names_the_key_and_ends_with_bad_input(command, run, tmp_path):
    changed(run, asked=5)
    words = command.format(run=run, out=tmp_path / "out").split()
    ended = subprocess.run([sys.executable, "-m", "agenthorizon", *words], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 2, ended.stderr
    assert "bad_config [asked]: found 5, expected a valid list" in ended.stderr
    assert "Traceback" not in ended.stderr


def record(task_id="A", **more):
    line = Outcome(task_id="A", status="verdict", verdict=VERDICT).to_line()
    return json.loads(line) | {"task_id": task_id} | more


BAD_LINES = {
    "a repeat below 0": json.dumps(record(repeat=-1)),
    "a repeat beyond any": json.dumps(record(repeat=10**9)),
    "an attempt below 1": json.dumps(record(attempt=0)),
    "an id that leaves the folder": json.dumps(record("../../../evil")),
    "an id that is a path": json.dumps(record("/etc/passwd")),
    "an empty id": json.dumps(record("")),
    "a verdict without one": json.dumps(record(verdict=None)),
    "a failure with a verdict": json.dumps(record(status="failed")),
    "a malformed reply with a verdict": json.dumps(record(status="malformed")),
    "a status of no kind": json.dumps(record(status="won")),
    "success as text": json.dumps(record(verdict=VERDICT | {"success": "true"})),
    "two statuses": json.dumps(record()).replace('"status":', '"status": "failed", "status":', 1),
    "two verdicts": json.dumps(record()).replace('"success":', '"success": false, "success":', 1),
    "no object": "[]",
    "no JSON": "Mon Nov 30 disk full",
    "NULs": "\x00" * 200,
    "a cost below nothing": json.dumps(record(telemetry={"cost": -5.0})),
    "NaN": json.dumps(record(telemetry={"cost": float("nan")})),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_line_that_cannot_be_believed_is_passed_over_with_a_warning_that_names_it(name, run):
    before = read_run(run)
    with (run / "outcomes.jsonl").open("ab") as file:
        file.write(BAD_LINES[name].encode() + b"\n" + json.dumps(record("B")).encode() + b"\n")
    after = read_run(run)
    assert after.latest.keys() - before.latest.keys() == {("B", 0)}
    assert [(warning.code, warning.line) for warning in after.warnings] == [
        ("unreadable_outcome", len(before.outcomes) + 1)
    ]


def test_a_task_with_nothing_but_such_lines_counts_as_missing_and_score_says_so(run):
    path = run / "outcomes.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"verdict":{', b'"verdict":null,"was":{'))
    ((_, card),) = score_runs([run])
    assert (card.splits["AH"].missing, card.splits["AH"].verdicts) == (15, 0)
    assert {warning.code for warning in card.warnings} == {"unreadable_outcome"}


def test_a_task_with_nothing_but_such_a_line_is_asked_again(run):
    path = run / "outcomes.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0].replace(b'"repeat":0', b'"repeat":-1'), *lines[1:]]))
    again = ah.run("demo", "always_yes", split="AH", out=run.parent)
    assert again.folder == run
    assert len(again.outcomes) == 15
    assert again.latest[json.loads(lines[0])["task_id"], 0].status == "verdict"


def test_status_names_such_lines(run):
    with (run / "outcomes.jsonl").open("a") as file:
        file.write(json.dumps(record(repeat=-1)) + "\n")
    ended = subprocess.run(
        [sys.executable, "-m", "agenthorizon", "status", run], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0
    assert "outcomes.jsonl:16 unreadable_outcome: repeat: found -1, expected greater than or equal to 0" in ended.stderr


def test_merging_leaves_such_lines_out_and_says_so(run, tmp_path):
    with (run / "outcomes.jsonl").open("a") as file:
        file.write(json.dumps(record("../../../evil")) + "\n")
    merged = merge_runs([run], tmp_path / "merged")
    assert [warning.line for warning in merged.warnings] == [16]
    assert not read_run(merged.folder).warnings


@pytest.mark.parametrize("task_id", ["../../../evil", "/etc/passwd", "a/b", "..", "", "con", "a\x00b"])
def test_no_outcome_can_name_a_transcript_outside_the_folder(task_id):
    with pytest.raises(ValueError, match="cannot be a file name"):
        Outcome(task_id=task_id, status="verdict", verdict=VERDICT)


def test_a_named_pipe_in_place_of_a_transcript_is_not_waited_for(tmp_path):
    config = {"data": {"name": "d"}, "judge": {"name": "j"}}
    with RunFolder(tmp_path / "run", config) as folder:
        folder.append(made := Outcome(task_id="A", status="verdict", verdict=VERDICT), {"text": "x"})
    path = transcript_path(tmp_path / "run", made)
    assert json.loads(gzip.decompress(path.read_bytes()))["text"] == "x"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(DataError, match="is a named pipe"):
        read_transcript(tmp_path / "run", made)


def test_a_byte_order_mark_before_the_first_line_hides_nothing(run):
    path = run / "outcomes.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert (len(read_run(run).latest), read_run(run).warnings) == (15, ())


def test_a_last_record_without_its_line_end_counts(run):
    path = run / "outcomes.jsonl"
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    assert (len(read_run(run).latest), read_run(run).warnings) == (15, ())


def test_what_is_written_behind_a_record_without_its_line_end_begins_a_line(run):
    path = run / "outcomes.jsonl"
    before = path.read_bytes()
    path.write_bytes(before.removesuffix(b"\n"))
    with RunFolder(run, read_run(run).config) as folder:
        folder.append(made := Outcome(task_id="new", status="verdict", verdict=VERDICT), None)
    assert path.read_bytes() == before + made.to_line()


def test_a_last_record_that_cannot_be_believed_is_kept_and_named(run):
    path = run / "outcomes.jsonl"
    before = path.read_bytes()
    path.write_bytes(before + (bad := json.dumps(record(repeat=-1)).encode()))
    with RunFolder(run, read_run(run).config) as folder:
        assert [warning.line for warning in folder.warnings] == [16]
    assert path.read_bytes() == before + bad + b"\n"


def test_a_last_line_that_was_cut_is_dropped_without_a_word(run):
    path = run / "outcomes.jsonl"
    before = path.read_bytes()
    path.write_bytes(before + json.dumps(record("B")).encode()[:50])
    assert not read_run(run).warnings
    with RunFolder(run, read_run(run).config):
        pass
    assert path.read_bytes() == before


def test_more_repeats_than_a_run_can_hold_are_refused_at_once(tmp_path):
    with pytest.raises(UsageError, match="repeats must be at least 1 and at most 10000, not 20000"):
        ah.run("demo", "always_yes", repeats=20_000, out=tmp_path)


UNREADABLE = {
    "no gzip": b"no gzip",
    "cut": gzip.compress(b'{"text": "x"}')[:-6],
    "damaged": gzip.compress(b"x" * 5000)[:30] + b"\xff" * 30,
    "a number": gzip.compress(b"5"),
    "an array": gzip.compress(b"[1]"),
    "a text that is a number": gzip.compress(b'{"text": 5}'),
    "an ending that is an array": gzip.compress(b'{"text": "x", "finish": []}'),
    "nested too deep": gzip.compress(b"[" * 200_000),
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_a_transcript_that_cannot_be_read_is_counted_by_reread_and_changes_nothing(data, run):
    before = read_run(run)
    transcript_path(run, before.outcomes[0]).write_bytes(data)
    told = reread(run)
    assert (told.replies, told.without, told.changed) == (14, 1, ())
    assert read_run(run).outcomes == before.outcomes
