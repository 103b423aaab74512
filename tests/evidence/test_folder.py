"""One task as a folder: complete, alone, read-only, and silent about where it came from."""

import json
import os
import re
from pathlib import Path

import pytest
from PIL import Image

from agenthorizon.case import FULL_SIZE, View
from agenthorizon.dataset.schema import Place, read_task
from agenthorizon.dataset.screenshots import Screenshot
from agenthorizon.evidence.blind import build_case
from agenthorizon.evidence.folder import GUIDE, LINKS, unseal, write_folder
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.source import load


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a task of the demo set."""
    bench = load("demo")
    made = []

    def write(task_id, view=FULL_SIZE):
        task = bench[task_id]
        case = build_case(task, bench.screenshots(task), view, "the guide", Pictures()).case
        folder = write_folder(case, tmp_path / f"task{len(made)}")
        made.append(folder.path)
        return task, case, folder

    yield write
    for path in made:
        unseal(path)


TASK = "9d596cdf-fe9d-47ea-ad78-2b768f468bc3"


def test_it_holds_the_guide_the_task_twice_and_every_screenshot(written):
    task, case, folder = written(TASK)
    names = sorted(str(path.relative_to(folder.path)) for path in folder.path.rglob("*"))
    shots = [f"screenshots/{step.number:03}.png" for step in case.steps if step.picture]
    assert names == sorted([GUIDE, *LINKS, "task.md", "task.json", "screenshots", *shots])
    assert [(folder.path / name).read_text() for name in (GUIDE, *LINKS)] == ["the guide"] * 4
    page = (folder.path / "task.md").read_text("utf-8")
    assert re.findall(r"\(screenshots/\d+\.png\)", page) == [f"({shot})" for shot in shots]
    record = json.loads((folder.path / "task.json").read_text("utf-8"))
    assert record["instruction"] == task.instruction
    assert [step["action"]["parameters"] for step in record["steps"]] == [
        step.action.parameters for step in task.trajectory.steps
    ]


def test_screenshots_keep_their_size_unless_a_limit_is_asked_for(written):
    _, case, folder = written(TASK)
    recorded = {step.number: step.picture.image().size for step in case.steps if step.picture}
    files = {int(path.stem): Image.open(path) for path in (folder.path / "screenshots").iterdir()}
    assert {number: image.size for number, image in files.items()} == recorded
    assert all(not image.info and not image.getexif() for image in files.values())
    _, _, small = written(TASK, View(fit=(100, 100), format="png"))
    for path in (small.path / "screenshots").iterdir():
        with Image.open(path) as image:
            assert max(image.size) == 100
    for image in files.values():
        image.close()


def test_times_and_permissions_tell_nothing(written):
    _, _, folder = written(TASK)
    paths = [folder.path, *folder.path.rglob("*")]
    assert {path.lstat().st_mtime for path in paths} == {946_684_800.0}
    modes = {path.lstat().st_mode & 0o777 for path in paths if not path.is_symlink()}
    assert modes == {0o444, 0o555}


def test_nothing_names_the_task_its_recording_or_its_neighbours(written):
    task, _, folder = written(TASK)
    texts = "".join(path.read_text("utf-8") for path in folder.path.glob("*.*"))
    names = "".join(str(path.relative_to(folder.path)) for path in folder.path.rglob("*"))
    recorded = [step.screenshot for step in task.trajectory.steps if step.screenshot]
    for telling in (task.id, *(Path(shot).parent.name for shot in recorded), "positive", "negative"):
        assert telling not in texts + names
    if os.getuid():
        with pytest.raises(PermissionError):
            (folder.path / "new").touch()


def test_digests_lead_from_a_picture_to_the_first_step_that_shows_it(written):
    import hashlib

    _, case, folder = written(TASK)
    for digest, number in folder.digests.items():
        data = (folder.path / "screenshots" / f"{number:03}.png").read_bytes()
        assert hashlib.sha256(data).hexdigest() == digest
    shown = {step.number for step in case.steps if step.picture}
    assert set(folder.digests.values()) <= shown


def test_the_longest_recording_fits(tmp_path, recorded):
    line = (recorded / "trajectories" / "thousand-steps" / "trajectories.jsonl").read_text("utf-8").splitlines()[0]
    task = read_task(json.loads(line), Place("x"))
    Image.new("RGB", (40, 30), "red").save(tmp_path / "shot.png")
    shots = [Screenshot(str(tmp_path / "shot.png"))] * len(task.trajectory.steps)
    folder = write_folder(build_case(task, shots, FULL_SIZE, "g", Pictures()).case, tmp_path / "task")
    assert len(list((folder.path / "screenshots").iterdir())) == len(task.trajectory.steps) == 1000
    assert sorted(path.name for path in (folder.path / "screenshots").iterdir())[0] == "0001.png"
    unseal(folder.path)


def test_an_instruction_that_gives_orders_is_text_in_the_folder(tmp_path, recorded):
    source = recorded / "trajectories" / "prompt-injection-instruction" / "trajectories.jsonl"
    task = read_task(json.loads(source.read_text("utf-8").splitlines()[0]), Place("x"))
    case = build_case(task, [Screenshot()] * len(task.trajectory.steps), FULL_SIZE, "the guide", Pictures()).case
    folder = write_folder(case, tmp_path / "task")
    assert (folder.path / GUIDE).read_text() == "the guide"
    assert json.loads((folder.path / "task.json").read_text())["instruction"] == case.instruction
    assert {path.name for path in folder.path.iterdir()} == {GUIDE, *LINKS, "task.md", "task.json", "screenshots"}
    unseal(folder.path)
