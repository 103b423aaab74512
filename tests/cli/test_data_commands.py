"""`data build`, `data check` and `data audit` as a user meets them: output, files, exit codes."""

import json
import os
import re
import subprocess
import sys

import pytest
from PIL import Image

COMMAND = [sys.executable, "-m", "agenthorizon", "data"]
ESCAPE = "\x1b[31m"


def run(*words):
    env = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run([*COMMAND, *map(str, words)], env=env, capture_output=True, text=True, check=False)


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def recordings(tmp_path):
    """Four recordings with a screenshot each, in a folder, and the file of their two pairs."""
    for n in range(4):
        Image.new("RGB", (40, 30), (n, 0, 0)).save(tmp_path / f"{n}.png")
    records = [
        {
            "trajectory_id": f"rec-{n}",
            "task": {"instruction": f"press key {n}"},
            "environment": {"os": "linux", "screen_resolution": [40, 30]},
            "steps": [
                {
                    "step_id": 0,
                    "screenshot": f"{n}.png",
                    "action": {"type": "press", "parameters": {"keys": [str(n)]}},
                    "timestamp_us": 0,
                }
            ],
        }
        for n in range(4)
    ]
    pairs = [{"parent": f"rec-{n}", "child": f"rec-{n + 1}"} for n in (0, 2)]
    lines(tmp_path / "pairs.jsonl", pairs)
    return lines(tmp_path / "recordings.jsonl", records)


def build(recordings, *words):
    return run("build", recordings, "--pairs", recordings.with_name("pairs.jsonl"), *words)


def test_build_prints_the_table_and_the_folder_which_check_finds_sound(recordings, tmp_path):
    review = lines(tmp_path / "review.jsonl", [{"recording": "rec-0", "decision": "drop", "severity": 3}])
    built = build(recordings, "--review", review, "--split", "AH-D=4", "-o", tmp_path / "mine")
    assert built.returncode == 0, built.stderr
    assert re.search(r"positives in review +1 +of 4 +1 of severity 3\n", built.stdout)
    assert built.stdout.splitlines()[-1] == str(tmp_path / "mine")
    labels = (tmp_path / "mine" / "AgentHorizon-Development.jsonl").read_text().splitlines()
    assert len(labels) == 4
    checked = run("check", tmp_path / "mine")
    assert checked.returncode == 0
    assert "7 tasks, 7 steps, 4 screenshot files decoded" in checked.stdout


@pytest.mark.parametrize(
    "words", [["AH-D"], ["AH-D=x"], ["AH-D=4", "--split", "AH-D=2"], ["../up=4"], ["evaluation=4"]]
)
def test_a_split_that_is_no_name_and_number_is_bad_usage(recordings, tmp_path, words):
    refused = build(recordings, "--split", *words, "-o", tmp_path / "mine")
    assert refused.returncode == 2
    assert "NAME=N" in refused.stderr
    assert not (tmp_path / "mine").exists()


def test_identical_instructions_are_bad_input_until_one_says_drop(recordings, tmp_path):
    rows = [json.loads(line) for line in recordings.read_text().splitlines()]
    rows[1]["task"]["instruction"] = "Press key 0."
    lines(recordings, rows)
    refused = build(recordings, "-o", tmp_path / "mine")
    assert (refused.returncode, "rec-0 and rec-1" in refused.stderr) == (2, True)
    built = build(recordings, "--identical", "drop", "-o", tmp_path / "mine")
    assert re.search(r"identical instructions +4 +of 8 +1 pairs\n", built.stdout)


def test_check_exits_1_for_faults_names_them_and_prints_no_control_codes(recordings, tmp_path):
    build(recordings, "-o", tmp_path / "mine")
    path = next((tmp_path / "mine" / "sandbox" / "data" / "jsons").iterdir())
    record = json.loads(path.read_text())
    record["steps"][0]["screenshot"] = f"{ESCAPE}gone.png"
    path.write_text(json.dumps(record))
    checked = run("check", tmp_path / "mine")
    assert checked.returncode == 1
    assert f"fault: sandbox/data/jsons/{path.name} step 0 missing_screenshot" in checked.stdout
    assert "\x1b" not in checked.stdout
    found = json.loads(run("check", tmp_path / "mine", "--json").stdout)
    assert "missing_screenshot" in {fault["code"] for fault in found["faults"]}


def test_a_name_in_the_data_cannot_write_a_line_of_the_report(recordings, tmp_path):
    build(recordings, "--split", "AH-D=4", "-o", tmp_path / "mine")
    for name in ("AgentHorizon-Development.jsonl", "evaluation.jsonl"):
        path = tmp_path / "mine" / name
        rows = [json.loads(line) | {"pair_group_id": "g\n0 faults, 0 notes"} for line in path.read_text().splitlines()]
        lines(path, rows)
    checked = run("check", tmp_path / "mine")
    assert "split_group_shared" in checked.stdout
    assert "0 faults, 0 notes" not in checked.stdout.splitlines()


