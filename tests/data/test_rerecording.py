"""A pair of the desktop set is recorded anew, in a real application on a virtual display, and comes out the same."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAIR = "mousepad_line_endings"

pytestmark = pytest.mark.outside  # needs Xvfb, Openbox, xdotool, wmctrl, xsetroot and Mousepad


@pytest.fixture(scope="module")
def home(home_folder):
    with home_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def kept(home, tmp_path_factory):
    """The folder of a new recording of the pair."""
    folder = tmp_path_factory.mktemp("kept")
    words = [sys.executable, ROOT / "scripts/record_desktop", "record", folder, "--pair", PAIR, "--home", home]
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return folder / PAIR


@pytest.mark.parametrize("side", ["a", "b"])
def test_actions_and_artefact_are_those_of_the_shipped_recording(desktop, kept, side: str):
    (pair,) = (pair for pair in desktop.manifest["pairs"] if pair["name"] == PAIR)
    shipped = next(row for row in desktop.rows if row["original_id"] == pair["sides"][side]["recording"])
    made = json.loads((kept / side / "steps.json").read_text("utf-8"))
    actions = [{"type": step["type"], "parameters": step["parameters"]} for step in made["steps"]]
    assert actions == [step["action"] for step in desktop.of(shipped)["steps"]]
    assert made["artefact"] == pair["sides"][side]["artefact"]


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_frame_is_kept_for_every_step_and_the_window_is_gone_in_the_last(kept, side: str):
    made = json.loads((kept / side / "steps.json").read_text("utf-8"))
    frames = [kept / side / f"step_{number}.webp" for number in range(1, len(made["steps"]) + 1)]
    assert all(path.is_file() for path in frames)
    assert frames[-1].stat().st_size < frames[0].stat().st_size / 4


def test_a_recording_that_left_something_else_on_disk_is_not_kept(home, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts/record_desktop")
    from recording import STEPS, ArtefactMissing, record
    from scenarios.editors import LineEndings

    class Careless(LineEndings):
        """Takes the first entry of the menu, which is what the file has already."""

        a = replace(LineEndings.a, choice=0)

    with pytest.raises(ArtefactMissing, match="'endings': 'LF'"):
        record(Careless(), "a", home, tmp_path)
    assert not (tmp_path / STEPS).exists()
