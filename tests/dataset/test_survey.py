"""One reading of the records serves check and fingerprint alike, and nothing stale is answered."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PIL import Image

import agenthorizon as ah
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.survey import Survey
from agenthorizon.dataset.task_files import RawTask, TaskFiles
from agenthorizon.errors import DataError

IDS = ["a", "b", "c"]


def record(task_id: str) -> str:
    step = {"step_id": 0, "screenshot": f"{task_id}.png", "action": {"type": "wait", "parameters": {}}}
    return json.dumps({"trajectory_id": task_id, "task": {"instruction": "Do it."}, "steps": [step]}) + "\n"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    for task_id in IDS:
        Image.new("RGB", (64, 40)).save(tmp_path / f"{task_id}.png")
    (tmp_path / "trajectories.jsonl").write_text("".join(map(record, IDS)))
    return ah.load(str(tmp_path))


def silent(done: int, total: int) -> None:
    pass


@dataclass
class Counted:
    """Another's records, and whose were read."""

    files: TaskFiles
    read_ids: list[str] = field(default_factory=list)

    def ids(self):
        return self.files.ids()

    def read(self, task_id: str) -> RawTask:
        self.read_ids.append(task_id)
        return self.files.read(task_id)

    def bases(self, task_id: str):
        return self.files.bases(task_id)


def test_fingerprint_is_the_same_whatever_was_asked_before(bench: Bench):
    checked_first, together = replace(bench), replace(bench)
    checked_first.check(["b"])
    assert together.take_fingerprint(silent, ["b", "c"]) == checked_first.fingerprint == replace(bench).fingerprint


def test_fingerprint_tells_another_size_of_a_screenshot(bench: Bench, tmp_path: Path):
    before = replace(bench).fingerprint
    (tmp_path / "b.png").write_bytes((tmp_path / "b.png").read_bytes() + b"\0")
    assert replace(bench).fingerprint != before


def test_check_after_a_fingerprint_that_looked_reads_nothing_again(bench: Bench):
    counted = Counted(bench.files)
    bench = replace(bench, files=counted)
    bench.take_fingerprint(silent, ["a", "c"])
    bench.check(["a", "c"])
    assert counted.read_ids == IDS
    bench.check(["b"])
    assert counted.read_ids == [*IDS, "b"]


def test_fingerprint_after_a_check_reads_the_others_alone(bench: Bench):
    counted = Counted(bench.files)
    bench = replace(bench, files=counted)
    bench.check(["b"])
    assert bench.fingerprint
    assert counted.read_ids == ["b", "a", "c"]


def test_another_check_sees_what_changed_since(bench: Bench, tmp_path: Path):
    bench.take_fingerprint(silent, IDS)
    (tmp_path / "b.png").write_bytes(b"")
    found = [[(each.code, each.line) for each in bench.check() if each.code == "not_an_image"] for _ in range(2)]
    assert found == [[], [("not_an_image", 2)]]
    assert [shot.fault for shot in bench.verified_screenshots(bench["b"])] == ["not_an_image"]


def test_findings_are_the_same_for_whoever_asks_until_they_are_forgotten(bench: Bench, tmp_path: Path):
    survey = Survey(bench.files, bench.root, IDS)
    (tmp_path / "b.png").unlink()
    first = survey.findings(IDS)
    (tmp_path / "b.png").write_bytes((tmp_path / "a.png").read_bytes())
    assert survey.findings(IDS) == first
    survey.forget(["b"])
    assert [each for each in first if each not in survey.findings(IDS)] == [
        each for each in first if each.code == "missing_screenshot"
    ]
    assert survey.is_sound("b")


def test_all_records_that_broke_since_opening_are_named_at_once(bench: Bench, tmp_path: Path):
    lines = (tmp_path / "trajectories.jsonl").read_text().splitlines()
    (tmp_path / "trajectories.jsonl").write_text("\n".join([lines[0], "{" * len(lines[1]), "{" * len(lines[2]), ""]))
    with pytest.raises(DataError) as error:
        bench.take_fingerprint(silent, IDS)
    assert [(fault.code, fault.line) for fault in error.value.faults] == [("bad_json", 2), ("bad_json", 3)]


def test_a_screenshot_that_is_gone_since_the_check_is_no_evidence(bench: Bench, tmp_path: Path):
    bench.check()
    (tmp_path / "b.png").unlink()
    with pytest.raises(DataError) as error:
        bench.verified_screenshots(bench["b"])
    assert [(fault.code, fault.index) for fault in error.value.faults] == [("missing_screenshot", 0)]


def test_a_folder_that_became_a_link_to_elsewhere_is_seen(tmp_path: Path):
    inside, outside = tmp_path / "data", tmp_path / "elsewhere"
    for folder in (inside / "shots", outside):
        folder.mkdir(parents=True)
        Image.new("RGB", (64, 40)).save(folder / "a.png")
    (inside / "trajectories.jsonl").write_text(record("a").replace("a.png", "shots/a.png"))
    bench = ah.load(str(inside))
    assert not bench.screenshots(bench["a"])[0].is_missing
    (inside / "shots").rename(tmp_path / "kept")
    (inside / "shots").symlink_to(outside)
    assert [shot.fault for shot in bench.screenshots(bench["a"])] == ["unsafe_path"]
