"""`data audit` finds every planted leak, names it, and is silent about a data set built without one."""

import json
import os
import shutil

import pytest
from PIL import Image, PngImagePlugin
from typer.testing import CliRunner

from agenthorizon.cli.app import app
from agenthorizon.construction.audit import audit_data
from agenthorizon.construction.building import BuildPlan, build
from agenthorizon.construction.giveaways import giveaways
from agenthorizon.construction.records import read_records
from agenthorizon.construction.subjects import gather
from agenthorizon.dataset.pair_link import PairLink
from agenthorizon.dataset.splits import label_file_name
from agenthorizon.errors import DataError
from agenthorizon.source import load

PAIRS = 24
A_OWN, A_SWAP, B_OWN = (f"00000000-0000-4000-8000-0000000000{n}" for n in ("00", "01", "11"))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A data set of 24 pairs as `data build` makes it, without screenshots."""
    folder = tmp_path_factory.mktemp("sound")
    verbs = ("insert", "delete", "rename", "export")
    records = [
        {
            "trajectory_id": f"rec-{n}",
            "task": {"instruction": f"{verbs[n % 4]} item {n // 2}", "applications": ["Calc", "Writer"][: n % 2 + 1]},
            "environment": {"os": "linux", "screen_resolution": [100, 100]},
            "steps": [
                {"step_id": k, "action": {"type": "type", "parameters": {"text": "x" * (n % 5)}}, "timestamp_us": k}
                for k in range(1 + n % 3)
            ],
        }
        for n in range(2 * PAIRS)
    ]
    (folder / "recordings.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    links = tuple(PairLink(f"rec-{2 * n}", f"rec-{2 * n + 1}") for n in range(PAIRS))
    return build(BuildPlan(load(folder / "recordings.jsonl"), links), folder / "out").folder


@pytest.fixture
def copy(sound, tmp_path):
    shutil.copytree(sound, tmp_path / "copy")
    return tmp_path / "copy"


def labels_of(folder):
    return load(folder).labels.values()


def json_of(folder, task_id):
    return folder / "sandbox" / "data" / "jsons" / f"{task_id}.json"


def change_negatives(folder, change):
    for label in labels_of(folder):
        if not label.is_positive:
            path = json_of(folder, label.trajectory_id)
            record = json.loads(path.read_text())
            change(record)
            path.write_text(json.dumps(record))
            os.utime(path, (0, 0))


def codes(folder):
    return {leak.code for leak in audit_data(folder).leaks}


def test_a_set_built_without_a_leak_passes_and_every_guesser_is_reported(sound):
    report = audit_data(sound)
    assert report.leaks == ()
    assert (report.tasks, report.groups) == (4 * PAIRS, PAIRS)
    reached = {guess.view: guess.balanced_accuracy for guess in report.guesses}
    assert set(reached) == {
        "instruction alone",
        "action counts",
        "last frame",
        "order",
        "file times",
        "names",
        "fields",
        "picture texts",
    }
    assert reached["file times"] is reached["picture texts"] is None


def test_the_shipped_set_passes_and_says_what_the_instruction_alone_gives(demo):
    report = audit_data(demo)
    assert report.leaks == ()
    (guess,) = [guess for guess in report.guesses if guess.view == "instruction alone"]
    assert guess.interval.low < 0.5 < guess.interval.high


def test_files_of_negatives_written_later_leak(copy):
    for n, label in enumerate(labels_of(copy)):
        os.utime(
            json_of(copy, label.trajectory_id), (1_600_000_000 + n, 1_600_000_000 + n + 5000 * (not label.is_positive))
        )
    assert codes(copy) == {"guessed_from_file_times"}


def test_one_file_of_another_time_is_noted(copy):
    label = next(iter(labels_of(copy)))
    os.utime(json_of(copy, label.trajectory_id), (0, 0))
    notes = {note.code: note.file for note in audit_data(copy).notes}
    assert notes["file_time"] == f"{label.trajectory_id}.json"


def test_an_order_with_positives_first_leaks(copy):
    path = copy / label_file_name("evaluation")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(sorted(lines, key=lambda line: '"negative"' in line)))
    assert codes(copy) == {"guessed_from_order", "order_within_recordings"}


def test_an_order_with_the_positive_first_in_every_recording_leaks(copy):
    path = copy / label_file_name("evaluation")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    groups = sorted({label["pair_group_id"] for label in lines})
    shuffled = sorted(
        lines, key=lambda x: (groups.index(x["pair_group_id"]), x["original_id"], x["label"] != "positive")
    )
    path.write_text("".join(json.dumps(label) + "\n" for label in shuffled))
    assert "order_within_recordings" in codes(copy)


def test_an_order_of_alternating_classes_leaks(copy):
    path = copy / label_file_name("evaluation")
    lines = path.read_text().splitlines(keepends=True)
    classes = [[line for line in lines if ('"negative"' in line) == kind] for kind in (False, True)]
    path.write_text("".join(line for both in zip(*classes, strict=True) for line in both))
    assert codes(copy) == {"guessed_from_order"}


def test_a_field_that_only_negatives_have_leaks(copy):
    change_negatives(copy, lambda record: record["task"].update(batch="7"))
    assert "guessed_from_fields" in codes(copy)


def test_a_field_with_other_values_in_negatives_leaks(copy):
    for label in labels_of(copy):
        path = json_of(copy, label.trajectory_id)
        record = json.loads(path.read_text())
        record["version"] = "1.1" if label.is_positive else "1.0"
        path.write_text(json.dumps(record))
        os.utime(path, (0, 0))
    assert codes(copy) == {"guessed_from_fields"}


def test_a_turn_of_phrase_that_only_negatives_have_leaks(copy):
    change_negatives(copy, lambda record: record["task"].update(instruction=record["task"]["instruction"] + ", kindly"))
    assert "guessed_from_instruction_alone" in codes(copy)


def test_more_actions_in_negatives_leak(copy):
    change_negatives(copy, lambda record: record["steps"].extend(record["steps"] * 4))
    assert "guessed_from_action_counts" in codes(copy)


def test_folders_of_another_name_for_negatives_leak_by_the_name_and_by_guessing(copy):
    change_negatives(
        copy, lambda record: record["steps"][0].update(screenshot="data/media/images/neg_batch/step_1.png")
    )
    picture = copy / "sandbox/data/media/images/neg_batch/step_1.png"
    picture.parent.mkdir(parents=True)
    Image.new("RGB", (100, 100)).save(picture)
    assert {"answer_in_name", "guessed_from_names"} <= codes(copy)


def test_an_answer_field_in_a_record_leaks(copy):
    label = next(iter(labels_of(copy)))
    path = json_of(copy, label.trajectory_id)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"pair_group_id": "x"}))
    assert "label_leak" in codes(copy)


def test_a_set_that_is_broken_otherwise_is_refused(copy):
    label = next(iter(labels_of(copy)))
    json_of(copy, label.trajectory_id).write_text("{")
    with pytest.raises(DataError, match="data check"):
        audit_data(copy)


def rename_folder(release, name):
    old = release.picture(0, 1).parent
    old.rename(old.with_name(name))
    for task in (A_OWN, "00000000-0000-4000-8000-000000000010"):
        release.change(
            task, lambda record: [s.update(screenshot=s["screenshot"].replace(old.name, name)) for s in record["steps"]]
        )


def write_text(release, key, value):
    text = PngImagePlugin.PngInfo()
    text.add_text(key, value)
    path = release.picture(0, 2)
    Image.open(path).save(path, pnginfo=text)


def own_id(record):
    record["source"] = {"name": "recorder", "original_file": "recording-00017.mp4"}


def long_ids(labels):
    for label in labels:
        label["original_id"] = {"r0": "recording-00017", "r1": "recording-00018"}[label["original_id"]]
        label["paired_id"] = {"r0": "recording-00017", "r1": "recording-00018"}[label["paired_id"]]


WORDED = {
    "a folder that says the answer": ("answer_in_name", lambda r: rename_folder(r, "failed-runs")),
    "a folder that names the recording": (
        "recording_in_name",
        lambda r: (rename_folder(r, "recording-00017"), r.relabel(long_ids)),
    ),
    "a PNG text chunk that says the answer": ("answer_in_picture", lambda r: write_text(r, "label", "negative")),
    "a PNG text chunk that says the instruction": (
        "answer_in_picture",
        lambda r: write_text(r, "Description", "Recorded for: Add a row."),
    ),
    "an instruction that says its label": (
        "answer_in_instruction",
        lambda r: r.change(A_SWAP, lambda t: t["task"].update(instruction="Add a row (negative)")),
    ),
    "an instruction that says its mistake type": (
        "answer_in_instruction",
        lambda r: r.change(A_SWAP, lambda t: t["task"].update(instruction="Add a row, critical mistake")),
    ),
    "a thought that says the answer": (
        "answer_in_field",
        lambda r: r.change(A_SWAP, lambda t: t["steps"][0].update(thought="This is wrong on purpose")),
    ),
    "a field name that says the answer": (
        "answer_in_field",
        lambda r: r.change(A_SWAP, lambda t: t.update(review={"swapped": 1})),
    ),
    "a field that names the recording": (
        "recording_in_field",
        lambda r: (r.change(A_OWN, own_id), r.relabel(long_ids)),
    ),
}


def said(folder):
    bench = load(folder)
    return {leak.code for leak in giveaways(gather(bench, read_records(bench)))}


@pytest.mark.parametrize("what", WORDED)
def test_a_planted_word_is_found_in(release, what):
    code, plant = WORDED[what]
    assert said(release.root) == set()
    plant(release)
    assert code in said(release.root)


def test_a_word_of_the_work_itself_is_no_leak(release):
    """Both labels stand with the same instruction, so its words tell nothing."""
    for task in (A_OWN, A_SWAP):
        release.change(task, lambda record: record["task"].update(instruction="Make negative numbers positive"))
    assert said(release.root) == set()


def test_a_harmless_text_in_a_screenshot_is_noted(release):
    write_text(release, "Software", "gnome-screenshot")
    report = audit_data(release.root)
    assert report.leaks == ()
    assert "picture_texts" in {note.code for note in report.notes}


def test_recordings_under_two_instructions_are_noted(release):
    (note,) = [note for note in audit_data(release.root).notes if note.code == "same_recording"]
    assert note.detail.startswith("4 recordings are shown under two instructions or more, in 8 tasks")


def test_guessers_never_see_a_pair_group_they_are_asked_about(copy):
    """Each group's own secret sign, on all its positives, would be learned if its tasks were on both sides."""
    for label in labels_of(copy):
        if label.is_positive:
            path = json_of(copy, label.trajectory_id)
            record = json.loads(path.read_text())
            record["task"]["instruction"] += f" sign{label.pair_group_id[:8]}"
            path.write_text(json.dumps(record))
    (guess,) = [guess for guess in audit_data(copy).guesses if guess.view == "instruction alone"]
    assert not guess.leaks


