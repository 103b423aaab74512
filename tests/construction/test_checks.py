"""`data check` finds every fault planted in a sound release, says where, and is silent about a sound one."""

import copy
import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from agenthorizon.construction.checks import NOTES, check_data
from agenthorizon.construction.manifest import fingerprints, split_entry
from agenthorizon.construction.pictures import look
from agenthorizon.dataset.splits import label_file_name
from agenthorizon.errors import DataError
from agenthorizon.source import load

CASES = Path(__file__).parents[1] / "recorded" / "trajectories"
ROWS = [json.loads(line) for line in (CASES / "trajectories.jsonl").read_text("utf-8").splitlines()]

A_OWN, A_SWAP, B_SWAP, B_OWN = (f"00000000-0000-4000-8000-0000000000{n}" for n in ("00", "01", "10", "11"))
C_OWN = "00000000-0000-4000-8000-000000000022"


def write_manifest(release):
    """Write the manifest that `data build` would."""
    bench = load(release.root)
    pictures = look(shot.path for task in bench for shot in bench.screenshots(task))
    splits = {
        name: split_entry(labels, (release.root / label_file_name(name)).read_bytes())
        for name, labels in bench.labels.splits.items()
    }
    stated = {"name": "small", "form": "release", "splits": splits, **fingerprints(bench, pictures)}
    (release.root / "manifest.json").write_text(json.dumps(stated))


def overwrite(path, at, data):
    content = bytearray(path.read_bytes())
    content[at : at + len(data)] = data
    path.write_bytes(content)


def recorded_instruction(record, text):
    record["task"]["instruction"] = text


def drop_label(labels):
    del labels[0]


def point(record, x, y):
    record["steps"][1]["action"]["parameters"] |= {"x": x, "y": y}


def no_resolution_and_off(record):
    record["environment"]["screen_resolution"] = None
    point(record, 10, 80)


PLANTED = {
    "missing_screenshot": lambda r: r.picture(0, 2).unlink(),
    "not_an_image": lambda r: r.picture(0, 2).write_bytes(b""),
    "unreadable_screenshot": lambda r: r.picture(0, 2).write_bytes(r.picture(0, 2).read_bytes()[:150]),
    "screenshot_size": lambda r: Image.new("RGB", (60, 40)).save(r.picture(0, 2)),
    "remote_screenshot": lambda r: r.change(A_OWN, lambda t: t["steps"][1].update(screenshot="http://127.0.0.1/1.png")),
    "unsafe_path": lambda r: r.change(A_OWN, lambda t: t["steps"][1].update(screenshot="../../../../etc/passwd")),
    "coordinate_out_of_range": lambda r: r.change(A_OWN, lambda t: point(t, 120, 20)),
    "coordinate_maybe_normalised": lambda r: r.change(A_OWN, lambda t: point(t, 0.5, 0.25)),
    "coordinate_type": lambda r: r.change(A_OWN, lambda t: point(t, "10", 20)),
    "step_order": lambda r: r.change(A_OWN, lambda t: t["steps"].reverse()),
    "duplicate_step_id": lambda r: r.change(A_OWN, lambda t: t["steps"][1].update(step_id=0)),
    "null_step": lambda r: r.change(A_OWN, lambda t: t["steps"].insert(1, None)),
    "no_steps": lambda r: r.change(A_OWN, lambda t: t["steps"].clear()),
    "timestamp_order": lambda r: r.change(A_OWN, lambda t: t["steps"][2].update(timestamp_us=5)),
    "milestone_step": lambda r: r.change(A_OWN, lambda t: t.update(milestones=[{"step_id": 3, "description": "x"}])),
    "instruction_missing": lambda r: r.change(A_OWN, lambda t: recorded_instruction(t, " \n")),
    "label_leak": lambda r: r.change(A_OWN, lambda t: t["task"].update(mistake_type=None)),
    "id_differs": lambda r: r.change(A_OWN, lambda t: t.update(trajectory_id=A_SWAP)),
    "bad_json": lambda r: r.json_path(A_OWN).write_text(r.json_path(A_OWN).read_text()[:-9]),
    "recording_content_differs": lambda r: r.change(A_OWN, lambda t: point(t, 77, 7)),
    "recording_differs": lambda r: (
        shutil.copytree(r.picture(0, 1).parent, r.picture(8, 1).parent)
        and r.change(A_OWN, lambda t: [s.update(screenshot=s["screenshot"].replace("-0", "-8")) for s in t["steps"]])
    ),
    "label_without_task": lambda r: r.json_path(A_OWN).unlink(),
    "task_without_label": lambda r: r.relabel(drop_label),
    "duplicate_label": lambda r: r.relabel(lambda labels: labels.append(labels[0])),
    "bad_label": lambda r: r.relabel(lambda labels: labels[0].update(label="Positive")),
    "unknown_mistake_type": lambda r: r.relabel(lambda labels: labels[1].update(mistake_type="Critical Misteak")),
    "mistake_type_on_positive": lambda r: r.relabel(lambda labels: labels[0].update(mistake_type="Critical Mistake")),
    "swap_direction": lambda r: r.relabel(
        lambda labels: labels[1].update(negative_source=labels[2]["negative_source"])
    ),
    "swap_not_swapped": lambda r: r.change(A_SWAP, lambda t: recorded_instruction(t, "add a column")),
    "swap_instruction": lambda r: r.change(A_SWAP, lambda t: recorded_instruction(t, "add two rows")),
    "two_positives_of_one_recording": lambda r: r.relabel(lambda labels: labels[1].update(label="positive")),
    "repeated_swap": lambda r: r.relabel(lambda labels: labels[2].update(original_id="r1", paired_id="r0")),
    "pair_group_torn": lambda r: r.relabel(lambda labels: labels[0].update(pair_group_id="g9")),
    "split_group_shared": lambda r: r.relabel(lambda labels: [x.update(pair_group_id="g2") for x in labels]),
    "identical_instructions": lambda r: r.change(B_OWN, lambda t: recorded_instruction(t, "Add a  row.")),
    "contradicting_labels": lambda r: r.change(A_SWAP, lambda t: recorded_instruction(t, "add a column")),
    "markdown_missing": lambda r: (r.root / "sandbox/data/markdowns" / f"{A_OWN}.md").unlink(),
    "markdown_differs": lambda r: (r.root / "sandbox/data/markdowns" / f"{A_OWN}.md").write_text("> add a column"),
    "bad_manifest": lambda r: (r.root / "manifest.json").write_text("{"),
}


