"""What a recording leaves on disk."""

import json
import uuid

import pytest
from PIL import Image

import agenthorizon as ah
from agenthorizon.cli.data_record import build_tasks
from agenthorizon.errors import UsageError
from agenthorizon.recording.frames import Frame
from agenthorizon.recording.steps import step
from agenthorizon.recording.writing import StepWriter, add_to, check_place

SIZE = (3, 2)
PIXELS = bytes(range(24))


def frame(since=0.0):
    return Frame(PIXELS, SIZE, since)


def recorded(draft, *steps, instruction="Press it"):
    writer = StepWriter(draft)
    writer.began = 100.0
    for each in steps:
        writer.add(each)
    writer.finish()
    return writer.record(instruction, ["Mousepad"])


@pytest.fixture
def draft(tmp_path):
    folder = tmp_path / "draft"
    folder.mkdir()
    return folder


@pytest.fixture
def one(draft):
    return recorded(
        draft, step("click", 100.5, frame(), x=1, y=1, button="left"), step("press", 101.25, None, keys=["f5"])
    )


def test_a_recording_is_opened_as_any_data_set_with_all_that_was_done(tmp_path, draft, one):
    add_to(tmp_path / "mine", draft, [one])
    bench = ah.load(str(tmp_path / "mine"))
    (task,) = bench
    assert uuid.UUID(task.id).version == 4
    assert (task.instruction, task.applications) == ("Press it", ("Mousepad",))
    assert (task.trajectory.os, task.trajectory.screen_resolution) == ("linux", SIZE)
    assert [(each.action.type, each.timestamp_us) for each in task.trajectory.steps] == [
        ("click", 500_000),
        ("press", 1_250_000),
    ]
    assert [finding.code for finding in bench.check()] == []
    assert [shot.path and shot.path.name for shot in bench.screenshots(task)] == ["step_1.png", None]


def test_frames_lose_no_pixel(tmp_path, draft, one):
    add_to(tmp_path / "mine", draft, [one])
    (path,) = (tmp_path / "mine").glob("media/images/*/*.png")
    with Image.open(path) as picture:
        colours = picture.convert("RGB").tobytes()
    assert colours == b"".join(PIXELS[at : at + 3][::-1] for at in range(0, 24, 4))


def test_a_second_recording_is_added_and_the_first_stays_as_it_was(tmp_path, draft, one):
    out = tmp_path / "mine"
    add_to(out, draft, [one])
    before = (out / "trajectories.jsonl").read_bytes()
    add_to(out, draft, [recorded(draft, step("wait", 101.0, frame(), duration_s=0.0), instruction="Wait")])
    assert (out / "trajectories.jsonl").read_bytes().startswith(before)
    assert [task.instruction for task in ah.load(str(out))] == ["Press it", "Wait"]


def test_a_file_that_an_editor_left_without_its_last_line_break_is_added_to_all_the_same(tmp_path, draft, one):
    out = tmp_path / "mine"
    add_to(out, draft, [one])
    path = out / "trajectories.jsonl"
    path.write_bytes(path.read_bytes().rstrip())
    add_to(out, draft, [recorded(draft, step("wait", 101.0, frame(), duration_s=0.0))])
    assert len(list(ah.load(str(out)))) == 2


def test_two_recordings_at_once_are_a_pair(tmp_path, draft, one):
    other = recorded(draft, step("wait", 101.0, frame(), duration_s=0.0), instruction="Wait")
    add_to(tmp_path / "mine", draft, [one, other])
    pairs = [json.loads(line) for line in (tmp_path / "mine/pairs.jsonl").read_text().splitlines()]
    assert pairs == [{"parent": one["trajectory_id"], "child": other["trajectory_id"]}]


def test_times_of_a_record_do_not_run_backwards(draft):
    record = recorded(draft, step("press", 102.0, None, keys=["a"]), step("press", 101.5, None, keys=["b"]))
    assert [each["timestamp_us"] for each in record["steps"]] == [2_000_000, 2_000_000]


def test_a_frame_that_cannot_be_written_is_said_at_the_end(draft):
    writer = StepWriter(draft)
    (draft / "media/images" / writer.id).rmdir()
    writer.add(step("press", 1.0, frame(), keys=["a"]))
    with pytest.raises(OSError, match=r"step_1\.png"):
        writer.finish()


def test_a_frame_of_another_form_than_it_says_is_said_at_the_end_and_nobody_waits(draft):
    writer = StepWriter(draft)
    for number in range(40):
        writer.add(step("press", number, Frame(b"too few", (9, 9), number), keys=["a"]))
    with pytest.raises(ValueError, match="not enough image data"):
        writer.finish()


def test_a_place_is_new_empty_or_holds_recordings(tmp_path, draft, one):
    check_place(tmp_path / "new")
    (tmp_path / "empty").mkdir()
    check_place(tmp_path / "empty")
    add_to(tmp_path / "mine", draft, [one])
    check_place(tmp_path / "mine")


def test_a_place_that_holds_something_else_is_refused_by_name(tmp_path):
    (tmp_path / "file").touch()
    for place, said in ((tmp_path, "something else than recordings"), (tmp_path / "file", "is a file")):
        with pytest.raises(UsageError, match=said) as error:
            check_place(place)
        assert str(place) in str(error.value)


def pair_of(draft, name):
    one, other = (
        recorded(draft, step("press", 101.0, frame(), keys=[key]), instruction=f"Press {key} of {name}") for key in "ab"
    )
    return [one, other]


def test_with_every_pair_the_tasks_of_all_are_built_beside_those_before_and_keep_their_ids(tmp_path, draft, capsys):
    out = tmp_path / "mine"
    for name in ("first", "second"):
        add_to(out, draft, pair_of(draft, name))
        build_tasks(out)
    before, after = ah.load(str(out / "tasks")), ah.load(str(out / "tasks-2"))
    assert (len(list(before)), len(list(after))) == (4, 8)
    assert {task.id for task in before} < {task.id for task in after}
    assert sorted(after.labels[task.id].label for task in after) == ["negative"] * 4 + ["positive"] * 4
    assert len(set(map(after.group_of, (task.id for task in after)))) == 2
    assert capsys.readouterr().out.splitlines()[-1] == str(out / "tasks-2")