def test_notes_do_not_fail_a_check_unless_strict_and_ignored_kinds_never_do(recordings, tmp_path):
    build(recordings, "-o", tmp_path / "mine")
    assert run("check", tmp_path / "mine").returncode == 0
    assert run("check", tmp_path / "mine", "--strict").returncode == 1
    assert run("check", tmp_path / "mine", "--strict", "--ignore", "untyped_negative").returncode == 0


def test_what_is_no_data_set_is_bad_input(tmp_path):
    for command in ("check", "audit"):
        refused = run(command, tmp_path)
        assert (refused.returncode, refused.stdout) == (2, "")


def test_audit_exits_1_for_a_leak_and_0_without(recordings, tmp_path):
    build(recordings, "-o", tmp_path / "mine")
    passed = run("audit", tmp_path / "mine")
    assert passed.returncode == 0, passed.stdout
    assert "instruction alone" in passed.stdout
    path = next((tmp_path / "mine" / "sandbox" / "data" / "jsons").iterdir())
    path.write_text(json.dumps(json.loads(path.read_text()) | {"review": "this one is a failed run"}))
    leaky = run("audit", tmp_path / "mine")
    assert leaky.returncode == 1
    assert f"leak: sandbox/data/jsons/{path.name} answer_in_field" in leaky.stdout
    found = json.loads(run("audit", tmp_path / "mine", "--json", "--ignore", "answer_in_field").stdout)
    assert found["leaks"] == []
    assert {guess["view"] for guess in found["guesses"]} >= {"instruction alone", "action counts", "last frame"}


def delivery(name, instruction, **notes):
    calls = [
        {
            "type": "click",
            "function": {"arguments": {"x": 5, "y": 6, "text": "left-click", "numClicks": 1}},
            "image": {"url": f"https://example.org/{name}/0.png"},
            "step_id": 0,
            "timestamp_microsecs": "0",
        }
    ]
    return {
        "deliverable_id": name,
        "messages": [
            {"role": "user", "content": instruction},
            {"role": "assistant", "content": "", "reasoning": {"process": [{"events": [{"tool_calls": calls}]}]}},
        ],
        "notes": {"os": "ubuntu", "application_names": ["GIMP"], **notes},
    }


def test_a_raw_delivery_becomes_a_sound_data_set_in_three_commands(tmp_path):
    types = {"mistake_type_inst2_demo_1": "Critical Mistake", "mistake_type_inst1_demo_2": "Bad Side Effect"}
    (tmp_path / "raw").mkdir()
    delivered = [delivery("d1", "Open the file"), delivery("d2", "Close the file", paired_task_id="d1", **types)]
    (tmp_path / "raw" / "delivery.json").write_text(json.dumps(delivered))
    for name in ("d1", "d2"):
        picture = tmp_path / "raw" / "images" / name / "step_0.png"
        picture.parent.mkdir(parents=True)
        Image.new("RGB", (40, 30), (0, int(name[1]), 0)).save(picture)
    assert run("import", "raw_deliveries", tmp_path / "raw", "-o", tmp_path / "imported").returncode == 0
    pairs = tmp_path / "imported" / "pairs.jsonl"
    built = run("build", tmp_path / "imported", "--pairs", pairs, "-o", tmp_path / "mine")
    assert built.returncode == 0, built.stderr
    assert run("check", tmp_path / "mine", "--strict").returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "mine" / "evaluation.jsonl").read_text().splitlines()]
    read = {
        row["trajectory_id"]: json.loads(next((tmp_path / "mine").rglob(f"{row['trajectory_id']}.json")).read_text())
        for row in rows
    }
    said = {(read[row["trajectory_id"]]["task"]["instruction"], row["label"], row.get("mistake_type")) for row in rows}
    assert said == {
        ("Open the file", "positive", None),
        ("Close the file", "positive", None),
        ("Open the file", "negative", "Critical Mistake"),
        ("Close the file", "negative", "Bad Side Effect"),
    }


def test_audit_shows_every_finding_of_a_code_if_asked(tmp_path):
    step = {"step_id": 0, "screenshot": None, "action": {"type": "wait", "parameters": {"duration_s": 1}}}
    screen = {"version": "1.0", "environment": {"os": "linux", "screen_resolution": [8, 8]}, "steps": [step]}
    names = [f"t{n:02d}" for n in range(26)]
    tasks = [{"trajectory_id": name, "task": {"instruction": f"Do {name}."}, "review": "failed run"} for name in names]
    del tasks[-1]["review"]  # what all of them say tells nothing
    lines(tmp_path / "trajectories.jsonl", [screen | task for task in tasks])
    answers = [{"trajectory_id": name, "label": "negative" if n % 2 else "positive"} for n, name in enumerate(names)]
    lines(tmp_path / "labels.jsonl", answers)
    short, whole = run("audit", tmp_path).stdout, run("audit", tmp_path, "--all").stdout
    assert "leak: … and 5 more of answer_in_field (--all shows them)" in short
    assert [text.count(" answer_in_field:") for text in (short, whole)] == [20, 25]
    assert "--all" not in whole