def codes(findings):
    return {finding.code for finding in findings}


def test_a_sound_release_has_no_fault(release):
    write_manifest(release)
    report = check_data(release.root)
    assert report.faults == ()
    assert (report.tasks, report.steps, report.screenshots) == (8, 24, 12)


@pytest.mark.parametrize("code", PLANTED)
def test_every_planted_fault_is_found(release, code):
    PLANTED[code](release)
    assert code in codes(check_data(release.root).faults)


def test_faults_of_every_kind_are_found_at_once(release):
    """A broken label line does not hide a broken record, nor that a broken screenshot."""
    for code in ("bad_label", "bad_json"):
        PLANTED[code](release)
    release.picture(2, 1).unlink()
    release.change(C_OWN, lambda record: point(record, -1, 5))
    wanted = {"bad_label", "bad_json", "missing_screenshot", "coordinate_out_of_range"}
    assert wanted <= codes(check_data(release.root).faults)


def test_a_fault_names_file_line_and_step(release):
    PLANTED["bad_label"](release)
    PLANTED["coordinate_out_of_range"](release)
    found = {fault.code: fault for fault in check_data(release.root).faults}
    assert (found["bad_label"].file, found["bad_label"].line) == ("AgentHorizon.jsonl", 1)
    off = found["coordinate_out_of_range"]
    assert (off.file, off.index) == (f"sandbox/data/jsons/{A_OWN}.json", 1)


def test_a_point_is_held_against_the_screenshot_where_no_screen_size_is_stated(release):
    release.change(A_OWN, no_resolution_and_off)
    found = [fault for fault in check_data(release.root).faults if fault.code == "coordinate_out_of_range"]
    assert [fault.index for fault in found] == [1]


def test_a_recording_under_two_names_is_found_by_content(release):
    shutil.rmtree(release.picture(2, 1).parent)
    shutil.copytree(release.picture(0, 1).parent, release.picture(2, 1).parent)
    actions = json.loads(release.json_path(A_OWN).read_text())["steps"]

    def take_over(record):
        for step, other in zip(record["steps"], actions, strict=True):
            step["action"] = other["action"]

    for task in (C_OWN, "00000000-0000-4000-8000-000000000032"):
        release.change(task, take_over)
    assert "duplicate_recording" in codes(check_data(release.root).faults)


def test_a_task_that_stands_twice_under_two_ids_is_found(release):
    copy = "00000000-0000-4000-8000-000000000099"
    record = json.loads(release.json_path(A_OWN).read_text()) | {"trajectory_id": copy}
    release.json_path(copy).write_text(json.dumps(record))
    release.relabel(lambda labels: labels.append(labels[0] | {"trajectory_id": copy}))
    assert "duplicate_task" in codes(check_data(release.root).faults)


