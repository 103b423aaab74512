"""`data import` as a user meets it: real processes, from a source to a data set that other commands take."""

import json
import os
import subprocess
import sys

import pytest

NATIVE_NAMES = ("screenagent", "pc_agent", "openadapt_flow", "openadapt_trace", "webvoyager", "online_mind2web")
DESCRIBED_NAMES = ("opencua", "osworld", "raw_deliveries", "agentsynth", "web_user_demo")


def run(*words, cwd=None):
    command = [sys.executable, "-m", "agenthorizon", *map(str, words)]
    return subprocess.run(command, cwd=cwd, env={**os.environ}, capture_output=True, text=True, check=False)


def test_the_list_names_every_format_with_a_line_about_it():
    listed = run("data", "import", "list").stdout.splitlines()
    assert sorted(line.split()[0] for line in listed) == sorted(NATIVE_NAMES + DESCRIBED_NAMES)
    assert all(len(line.split()) > 5 for line in listed)


def test_an_import_prints_its_counts_and_opens_like_any_data_set(recorded, tmp_path):
    done = run("data", "import", "screenagent", recorded / "native" / "screenagent", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "screenagent: 2 recordings, 6 steps, 4 actions, 4 screenshots",
        "  kept outside the schema: mouse_down 1, mouse_up 1",
        "  screenshots that are not there: missing_screenshot 1",
    ]
    assert "2 tasks" in run("tasks", tmp_path / "out").stdout


def test_the_same_seed_makes_the_same_files(recorded, tmp_path):
    for name in ("one", "two"):
        run("data", "import", "pc-agent", recorded / "native" / "pc-agent", "-o", tmp_path / name, "--seed", "s")
    for file in ("trajectories.jsonl", "sources.jsonl", "import.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_json_has_every_count_and_note(recorded, tmp_path):
    flow = recorded / "native" / "openadapt-flow"
    (tmp_path / "words.json").write_text('{"run": "Check the eligibility"}')
    words = ("--instructions", tmp_path / "words.json", "--json")
    done = run("data", "import", "openadapt_flow", flow, "-o", tmp_path / "out", *words)
    assert done.returncode == 1  # the recording has no instruction
    counts = json.loads(done.stdout)
    assert (counts["recordings"], counts["labels"]) == (1, {"negative": 1})
    assert len(counts["notes"]) == 1
    assert counts["notes"][0].startswith("recording no_instruction")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing", ".", "-o", "out"), "known: agentsynth"),
        (("osworld", "-o", "out"), "SOURCE"),
        (("osworld", "."), "-o"),
        (("osworld", "gone", "-o", "out"), "gone does not exist"),
        (("osworld", ".", "-o", "."), "not an empty folder"),
        (("osworld", ".", "-o", "out", "--instructions", "list.json"), "one JSON object of texts"),
        (("osworld", ".", "-o", "out", "--instructions", "gone.json"), "gone.json"),
    ],
)
def test_wrong_usage_is_told_and_leaves_nothing(tmp_path, words, said):
    (tmp_path / "list.json").write_text("[1]")
    done = run("data", "import", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["list.json"]


def test_a_source_without_any_recording_is_bad_input(tmp_path):
    done = run("data", "import", "osworld", tmp_path, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert done.stdout == "osworld: 0 recordings, 0 steps, 0 actions, 0 screenshots\n"
    assert "no recording of osworld could be taken" in done.stderr


def delivery(name, instruction, **notes):
    arguments = {"type": "typing", "function": {"arguments": {"text": name}}, "step_id": 0}
    process = [{"events": [{"tool_calls": [arguments]}]}]
    messages = [{"role": "user", "content": instruction}, {"role": "assistant", "reasoning": {"process": process}}]
    return {"deliverable_id": name, "messages": messages, "notes": notes}


def test_imported_deliveries_can_be_built_into_tasks(tmp_path):
    types = {"mistake_type_inst2_demo_1": "Critical Mistake", "mistake_type_inst1_demo_2": "Bad Side Effect"}
    found = [
        delivery("p", "Export the chart as PNG"),
        delivery("c", "Export the chart as PDF", paired_task_id="p", **types),
    ]
    (tmp_path / "delivery.json").write_text(json.dumps(found))
    run("data", "import", "raw_deliveries", "delivery.json", "-o", "imported", cwd=tmp_path)
    built = run("data", "build", "imported", "--pairs", "imported/pairs.jsonl", "-o", "mine", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    (labels,) = (tmp_path / "mine").glob("*.jsonl")
    told = [json.loads(line) for line in labels.read_text().splitlines()]
    assert sorted(label["label"] for label in told) == ["negative", "negative", "positive", "positive"]
    assert sorted(label["mistake_type"] for label in told if label["label"] == "negative") == sorted(types.values())


def test_hostile_names_do_not_reach_the_terminal_as_they_are(tmp_path):
    (tmp_path / "t.jsonl").write_text(json.dumps({"action": "x", "evil\x1b": 1}) + "\n")
    (tmp_path / "t\x1b[31m.jsonl").write_text('{"action": \n')
    (tmp_path / "t.md").write_text("**Description:** Do it\x1b[31m\n")
    done = run("data", "import", "pc_agent", tmp_path, "-o", tmp_path / "out")
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr
