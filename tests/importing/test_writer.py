"""What is written: opaque names, untouched pictures, answers and sources apart, all or nothing."""

import json
from hashlib import sha256

import pytest
from PIL import Image

import agenthorizon as ah
from agenthorizon.dataset.pair_link import CHILD_SHOWN, PairLink
from agenthorizon.errors import UsageError
from agenthorizon.importer import Frame, ImportedStep, Notes, RecordedAnswer, Recording
from agenthorizon.importing.writer import Settings, write
from agenthorizon.task import Action


@pytest.fixture
def shot(tmp_path):
    path = tmp_path / "Success_run_shot.png"
    Image.new("RGB", (30, 20), "red").save(path)
    return Frame("Success_run_shot.png", path=path, size=(30, 20))


def recording(key, *frames, **more):
    action = Action(type="press", parameters={"keys": ["a"]})
    steps = tuple(ImportedStep(frame, action, "press a") for frame in frames or (None,))
    return Recording(key=key, instruction="Press a", steps=steps, **more)


def read(folder, name):
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]


def test_pictures_keep_their_bytes_and_lose_their_name_and_time(tmp_path, shot):
    write([recording("fault-run", shot)], tmp_path / "out", Settings("x"), Notes())
    (copied,) = (tmp_path / "out").glob("media/images/*/step_1.png")
    assert sha256(copied.read_bytes()).digest() == sha256(shot.path.read_bytes()).digest()
    assert copied.stat().st_mtime == 0


def test_names_of_the_source_stand_in_the_sources_file_alone(tmp_path, shot):
    out = tmp_path / "out"
    write([recording("fault-run", shot, kept={"claims": ["DONE"]})], out, Settings("x"), Notes())
    assert read(out, "sources")[0]["screenshots"] == {"step_1.png": "Success_run_shot.png"}
    for word in ("Success_run_shot", "fault-run", "DONE"):
        assert word not in (out / "trajectories.jsonl").read_text()
        assert not any(word in path.name for path in out.rglob("*"))


def test_an_answer_goes_to_the_label_file_alone(tmp_path):
    out = tmp_path / "out"
    write([recording("a", answer=RecordedAnswer("negative", 0.0)), recording("b")], out, Settings("x", "7"), Notes())
    (label,) = read(out, "labels")
    assert (label["label"], label["stated"]) == ("negative", 0.0)
    bench = ah.load(out)
    assert {name: len(ids) for name, ids in bench.splits.items()} == {"all": 1, "unlabelled": 1}
    assert "negative" not in (out / "trajectories.jsonl").read_text()


def test_a_seed_fixes_the_ids_whatever_else_is_imported_and_none_draws_them_anew(tmp_path):
    def ids(name, keys, seed):
        write([recording(key) for key in keys], tmp_path / name, Settings("x", seed), Notes())
        return {record["recording"]: record["trajectory_id"] for record in read(tmp_path / name, "sources")}

    assert ids("one", "ab", "s") == {key: value for key, value in ids("two", "abc", "s").items() if key != "c"}
    assert ids("three", "ab", "other") != ids("one again", "ab", "s")
    assert ids("four", "ab", None) != ids("five", "ab", None)


def test_recordings_that_share_pictures_share_one_folder(tmp_path, shot):
    out = tmp_path / "out"
    write([recording("a", shot, pictures="p"), recording("b", shot, pictures="p")], out, Settings("x"), Notes())
    assert len(list(out.glob("media/images/*/*"))) == 1
    bench = ah.load(out)
    assert len({bench.group_of(task.id) for task in bench}) == 1


def test_a_missing_picture_is_named_so_that_nobody_takes_it_for_none(tmp_path):
    out = tmp_path / "out"
    report = write([recording("a", Frame("x.jpg", fault="pointer_file"))], out, Settings("x"), Notes())
    assert report.missing == {"pointer_file": 1}
    assert read(out, "trajectories")[0]["steps"][0]["screenshot"].endswith("/step_1.jpg")
    assert [warning.code for warning in ah.load(out).check()] == ["missing_screenshot"]


def test_instructions_can_be_given_and_a_recording_without_one_is_reported(tmp_path):
    notes = Notes()
    bare = [Recording(key, None, recording(key).steps) for key in ("a", "b")]
    report = write(bare, tmp_path / "out", Settings("x", instructions={"a": "Do it"}), notes)
    assert (report.recordings, [note.code for note in report.lost]) == (1, ["no_instruction"])
    assert [task.instruction for task in ah.load(tmp_path / "out")] == ["Do it"]


def test_nothing_is_written_when_nothing_could_be_taken(tmp_path):
    report = write([Recording("a", "Do it", ())], tmp_path / "out", Settings("x"), Notes())
    assert [note.code for note in report.lost] == ["no_steps"]
    assert list(tmp_path.iterdir()) == []


def test_a_failure_on_the_way_leaves_nothing_behind(tmp_path, shot):
    def broken():
        yield recording("a", shot)
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError):
        write(broken(), tmp_path / "out", Settings("x"), Notes())
    assert [path.name for path in tmp_path.iterdir()] == [shot.path.name]


def test_a_folder_that_holds_something_is_never_written_into(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not an empty folder"):
        write([recording("a")], tmp_path, Settings("x"), Notes())
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_recording_that_stands_twice_is_taken_once(tmp_path):
    report = write([recording("a"), recording("a")], tmp_path / "out", Settings("x"), Notes())
    assert (report.recordings, [note.code for note in report.findings]) == (1, ["repeated_recording"])


def test_pair_links_name_both_ids_and_a_link_to_nowhere_is_reported(tmp_path):
    out = tmp_path / "out"
    child = recording("child", pair=PairLink("parent", "child", {CHILD_SHOWN: "Critical Mistake"}))
    report = write(
        [child, recording("parent"), recording("lone", pair=PairLink("gone", "lone"))], out, Settings("x"), Notes()
    )
    ids = {record["recording"]: record["trajectory_id"] for record in read(out, "sources")}
    types = {"parent_instruction_child_trajectory": "Critical Mistake", "child_instruction_parent_trajectory": None}
    assert read(out, "pairs") == [{"child": ids["child"], "parent": ids["parent"], "mistake_types": types}]
    assert [note.code for note in report.findings] == ["pair_not_found"]


def test_numbers_beyond_json_and_broken_characters_survive_writing(tmp_path):
    action = Action(type="odd", parameters={"n": float("inf"), "text": "\ud800"})
    steps = (ImportedStep(None, action, "odd"),)
    write([Recording("\ud800", "Do it", steps)], tmp_path / "out", Settings("x"), Notes())
    (task,) = ah.load(tmp_path / "out")
    assert task.trajectory.steps[0].action.parameters == {"n": "inf", "text": "\ud800"}