@pytest.mark.parametrize("decode", [True, False])
def test_one_changed_byte_in_a_screenshot_is_found_decoded_or_by_checksum(release, decode):
    path = release.picture(3, 3)
    overwrite(path, path.stat().st_size // 2, b"\xa5")
    assert "unreadable_screenshot" in codes(check_data(release.root, decode=decode).faults)


def test_a_whole_picture_put_in_anothers_place_is_found_by_the_manifest(release):
    write_manifest(release)
    Image.new("RGB", (120, 80), "red").save(release.picture(3, 3))
    found = {fault.fields for fault in check_data(release.root).faults if fault.code == "fingerprint_differs"}
    assert ("screenshots",) in found


def test_a_changed_label_and_a_changed_record_are_found_by_the_manifest(release):
    write_manifest(release)
    release.relabel(lambda labels: labels[1].update(mistake_type="Bad Side Effect"))
    release.change(A_OWN, lambda record: record["task"].update(applications=["Other"]))
    found = {fault.fields for fault in check_data(release.root).faults if fault.code == "fingerprint_differs"}
    assert found == {("AH", "labels_sha256"), ("records_sha256",)}


def test_a_count_that_the_manifest_states_wrongly_is_found(release):
    write_manifest(release)
    stated = json.loads((release.root / "manifest.json").read_text())
    stated["splits"]["AH"]["positive"] = 3
    (release.root / "manifest.json").write_text(json.dumps(stated))
    assert "manifest_count" in codes(check_data(release.root).faults)


def test_what_is_only_unusual_is_a_note(release):
    def unusual(record):
        for step in record["steps"]:
            step["timestamp_us"] = None
        record["environment"]["os"] = "haiku"

    for task in (A_OWN, B_SWAP):
        release.change(task, unusual)
    release.relabel(lambda labels: [label.update(mistake_type=None) for label in labels])
    shutil.copy(release.picture(0, 1), release.picture(0, 9))
    report = check_data(release.root)
    assert report.faults == ()
    assert codes(report.notes) == {"null_timestamps", "os_value", "untyped_negative", "unused_file"}


def test_a_lone_group_and_a_split_without_negatives_are_notes(release):
    release.relabel(lambda labels: labels.__delitem__(slice(1, None)), split="AgentHorizon-Development.jsonl")
    for task in ("23", "32", "33"):
        release.json_path(f"00000000-0000-4000-8000-0000000000{task}").unlink()
    shutil.rmtree(release.picture(3, 1).parent)
    report = check_data(release.root)
    assert report.faults == ()
    assert codes(report.notes) == {"one_class_only", "pair_group_size"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_every_recorded_case_is_found_out(row):
    report = check_data(CASES / row["id"])
    wanted = {error["code"] for error in row["expect"].get("errors", ())} | set(row["expect"].get("warnings", ()))
    assert wanted <= codes(report.findings)
    assert {error["code"] for error in row["expect"].get("errors", ())} <= codes(report.faults)


def test_faults_and_notes_share_no_code():
    assert NOTES.isdisjoint(PLANTED)


def test_the_shipped_set_has_no_fault(demo):
    assert check_data(demo).faults == ()


def test_progress_counts_every_file_once(release):
    seen = []
    check_data(release.root, progress=lambda *at: seen.append(at))
    assert seen == [(n, 8, "records") for n in range(1, 9)] + [(n, 12, "screenshots") for n in range(1, 13)]


def test_a_broken_data_set_is_still_refused_for_judging(release):
    PLANTED["bad_label"](release)
    with pytest.raises(DataError, match="bad_label"):
        load(release.root)


JUNK = [None, True, -1, 10**30, "", "\ud800", [], [None], {}, {"a": []}]


def places(value, path=()):
    """Every place of a JSON value, as keys and indexes from its top."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*path, key)
            yield from places(value[key], (*path, key))


def with_junk(value, path, junk):
    changed = copy.deepcopy(value)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = junk
    return changed


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_no_value_of_any_type_in_any_field_breaks_a_check(release, junk):
    path = release.json_path(A_OWN)
    record = json.loads(path.read_text()) | {"milestones": [{"step_id": 0}]}
    record["steps"] = record["steps"][:1]
    for place in places(record):
        path.write_text(json.dumps(with_junk(record, place, junk)))
        assert check_data(release.root, decode=False).findings


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_no_value_of_any_type_in_any_label_breaks_a_check(release, junk):
    path = release.root / "AgentHorizon.jsonl"
    labels = [json.loads(line) for line in path.read_text().splitlines()]
    for place in places(labels[:2]):
        changed = with_junk(labels, place, junk)
        path.write_text("".join(json.dumps(label) + "\n" for label in changed))
        check_data(release.root, decode=False)