def test_a_set_without_labels_is_refused(copy):
    (copy / label_file_name("evaluation")).unlink()
    (copy / "manifest.json").unlink()
    with pytest.raises(DataError, match="no label file"):
        audit_data(copy)


def test_an_answer_among_the_parameters_of_an_action_leaks_and_is_named(copy):
    change_negatives(copy, lambda record: record["steps"][0]["action"]["parameters"].update(success=False))
    leaks = [leak for leak in audit_data(copy).leaks if leak.code == "answer_in_action"]
    assert len(leaks) == sum(not label.is_positive for label in labels_of(copy))
    assert {leak.fields for leak in leaks} == {("parameters.success",)}


def test_an_answer_beside_the_type_of_an_action_leaks_and_is_named(copy):
    change_negatives(copy, lambda record: record["steps"][0]["action"].update(label="negative"))
    assert {leak.fields for leak in audit_data(copy).leaks if leak.code == "answer_in_action"} == {("label",)}


def test_a_data_set_too_small_to_guess_from_is_not_called_free_of_leaks(sound, tmp_path):
    """Two tasks of one pair group: no guesser can be trained on other groups than the one it guesses."""
    (file,) = sound.glob("*.jsonl")
    lines = file.read_text().splitlines()
    group = json.loads(lines[0])["pair_group_id"]
    few = [line for line in lines if json.loads(line)["pair_group_id"] == group]
    (tmp_path / "few.jsonl").write_text("\n".join(few) + "\n")
    done = CliRunner().invoke(app, ["data", "audit", str(sound), "--labels", str(tmp_path / "few.jsonl")])
    assert done.exit_code == 0, done.output
    assert f"{len(few)} tasks in 1 pair group: nothing in words gives an answer away" in done.stdout
    assert "not testable (two pair groups" in done.stdout
    assert "0 leaks" not in done.stdout
    told = json.loads(
        CliRunner().invoke(app, ["data", "audit", str(sound), "--labels", str(tmp_path / "few.jsonl"), "--json"]).stdout
    )
    assert told["testable"] is False
    assert {guess["why_not"] for guess in told["guesses"]} == {"not testable"}
    assert "leaks" in CliRunner().invoke(app, ["data", "audit", str(sound)]).stdout.splitlines()[-1]
