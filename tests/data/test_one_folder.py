"""A set whose screenshots all lie in one folder: what is one recording is said by the steps, not by the folder."""

import json

import pytest
from PIL import Image

from agenthorizon.running.sharding import shard_of
from agenthorizon.running.sharing import recordings
from agenthorizon.scoring.marks import mark
from agenthorizon.scoring.pair_insight import couples
from agenthorizon.source import load

RECORDINGS = 6
"""Each is shown by two tasks, its own and a swapped one."""


@pytest.fixture
def flat(tmp_path):
    """A trajectories JSONL beside its screenshots; with labels that name no recording, if asked for."""
    for number in range(RECORDINGS + 1):
        Image.new("RGB", (8, 8), (number, 0, 0)).save(tmp_path / f"{number}.png")
    screen = {"source": {"name": "human"}, "environment": {"os": "linux", "screen_resolution": [8, 8]}}
    records, labels = [], []
    for task in range(2 * RECORDINGS):
        shots = [f"{task // 2}.png", f"{task // 2 + 1}.png"]
        steps = [{"step_id": n, "screenshot": shot, "action": {"type": "go"}} for n, shot in enumerate(shots)]
        record = {"version": "1.0", "trajectory_id": f"t{task:02d}", "task": {"instruction": f"Do {task}."}}
        records.append(record | screen | {"steps": steps, "milestones": []})
        labels.append({"trajectory_id": f"t{task:02d}", "label": "negative" if task % 2 else "positive"})

    def do(labelled=False):
        (tmp_path / "trajectories.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        if labelled:
            (tmp_path / "labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels))
        return load(tmp_path)

    return do


def test_a_limit_takes_whole_recordings_and_no_more(flat):
    bench = flat()
    assert [len(bench.select(limit=limit)) for limit in (1, 2, 3, 12)] == [2, 2, 4, 12]


def test_every_shard_gets_its_part_and_no_recording_is_torn(flat):
    bench = flat()
    parts = [shard_of(bench, bench.select(), (part, 3)) for part in (1, 2, 3)]
    assert [len(part) for part in parts] == [4, 4, 4]
    assert sorted(int(task_id[1:]) // 2 for task_id in parts[0]) == [0, 0, 3, 3]


def test_couples_are_the_tasks_of_one_recording(flat):
    bench = flat(labelled=True)
    marks = mark(bench.labels.values(), {}, bench.labels.groups)
    found = couples(marks, bench.labels.recordings)
    named = [(own.task_id, other.task_id) for own, other in found]
    assert named == [(f"t{n:02d}", f"t{n + 1:02d}") for n in range(0, 12, 2)]


def test_runs_and_scores_mean_the_same_by_a_recording(flat):
    bench = flat(labelled=True)
    assert bench.labels.recordings == recordings(bench, bench.select())


def test_tasks_of_one_label_id_that_show_other_steps_are_a_fault(flat, tmp_path):
    flat(labelled=True)
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    for row, recording in zip(rows, ["a", "a", "b", "c"] + ["d"] * 8, strict=True):
        row |= {"original_id": recording, "pair_group_id": "g"}
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (group,) = load(tmp_path).labels.pairs()
    differing = [fault.detail for fault in group.faults if fault.code == "recording_differs"]
    assert differing == ["tasks of recording d show different steps"]
    assert list(group.recordings) == ["a", "b", "c", "d"]
