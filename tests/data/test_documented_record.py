"""The record, label and verdict that docs/data.md shows are what the commands take, exactly as they stand there."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.task import KNOWN_ACTIONS

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text("utf-8")


def shown(name):
    (text,) = re.findall(rf"<!-- tested: {name} -->\n```json\n(.*?)```", PAGE, re.S)
    return json.loads(text)


@pytest.fixture
def folder(tmp_path):
    """A data set of the documented record and label."""
    record = shown("record")
    (tmp_path / "trajectories.jsonl").write_text(json.dumps(record) + "\n")
    (tmp_path / "labels.jsonl").write_text(json.dumps(shown("label")) + "\n")
    (tmp_path / "media").mkdir()
    for step in record["steps"]:
        if step.get("screenshot"):
            Image.effect_noise((1920, 1080), 20).convert("RGB").save(tmp_path / step["screenshot"])
    return tmp_path


def test_the_record_and_label_have_no_fault_and_nothing_unusual_but_that_they_are_alone(folder):
    done = CliRunner().invoke(app, ["data", "check", str(folder)])
    assert done.exit_code == 0, done.output
    bench = ah.load(str(folder))
    assert [warning.code for warning in bench.check()] == ["pair_group_size"]  # one record is no pair
    assert bench.labels[shown("record")["trajectory_id"]].mistake_type == "Critical Mistake"


def test_the_record_has_every_known_action_with_exactly_what_it_must_have():
    actions = [step["action"] for step in shown("record")["steps"] if step["action"]]
    assert {each["type"]: tuple(each["parameters"]) for each in actions} == dict(KNOWN_ACTIONS)


@pytest.mark.parametrize("form", ["folder", "file"])
def test_the_verdict_is_scored_against_the_label(folder, form):
    place = folder / ("verdicts" if form == "folder" else "verdicts.jsonl")
    if form == "folder":
        place.mkdir()
    verdict = shown("verdict")
    file = place / f"{verdict['trajectory_id']}.json" if form == "folder" else place
    file.write_text(json.dumps(verdict))
    words = ["score", "--results", str(place), "--labels", str(folder / "labels.jsonl"), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    [split] = json.loads(done.stdout)["runs"][0]["splits"].values()
    assert (split["tasks"], split["tnr"]["value"]) == (1, 1.0)
