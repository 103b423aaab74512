"""From recordings, pairs and review to a release folder."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image, PngImagePlugin

from agenthorizon.construction.building import BuildPlan, build
from agenthorizon.construction.candidates import make_candidates
from agenthorizon.construction.checks import check_data
from agenthorizon.construction.links import components, read_links
from agenthorizon.construction.release_writer import FILE_TIME
from agenthorizon.construction.review import Decision, apply_review, read_review
from agenthorizon.dataset.pair_link import CHILD_SHOWN, PARENT_SHOWN, PairLink
from agenthorizon.errors import DataError, UsageError
from agenthorizon.evidence.images import read
from agenthorizon.source import load

TYPES = {CHILD_SHOWN: "Critical Mistake", PARENT_SHOWN: "Bad Side Effect"}
PAIR = {"a": "do this", "b": "do that"}


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def combinations(candidates):
    return {(each.instruction_of, each.recording, each.is_positive) for each in candidates}


def test_a_pair_makes_both_positives_and_both_swaps_each_with_its_own_type():
    made = make_candidates(PAIR, [PairLink("a", "b", TYPES)])
    assert combinations(made.all) == {("a", "a", True), ("b", "b", True), ("a", "b", False), ("b", "a", False)}
    types = {(each.instruction_of, each.recording): (each.direction, each.mistake_type) for each in made.all}
    assert types["a", "b"] == (CHILD_SHOWN, "Critical Mistake")
    assert types["b", "a"] == (PARENT_SHOWN, "Bad Side Effect")


def test_a_parent_with_two_children_makes_three_positives_and_four_negatives_in_one_group():
    made = make_candidates({**PAIR, "c": "do more"}, [PairLink("a", "b"), PairLink("a", "c")])
    assert Counter(each.is_positive for each in made.all) == {True: 3, False: 4}
    assert {each.group for each in made.all} == {"a"}
    assert ("b", "c", False) not in combinations(made.all)


def test_a_lone_recording_is_a_positive_in_a_group_of_its_own():
    made = make_candidates({**PAIR, "c": "do more"}, [PairLink("a", "b")])
    assert [(each.recording, each.group, each.paired) for each in made.all if each.group == "c"] == [("c", "c", None)]


def test_groups_are_the_connected_components_however_links_are_ordered():
    links = [PairLink("d", "e"), PairLink("c", "b"), PairLink("b", "a")]
    assert components("abcdef", links) == {"a": "a", "b": "a", "c": "a", "d": "d", "e": "d", "f": "f"}


def test_identical_instructions_are_refused_and_named():
    with pytest.raises(DataError, match="a and b"):
        make_candidates({"a": "Do this.", "b": "do  this"}, [PairLink("a", "b")])


def test_identical_instructions_are_dropped_with_both_positives_and_leave_other_pairs_swaps():
    instructions = {"a": "do this", "b": "do this", "c": "do more"}
    made = make_candidates(instructions, [PairLink("a", "b"), PairLink("b", "c")], identical="drop")
    assert combinations(made.kept) == {("c", "c", True), ("b", "c", False), ("c", "b", False)}
    assert (made.identical_pairs, len(made.all)) == (1, 7)


def test_a_dropped_positive_leaves_both_its_swaps_and_nothing_changes_its_label():
    candidates = make_candidates(PAIR, [PairLink("a", "b")]).kept
    reviewed = apply_review(candidates, {"a": Decision(True, 4), "b": Decision(False, 1)})
    assert combinations(reviewed.tasks) == {("b", "b", True), ("a", "b", False), ("b", "a", False)}
    assert reviewed.severities == {4: 1}


def test_severity_decides_where_a_line_has_no_decision(tmp_path):
    rows = [
        {"recording": "a", "severity": 3},
        {"recording": "b", "severity": 2},
        {"recording": "c", "decision": "keep", "severity": 4},
    ]
    found = read_review(lines(tmp_path / "review.jsonl", *rows), "abc", drop_from=3)
    assert {name: decision.is_dropped for name, decision in found.items()} == {"a": True, "b": False, "c": False}


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"recording": "z", "decision": "drop"}, "unknown_recording"),
        ({"recording": "a", "decision": "negative"}, "bad_decision"),
        ({"recording": "a", "decision": "drop", "severity": 5}, "bad_severity"),
        ({"recording": "a", "decision": "drop", "severity": True}, "bad_severity"),
        ({"recording": "a", "instruction_of": "b", "decision": "drop"}, "review_of_negative"),
        ({"recording": "a", "severity": 4}, "no_decision"),
        ({"recording": "a"}, "no_decision"),
        (["a"], "not_an_object"),
    ],
)
def test_a_review_that_says_something_else_is_refused_with_its_line(tmp_path, row, code):
    path = lines(tmp_path / "review.jsonl", {"recording": "b", "decision": "keep"}, row)
    with pytest.raises(DataError) as caught:
        read_review(path, "ab")
    assert [(fault.line, fault.code) for fault in caught.value.faults] == [(2, code)]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"parent": "a", "child": "z"}, "unknown_recording"),
        ({"parent": "a"}, "unknown_recording"),
        ({"parent": "a", "child": "a"}, "paired_with_itself"),
        ({"parent": "b", "child": "a"}, "duplicate_pair"),
        ({"parent": "a", "child": "c", "mistake_types": {"a_to_c": "Critical Mistake"}}, "bad_direction"),
        ({"parent": "a", "child": "c", "mistake_types": {CHILD_SHOWN: "Critical Misteak"}}, "unknown_mistake_type"),
    ],
)
def test_a_link_that_is_none_is_refused_with_its_line(tmp_path, row, code):
    path = lines(tmp_path / "pairs.jsonl", {"parent": "a", "child": "b"}, row)
    with pytest.raises(DataError) as caught:
        read_links(path, "abc")
    assert [(fault.line, fault.code) for fault in caught.value.faults] == [(2, code)]


@pytest.fixture
def recordings(tmp_path):
    """Two recordings with all that could tell what they were made for, one PNG with a text inside."""
    folder = tmp_path / "recorded"
    folder.mkdir()
    for name in PAIR:
        text = PngImagePlugin.PngInfo()
        text.add_text("Comment", f"recorded for {PAIR[name]}")
        for number in (1, 2):
            Image.new("RGB", (60, 40), (number * 50, ord(name), 0)).save(folder / f"{name}{number}.png", pnginfo=text)
    records = [
        {
            "version": "1.0",
            "trajectory_id": name,
            "source": {"name": "recorder", "original_file": f"{name}.mp4"},
            "task": {
                "instruction": instruction,
                "persona": "a clerk",
                "category": "General",
                "applications": ["Editor"],
            },
            "environment": {"os": "linux", "screen_resolution": [60, 40]},
            "milestones": [{"step_id": 0, "description": instruction}],
            "steps": [
                {
                    "step_id": n,
                    "screenshot": f"{name}{min(n + 1, 2)}.png",
                    "action": {"type": "long_press", "parameters": {"x": n, "y": 1}},
                    "thought": f"I must {instruction}",
                    "action_description": instruction,
                    "timestamp_us": n,
                }
                for n in range(3)
            ],
        }
        for name, instruction in PAIR.items()
    ]
    return load(lines(folder / "trajectories.jsonl", *records))


@pytest.fixture
def built(recordings, tmp_path):
    return build(BuildPlan(recordings, (PairLink("a", "b", TYPES),), seed=4, name="mine"), tmp_path / "out")


def test_a_swapped_task_has_the_others_instruction_and_the_same_steps_and_pictures(built):
    bench = load(built.folder)
    by_kind = {(bench[i].instruction, label.original_id): bench[i] for i, label in bench.labels.items()}
    assert set(by_kind) == {("do this", "a"), ("do that", "a"), ("do this", "b"), ("do that", "b")}
    assert by_kind["do this", "a"].trajectory == by_kind["do that", "a"].trajectory
    assert [label.is_positive for label in bench.labels.values()].count(True) == 2
    assert by_kind["do this", "b"].trajectory.steps[0].action.type == "long_press"


def test_steps_that_shared_a_file_share_it_still(built):
    bench = load(built.folder)
    task = next(iter(bench))
    names = [Path(step.screenshot).name for step in task.trajectory.steps]
    assert names == ["step_1.png", "step_2.png", "step_2.png"]


def test_no_file_a_judge_could_see_says_what_was_recorded_for_what(built):
    sandbox = built.folder / "sandbox"
    files = [path for path in sandbox.rglob("*") if path.is_file()]
    for path in files:
        content = path.read_bytes()
        assert b"recorded for" not in content
        assert b"I must" not in content
        assert b"clerk" not in content
        assert b".mp4" not in content
        task = [text for text in (b"do this", b"do that") if text in content]
        assert len(task) == (0 if path.suffix == ".png" else 1)
    assert {path.stat().st_mtime for path in files} == {FILE_TIME}


def test_pictures_keep_their_pixels(built, recordings):
    bench = load(built.folder)
    for task_id, label in bench.labels.items():
        own = [shot.path for shot in recordings.screenshots(recordings[label.original_id])]
        for shot, recorded in zip(bench.screenshots(bench[task_id]), own, strict=True):
            assert read(shot.path).tobytes() == read(recorded).tobytes()


def test_a_built_set_checks_without_a_fault_and_states_its_fingerprints(built):
    assert check_data(built.folder).faults == ()
    stated = json.loads((built.folder / "manifest.json").read_text())
    assert stated["records_sha256"] == load(built.folder).fingerprint
    assert stated["screenshots"]["files"] == 4
    assert stated["splits"]["evaluation"]["tasks"] == 4


def test_the_same_seed_builds_the_same_bytes_and_another_other_ids(recordings, built, tmp_path):
    plan = BuildPlan(recordings, (PairLink("a", "b", TYPES),), seed=4, name="mine")
    again = build(plan, tmp_path / "again")
    files = {path.relative_to(built.folder): path.read_bytes() for path in built.folder.rglob("*") if path.is_file()}
    assert files == {
        path.relative_to(again.folder): path.read_bytes() for path in again.folder.rglob("*") if path.is_file()
    }
    other = build(BuildPlan(recordings, (PairLink("a", "b", TYPES),), seed=5), tmp_path / "other")
    assert set(load(other.folder).labels).isdisjoint(load(built.folder).labels)


def test_ids_say_nothing_and_stand_in_their_own_order(built):
    labels = load(built.folder).labels
    assert list(labels) == sorted(labels)
    task_files = [path.name for path in (built.folder / "sandbox").rglob("*")]
    assert not [name for name in task_files if name.startswith(("a1", "b1"))]


def test_a_recording_that_its_source_labels_negative_is_not_built_from(recordings, tmp_path):
    label = {"trajectory_id": "b", "label": "negative"}
    lines(recordings.root / "labels.jsonl", {"trajectory_id": "a", "label": "positive"}, label)
    labelled = load(recordings.root)
    built = build(BuildPlan(labelled, ()), tmp_path / "out")
    assert [task.instruction for task in load(built.folder)] == ["do this"]
    with pytest.raises(DataError, match="pair_of_a_failure"):
        build(BuildPlan(labelled, (PairLink("a", "b"),)), tmp_path / "paired")


def test_a_folder_that_holds_something_is_refused(recordings, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("keep me")
    with pytest.raises(UsageError, match="not an empty folder"):
        build(BuildPlan(recordings, ()), tmp_path / "out")


def test_a_build_that_fails_midway_leaves_nothing_behind(recordings, tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(BuildPlan(recordings, ()), tmp_path / "out", interrupted)
    assert [path.name for path in tmp_path.iterdir()] == ["recorded"]


def test_recordings_that_lack_a_screenshot_are_refused_before_anything_is_written(recordings, tmp_path):
    (recordings.root / "b2.png").unlink()
    with pytest.raises(DataError, match="missing_screenshot"):
        build(BuildPlan(recordings, ()), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_shipped_recordings_build_into_the_tasks_they_were_shipped_as(demo, tmp_path):
    """Take the demo's positives as recordings and its label files' links."""
    shipped = load(demo)
    own = {label.original_id: task_id for task_id, label in shipped.labels.items() if label.is_positive}
    records = [shipped[task_id].to_record() for task_id in own.values()]
    shutil.copytree(demo / "sandbox" / "data" / "media", tmp_path / "sandbox" / "data" / "media")
    ends = {tuple(sorted((x.original_id, x.paired_id))) for x in shipped.labels.values() if x.paired_id}
    pairs = [pair for pair in ends if own.keys() >= set(pair)]
    rows = [{"parent": own[first], "child": own[second]} for first, second in sorted(pairs)]
    links = read_links(lines(tmp_path / "pairs.jsonl", *rows), own.values())
    recordings = load(lines(tmp_path / "trajectories.jsonl", *records))
    built = load(build(BuildPlan(recordings, links), tmp_path / "out").folder)
    found = {(built[i].instruction, label.original_id, label.label) for i, label in built.labels.items()}
    wanted = {
        (shipped[i].instruction, own[label.original_id], label.label)
        for i, label in shipped.labels.items()
        if label.is_positive or {label.original_id, label.paired_id} <= own.keys()
    }
    assert len(links) >= 5
    assert wanted <= found
    assert check_data(built.root).faults == ()
