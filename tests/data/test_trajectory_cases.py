"""Every awkward data set seen in the field loads, warns or is refused as its case asks."""

import hashlib
import json
from pathlib import Path

import pytest

from agenthorizon.errors import DataError
from agenthorizon.source import load

CASES = Path(__file__).parents[1] / "recorded" / "trajectories"
ROWS = {row["id"]: row for row in map(json.loads, (CASES / "trajectories.jsonl").read_text("utf-8").splitlines())}


def expecting(key):
    return [pytest.param(row["id"], row["expect"], id=row["id"]) for row in ROWS.values() if key in row["expect"]]


def opened(case):
    return load(CASES / case)


def only_task(bench):
    (task,) = bench
    return task


@pytest.mark.parametrize(("case", "expect"), expecting("errors"))
def test_broken_data_is_refused_with_every_fault(case, expect):
    with pytest.raises(DataError) as caught:
        opened(case)
    found = [
        {"line": fault.line, "code": fault.code}
        | ({"index": fault.index} if fault.index is not None else {})
        | ({"fields": sorted(fault.fields)} if fault.fields else {})
        for fault in caught.value.faults
    ]
    wanted = [error | ({"fields": sorted(error["fields"])} if "fields" in error else {}) for error in expect["errors"]]
    assert found == wanted


@pytest.mark.parametrize(("case", "expect"), expecting("warnings"))
def test_unusual_data_loads_with_its_warnings(case, expect):
    assert set(expect["warnings"]) <= {warning.code for warning in opened(case).check()}


@pytest.mark.parametrize(("case", "expect"), [p for p in expecting("load") if p.values[1]["load"] == "ok"])
def test_ordinary_data_loads_without_warning(case, expect):
    assert opened(case).check() == []


@pytest.mark.parametrize(("case", "expect"), expecting("n_trajectories"))
def test_no_task_is_lost(case, expect):
    assert len(opened(case)) == expect["n_trajectories"]


@pytest.mark.parametrize(("case", "expect"), expecting("n_steps"))
def test_no_step_is_lost(case, expect):
    assert len(only_task(opened(case)).trajectory.steps) == expect["n_steps"]


@pytest.mark.parametrize(("case", "expect"), expecting("images"))
def test_every_step_keeps_its_own_picture(case, expect):
    bench = opened(case)
    found = [shot.path.name if shot.path else None for shot in bench.screenshots(only_task(bench))]
    assert found == expect["images"]


def test_typed_text_keeps_every_character():
    task = only_task(opened("line-separator-in-string"))
    assert len(task.trajectory.steps[0].action.parameters["text"]) == 22
    lengths = [len(t.trajectory.steps[0].action.parameters["text"]) for t in opened("long-typed-text")]
    assert lengths == ROWS["long-typed-text"]["expect"]["typed_text_length"]


def test_steps_with_text_ids_stand_in_the_order_of_numbers():
    task = only_task(opened("string-ids"))
    assert [step.step_id for step in task.trajectory.steps] == [0, 9, 10]


def test_steps_that_share_an_id_keep_the_order_of_the_file():
    task = only_task(opened("dup-step-ids"))
    assert [s.action.type for s in task.trajectory.steps] == ROWS["dup-step-ids"]["expect"]["actions_in_order"]


def test_instructions_are_not_normalised():
    raw = json.loads((CASES / "unicode-rtl-emoji" / "trajectories.jsonl").read_text(encoding="utf-8"))
    task = only_task(opened("unicode-rtl-emoji"))
    digest = hashlib.sha256(raw["task"]["instruction"].encode()).digest()
    assert hashlib.sha256(task.instruction.encode()).digest() == digest


def test_mistake_types_of_label_files_become_the_three_names():
    labels = opened("labels-mistake-spelling").labels
    expect = ROWS["labels-mistake-spelling"]["expect"]
    assert [label.mistake_type for label in labels.values()] == expect["normalised"]
    assert sum(not label.is_positive for label in labels.values()) == expect["n_negatives"]


def test_pair_groups_of_any_size_are_kept():
    groups = opened("pair-groups-3-7-1").labels.pairs()
    expect = ROWS["pair-groups-3-7-1"]["expect"]
    assert sorted(group.size for group in groups) == expect["group_sizes"]
    assert sum(group.has_both_labels for group in groups) == expect["groups_with_both_labels"]
    assert sum(len(group.positives) for group in groups) == expect["n_positives"]
    assert sum(len(group.negatives) for group in groups) == expect["n_negatives"]


def test_other_operating_systems_are_kept():
    assert [task.trajectory.os for task in opened("version-and-os")] == ["linux", "Windows 11", None]


def test_a_path_that_climbs_out_is_never_opened():
    bench = opened("dotdot-path")
    (shot,) = bench.screenshots(only_task(bench))
    assert (CASES / "outside_canary.png").is_file()
    assert (shot.path, shot.fault) == (None, "unsafe_path")


def test_a_link_that_leads_out_of_the_data_is_never_opened(tmp_path):
    case = tmp_path / "case"
    (case / "media").mkdir(parents=True)
    (case / "media" / "step_1.png").symlink_to(CASES / "outside_canary.png")
    record = json.loads((CASES / "backslash-path" / "trajectories.jsonl").read_text())
    record["steps"][0]["screenshot"] = "media/step_1.png"
    (case / "trajectories.jsonl").write_text(json.dumps(record))
    bench = load(case)
    assert [warning.code for warning in bench.check()] == ["unsafe_path"]


DEEP = '{"a":' * 300 + "1" + "}" * 300


@pytest.mark.parametrize(
    ("file", "more"),
    [
        *((file, r'"\ud800": 1') for file in ("trajectories", "labels")),
        *((file, f'"more": {DEEP}') for file in ("trajectories", "labels")),
        *(("trajectories", f'"steps": [{{"step_id": 0, {more}}}]') for more in (r'"\udc00": 1', f'"z": {DEEP}')),
        ("trajectories", f'"steps": [{{"step_id": 0, "action": {{"type": "x", "parameters": {DEEP}}}}}]'),
        ("trajectories", r'"steps": [{"step_id": 0, "action": {"type": "x", "parameters": {"\ud800": 1}}}]'),
    ],
)
def test_what_no_record_can_hold_is_refused_with_its_line(file, more, tmp_path):
    lines = {
        "trajectories": '{"trajectory_id": "a", "task": {"instruction": "Save it"}, "steps": []}',
        "labels": '{"trajectory_id": "a", "label": "positive"}',
    }
    own = lines[file].removesuffix("}").removesuffix(', "steps": []' if '"steps"' in more else "")
    for name, line in (lines | {file: f"{own}, {more}}}"}).items():
        (tmp_path / f"{name}.jsonl").write_text(line + "\n")
    with pytest.raises(DataError) as caught:
        load(tmp_path)
    assert [(fault.code, fault.file, fault.line) for fault in caught.value.faults] == [("bad_json", f"{file}.jsonl", 1)]
