"""A data set and runs made to be hostile: markup and script wherever a text can stand."""

import json
from pathlib import Path

import pytest
from PIL import Image

from agenthorizon.outcome import Outcome
from agenthorizon.running.run_folder import RunFolder

HOSTILE = (
    '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2">\'"`${1}&lt;\u2028\u2029\\u003c'
)
"""Ends a script element and a literal, breaks a line of JavaScript, and is HTML in two ways."""


def record(task_id, instruction, picture):
    actions = [
        {"type": "click", "parameters": {"x": 30, "y": 60, "button": HOSTILE, "num_clicks": 2}},
        {"type": "type", "parameters": {"text": HOSTILE}},
        {"type": HOSTILE, "parameters": {"x": 5, "y": 6, "__proto__": {"x": HOSTILE}}},
        {"type": "drag", "parameters": {"start_x": 10, "start_y": 20, "end_x": 100, "end_y": 80}},
    ]
    return {
        "version": "1.0",
        "trajectory_id": task_id,
        "task": {"instruction": instruction, "applications": [HOSTILE]},
        "environment": {"os": HOSTILE, "screen_resolution": None},
        "steps": [{"step_id": n, "screenshot": picture, "action": action} for n, action in enumerate(actions)],
    }


@pytest.fixture(scope="session")
def hostile_data(tmp_path_factory) -> Path:
    """A folder with two tasks of one recording: `own` is positive, `swapped` negative."""
    folder = tmp_path_factory.mktemp("hostile")
    picture = "images/<img src=x onerror=alert(1)>'\"&.png"
    (folder / "images").mkdir()
    Image.new("RGB", (200, 100), "navy").save(folder / picture)
    records = [record("own", f"Do A {HOSTILE}", picture), record("swapped", f"Do B {HOSTILE}", picture)]
    (folder / "trajectories.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    labels = [
        {"trajectory_id": "own", "label": "positive", "pair_group_id": HOSTILE},
        {"trajectory_id": "swapped", "label": "negative", "pair_group_id": HOSTILE, "mistake_type": "Critical Mistake"},
    ]
    (folder / "labels.jsonl").write_text("".join(json.dumps(one) + "\n" for one in labels))
    return folder


def write_run(path, bench, judge, outcomes):
    """Write a run folder over a data set; `outcomes` are (outcome, raw text or None)."""
    config = {
        "data": {"name": bench.name, "form": bench.form, "fingerprint": bench.fingerprint},
        "judge": {"name": judge, "settings": {"weird": HOSTILE}},
        "prompt": {},
        "evidence": {},
        "reask": 0,
        "protocol": HOSTILE,
        "location": bench.location,
        "asked": sorted(bench.select()),
    }
    with RunFolder(path, config) as folder:
        for outcome, text in outcomes:
            folder.append(outcome, None if text is None else {"text": text})
    return path


@pytest.fixture(scope="session")
def hostile_text():
    """What stands wherever a text can."""
    return HOSTILE


@pytest.fixture(scope="session")
def run_writer():
    """The function that writes a run folder over a data set."""
    return write_run


@pytest.fixture(scope="session")
def hostile_run(hostile_data, tmp_path_factory) -> Path:
    """A run whose judge accepts the negative task with markup for reasons, and whose other reply was markup alone."""
    from agenthorizon.source import load

    verdict = {"success": True, "reasoning": HOSTILE, "confidence": "high", "mistake_type": None}
    error = {"class": HOSTILE, "message": HOSTILE, "passing": False}
    outcomes = [
        (
            Outcome(task_id="swapped", status="verdict", verdict=verdict, telemetry={"cost": 0.25, "model": HOSTILE}),
            None,
        ),
        (Outcome(task_id="own", status="malformed", error=error), HOSTILE),
    ]
    return write_run(tmp_path_factory.mktemp("runs") / "run", load(hostile_data), HOSTILE, outcomes)
