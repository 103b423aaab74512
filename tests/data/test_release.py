"""Release folders and the hub: which form was found, what is noted, what stays out of reach."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from agenthorizon.errors import DataError, UsageError
from agenthorizon.source import load

UNLABELLED = "sandbox/data/jsons"


@pytest.fixture
def release(tmp_path, demo):
    """A copy of the shipped set without its own manifest: a release folder as published, only smaller."""
    folder = tmp_path / "release"
    shutil.copytree(demo, folder)
    (folder / "manifest.json").unlink()
    return folder


def codes(bench):
    return sorted({warning.code for warning in bench.check()})


def test_three_label_files_are_the_three_split_form(release):
    bench = load(release)
    assert (bench.form, list(bench.splits)) == ("three-split", ["AH", "AH-S", "AH-D"])


def test_two_label_files_are_the_two_split_form_with_the_same_names(release):
    (release / "AgentHorizon-Development.jsonl").unlink()
    bench = load(release)
    assert (bench.form, list(bench.splits)) == ("two-split", ["AH", "AH-S"])


def test_counts_unlike_the_published_ones_are_noted(release):
    sizes = [str(warning) for warning in load(release).warnings if warning.code == "split_size"]
    assert sizes == [
        "AH split_size: 15 tasks, 528 in the published manifest",
        "AH-S split_size: 12 tasks, 683 in the published manifest",
        "AH-D split_size: 14 tasks, 162 in the published manifest",
    ]


def test_the_shipped_set_is_what_its_manifest_says():
    assert codes(load("demo")) == []


def test_labels_are_optional(release):
    for path in release.glob("*.jsonl"):
        path.unlink()
    bench = load(release)
    assert {name: len(ids) for name, ids in bench.splits.items()} == {"all": 41}
    with pytest.raises(DataError, match="no label file"):
        bench.labels  # noqa: B018


def test_a_label_file_given_takes_the_place_of_those_found(release):
    bench = load(release, release / "AgentHorizon-Simple.jsonl")
    assert {name: len(ids) for name, ids in bench.splits.items()} == {"AH-S": 12}


def test_a_label_without_its_task_is_noted_and_stays_in_the_denominator(release):
    task_id = load(release).splits["AH"][0]
    (release / UNLABELLED / f"{task_id}.json").unlink()
    bench = load(release)
    assert len(bench.splits["AH"]) == 14
    assert len(bench.labels.splits["AH"]) == 15
    assert "label_without_task" in codes(bench)


def test_a_broken_task_is_named_with_its_file(release):
    task_id = load(release).splits["AH"][0]
    path = release / UNLABELLED / f"{task_id}.json"
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(DataError, match=rf"{task_id}\.json bad_json"):
        load(release).check()


def test_one_task_under_the_name_of_another_is_refused(release):
    first, second = load(release).splits["AH"][:2]
    shutil.copy(release / UNLABELLED / f"{first}.json", release / UNLABELLED / f"{second}.json")
    with pytest.raises(DataError, match="id_differs"):
        load(release).check()


def test_label_files_without_tasks_say_that_the_download_is_incomplete(release):
    shutil.rmtree(release / "sandbox")
    with pytest.raises(DataError, match="is the download complete"):
        load(release)


@pytest.mark.parametrize("place", ["sandbox/data/jsons", "sandbox", ""])
def test_a_screenshot_is_found_beside_the_json_then_in_sandbox_then_in_the_root(release, place):
    bench = load(release)
    task = next(iter(bench))
    path = release / UNLABELLED / f"{task.id}.json"
    record = json.loads(path.read_bytes())
    record["steps"][0]["screenshot"] = "shots/first.webp"
    path.write_text(json.dumps(record))
    target = release / place / "shots" / "first.webp"
    target.parent.mkdir(parents=True)
    target.write_bytes(b"RIFF\x00\x00\x00\x00WEBPVP8 ")
    assert bench.screenshots(bench[task.id])[0].path == target


def test_reading_and_writing_a_record_loses_nothing(demo):
    bench = load("demo")
    for task in bench:
        raw = json.loads((demo / UNLABELLED / f"{task.id}.json").read_bytes())
        assert task.to_record() == raw


def test_fields_and_actions_that_nobody_knows_survive_a_round_trip(recorded):
    bench = load(recorded / "trajectories" / "unknown-actions")
    (task,) = bench
    raw = json.loads((recorded / "trajectories" / "unknown-actions" / "trajectories.jsonl").read_text())
    assert task.to_record()["steps"] == raw["steps"]
    assert task.to_record()["milestones"] == raw["milestones"]


def test_pairs_of_the_shipped_set_are_swaps_that_share_recordings():
    groups = load("demo").labels.pairs()
    full = [group for group in groups if group.size == 4]
    assert len(full) >= 8
    for group in full:
        assert [len(ids) for ids in group.recordings.values()] == [2, 2]
    assert [fault for group in groups for fault in group.faults] == []


def test_a_swap_that_carries_its_own_instruction_is_a_fault(release):
    bench = load(release)
    group = next(group for group in bench.labels.pairs() if group.size == 4)
    negative = group.negatives[0]
    own = next(p for p in group.positives if p.original_id == negative.original_id)
    path = release / UNLABELLED / f"{negative.trajectory_id}.json"
    record = json.loads(path.read_bytes())
    record["task"]["instruction"] = bench[own.trajectory_id].instruction
    path.write_text(json.dumps(record))
    faults = {fault.code for g in load(release).labels.pairs() for fault in g.faults}
    assert faults == {"swap_not_swapped", "swap_instruction"}


def test_a_limit_takes_whole_pair_groups_and_always_the_same():
    bench = load("demo")
    chosen = bench.select("AH", limit=5)
    groups = {bench.group_of(task_id) for task_id in chosen}
    whole = [task_id for task_id in bench.splits["AH"] if bench.group_of(task_id) in groups]
    assert chosen == whole == bench.select("AH", limit=5)
    assert 5 <= len(chosen) < 15


def test_the_fingerprint_changes_with_a_record_and_not_with_a_label(release):
    before = load(release).fingerprint
    labels = release / "AgentHorizon.jsonl"
    labels.write_text(labels.read_text().replace('"negative"', '"positive"', 1))
    assert load(release).fingerprint == before
    path = next((release / UNLABELLED).glob("*.json"))
    path.write_text(path.read_text().replace('"click"', '"press"', 1))
    assert load(release).fingerprint != before


def test_listing_reads_no_screenshot(release):
    shutil.rmtree(release / "sandbox" / "data" / "media")
    assert len([task.instruction for task in load(release)]) == 41


def test_the_dataset_view_decodes_images_on_access_and_has_no_label():
    dataset = load("demo").dataset("AH")
    assert dataset.column_names == ["id", "split", "instruction", "os", "steps"]
    first = next(step["screenshot"] for step in dataset[0]["steps"] if step["screenshot"])
    assert first.size[0] > 500


HUB = """
import sys
from agenthorizon.source import load
bench = load("hub:example/tiny")
task = next(iter(bench))
print(bench.name, bench.form, len(bench), sum(shot.path is not None for shot in bench.screenshots(task)))
"""


def test_a_hub_repository_in_the_cache_opens_through_its_links(release, tmp_path):
    revision = "0123456789012345678901234567890123456789"
    repository = tmp_path / "cache" / "datasets--example--tiny"
    snapshot = repository / "snapshots" / revision
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(revision)
    for number, path in enumerate(sorted(p for p in release.rglob("*") if p.is_file())):
        blob = repository / "blobs" / f"{number:040x}"
        blob.parent.mkdir(exist_ok=True)
        shutil.move(path, blob)
        link = snapshot / path.relative_to(release)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(os.path.relpath(blob, link.parent))
    environment = {**os.environ, "HF_HUB_CACHE": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}
    words = [sys.executable, "-c", HUB]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    name, form, tasks, shots = done.stdout.split()
    assert (name, form, tasks) == ("tiny", "three-split", "41")
    assert int(shots) > 0


@pytest.mark.parametrize("location", ["hub:only-a-name", "hub:", "hub:a/b/c"])
def test_a_hub_name_that_is_none_is_refused(location):
    with pytest.raises(UsageError, match="OWNER/NAME"):
        load(location)


def a_task(release):
    return next(iter(sorted((release / UNLABELLED).glob("*.json"))))


def test_a_named_pipe_in_place_of_a_label_file_is_refused(release):
    (release / "AgentHorizon.jsonl").unlink()
    os.mkfifo(release / "AgentHorizon.jsonl")
    with pytest.raises(DataError, match=r"AgentHorizon\.jsonl cannot be read: is a named pipe"):
        load(release)


def test_a_named_pipe_given_as_labels_is_refused(release):
    os.mkfifo(release / "mine.jsonl")
    with pytest.raises(DataError, match="is a named pipe"):
        load(release, release / "mine.jsonl")


def test_a_named_pipe_in_place_of_a_task_is_its_fault(release):
    path = a_task(release)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(DataError, match=f"{path.name} bad_json: is a named pipe"):
        load(release).check()


def test_a_named_pipe_in_place_of_the_manifest_is_a_fault(release):
    os.mkfifo(release / "manifest.json")
    with pytest.raises(DataError, match=r"bad_manifest.*is a named pipe"):
        load(release)


def test_a_named_pipe_in_place_of_a_screenshot_is_missing(release):
    record = json.loads(a_task(release).read_text())
    shot = release / "sandbox" / next(step["screenshot"] for step in record["steps"] if step["screenshot"])
    shot.unlink()
    os.mkfifo(shot)
    assert "missing_screenshot" in codes(load(release))


def test_a_task_that_gives_a_key_twice_is_refused_and_names_it(release):
    path = a_task(release)
    path.write_text(path.read_text().replace('"steps":', '"version": "1.0", "version": "1.1", "steps":', 1))
    with pytest.raises(DataError, match=rf"{path.name} repeated_key \[version\]"):
        load(release).check()


def test_a_label_that_gives_a_key_twice_is_refused_and_names_it(release):
    path = release / "AgentHorizon.jsonl"
    lines = path.read_text().splitlines()
    lines[1] = lines[1].replace('"label":', '"label": "positive", "label":', 1)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(DataError, match=r"AgentHorizon\.jsonl:2 repeated_key \[label\]"):
        load(release)


@pytest.mark.parametrize("name", ["pair_group_id", "original_id", "paired_id", "negative_source"])
@pytest.mark.parametrize("value", [["g0"], {"id": "g0"}, True])
def test_a_label_that_names_a_group_or_recording_by_no_text_is_refused(name, value, release):
    path = release / "AgentHorizon.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[2][name] = value
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataError, match=rf"AgentHorizon\.jsonl:3 bad_field \[{name}\]: expected a text"):
        load(release)


def test_a_field_of_an_action_that_no_judge_is_shown_is_noted(release):
    path = a_task(release)
    record = json.loads(path.read_text())
    record["steps"][0]["action"] = {"type": "done", "parameters": {"success": True}, "paired_id": "rec-2"}
    path.write_text(json.dumps(record))
    (note,) = [warning for warning in load(release).check() if warning.code == "hidden_in_action"]
    assert (note.index, note.fields) == (0, ("parameters.success", "paired_id"))
    assert path.name in note.file
