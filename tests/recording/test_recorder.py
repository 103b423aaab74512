"""`data record` beside a script that works in a real application: both say the same was done, and before which screen.

The recorder is a process of its own that sees nothing but the display; the script's hands remember what they did and
photograph the screen before each action, by another library.
"""

import re
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image

import agenthorizon as ah

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts/record_desktop"
KEYS = {"pause": "ctrl+alt+shift+p", "mark": "ctrl+alt+shift+m", "stop": "ctrl+alt+shift+s"}
CARET_PIXELS = 400
LIMIT_S = 240

pytestmark = pytest.mark.outside  # needs Xvfb, Openbox, xdotool, wmctrl, xsetroot and Mousepad


class Recorder:
    """`data record` on a display, told and asked through its pipes."""

    def __init__(self, display, out, *options):
        words = [sys.executable, "-m", "agenthorizon", "data", "record", "-o", out, *options]
        environment = {"DISPLAY": display.name, "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
        self.display = display
        self.process = subprocess.Popen(
            [str(word) for word in words],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.told = []

    def until(self, words):
        """Read what it says until a line has these words."""
        for line in self.process.stderr:
            self.told.append(line)
            if words in line:
                return line
        raise AssertionError(f"it ended without {words!r}: {''.join(self.told)}")

    def answer(self, *lines):
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def press(self, control, words):
        """Press one of its keys and wait until it says that it heard."""
        self.display.run(["xdotool", "key", KEYS[control]])
        return self.until(words)

    def finish(self):
        out, rest = self.process.communicate(timeout=120)
        self.told.append(rest)
        return out

    @property
    def said(self):
        return "".join(self.told)


@contextmanager
def recorder(display, out, *options):
    """Start the recorder; whatever happens, it has ended afterwards."""
    one = Recorder(display, out, *options)
    limit = threading.Timer(LIMIT_S, one.process.kill)  # else a test that waits for its words would wait for ever
    limit.start()
    try:
        yield one
    finally:
        limit.cancel()
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


@contextmanager
def desk_of(scenario, home):
    """A desk as the script makes it."""
    from desk import at_desk, set_up

    with set_up(home):
        scenario.prepare(home)
        with at_desk(home) as desk:
            yield desk


def begun_by(recording, desk):
    """The same desk, on which the recording begins once a program's window is drawn."""
    from desk import Desk

    class RecordedDesk(Desk):
        def open(self, *words):
            super().open(*words)
            recording.press("pause", "recording")

    return RecordedDesk(desk.display, desk.hands)


def actions_of(steps):
    """Actions and, where a step has one, the screen before, as (action, frame); of several keys pressed, each alone.

    Where a run of one key is cut is a matter of pace, so only its first key has the frame.
    """
    for kind, parameters, frame in steps:
        for number, key in enumerate(parameters["keys"] if kind == "press" else [None]):
            shown = {"keys": [key]} if kind == "press" else {} if kind == "wait" else parameters
            yield {"type": kind, **shown}, frame if number == 0 else None


def recorded(bench, task):
    shots = bench.screenshots(task)
    steps = zip(task.trajectory.steps, shots, strict=True)
    return list(actions_of((step.action.type, step.action.parameters, shot.path) for step, shot in steps))


def scripted(hands):
    return list(actions_of((step.type, step.parameters, step.frame) for step in hands.steps))


def differing(path, frame):
    """In how many pixels a recorded frame differs from what the script saw."""
    from screen import changed_pixels

    with Image.open(path) as picture:
        return changed_pixels(picture.convert("RGB"), frame)


@pytest.fixture(scope="module")
def pair(tmp_path_factory, home_folder):
    """A pair of the desktop set, done by its script and recorded with --pair: what was done, found and written."""
    with pytest.MonkeyPatch.context() as patch, home_folder() as home:
        patch.syspath_prepend(SCRIPTS)
        from display import give_to_nobody
        from scenarios.editors import LineEndings

        scenario, out = LineEndings(), tmp_path_factory.mktemp("recorded") / "mine"
        done, found = [], []
        with desk_of(scenario, home) as desk, recorder(desk.display, out, "--pair") as recording:
            recording.answer(scenario.a.instruction, scenario.b.instruction)
            for side in scenario.sides().values():
                recording.until("begins, pauses and goes on")
                scenario.prepare(home)
                give_to_nobody(home)
                desk.hands.steps.clear()
                scenario.perform(begun_by(recording, desk), side.choice)
                recording.press("stop", "stopped")
                recording.answer("keep")
                done.append(scripted(desk.hands))
                found.append(scenario.artefact(home))
            printed = recording.finish()
            assert recording.process.returncode == 0, recording.said
        yield scenario, done, found, out, printed


@pytest.mark.parametrize("side", [0, 1])
def test_actions_and_artefact_are_those_of_the_script(pair, side):
    scenario, done, found, out, _ = pair
    bench = ah.load(str(out))
    task = list(bench)[side]
    promised = list(scenario.sides().values())[side]
    assert task.instruction == promised.instruction
    assert found[side] == promised.artefact
    assert [action for action, _ in recorded(bench, task)] == [action for action, _ in done[side]]


@pytest.mark.parametrize("side", [0, 1])
def test_every_frame_shows_the_screen_that_the_script_saw_before_the_action(pair, side):
    _, done, _, out, _ = pair
    bench = ah.load(str(out))
    both = zip(recorded(bench, list(bench)[side]), done[side], strict=True)
    pixels = [differing(mine, its) for (_, mine), (_, its) in both if mine and its]
    assert len(pixels) >= 12
    assert max(pixels) <= CARET_PIXELS


def test_a_pair_becomes_four_tasks_with_their_labels_apart(pair):
    scenario, _, _, out, printed = pair
    built = ah.load(str(out / "tasks"))
    wanted = {scenario.a.instruction: [], scenario.b.instruction: []}
    for task in built:
        wanted[task.instruction].append(built.labels[task.id].label)
    assert {name: sorted(labels) for name, labels in wanted.items()} == {
        scenario.a.instruction: ["negative", "positive"],
        scenario.b.instruction: ["negative", "positive"],
    }
    assert printed.splitlines()[-1] == str(out / "tasks")
    assert "label" not in (out / "trajectories.jsonl").read_text()


def test_nothing_is_found_wrong_with_what_was_recorded(pair):
    *_, out, _ = pair
    words = [sys.executable, "-m", "agenthorizon", "data", "check"]
    for data in (out, out / "tasks"):
        checked = subprocess.run([*words, data], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout


SECRET, UNHEARD = "hunter2", "unheard"
WORDS = "alpha beta gamma\n" + "line\n" * 80


class Everything:
    """Uses mouse and keyboard in every way, in Mousepad; one word is secret, another is typed in a pause."""

    def prepare(self, home):
        (home / "Documents/words.txt").write_text(WORDS, "utf-8")

    def perform(self, desk, recording):
        from screen import settle

        def act(*words):
            desk.display.run(["xdotool", *map(str, words)])
            settle(desk.display.name)

        desk.open(["mousepad", "Documents/words.txt"], "Mousepad")
        act("mousemove", 22, 50, "click", "--repeat", 2, "--delay", 60, 1)
        act("type", "--delay", 14, "First")
        act("key", "ctrl+End")
        recording.press("mark", "no text")
        act("type", "--delay", 14, SECRET)
        recording.press("mark", "recording")
        act("key", "Return")
        recording.press("pause", "paused")
        act("type", "--delay", 14, UNHEARD)
        recording.press("pause", "recording")
        act("type", "--delay", 14, "A (b) ~ end!")
        act("mousemove", 400, 400, "click", "--repeat", 3, "--delay", 60, 4)
        act("key", "ctrl+Home")
        act("mousemove", 12, 70, "mousedown", 1, "mousemove", 60, 95, "mousemove", 90, 130, "mouseup", 1)
        act("keydown", "shift", "mousemove", 12, 200, "click", 1, "keyup", "shift")
        act("key", "Delete")
        act("key", "ctrl+s")
        act("mousemove", 500, 500, "click", 3)
        act("key", "Escape")

    def actions(self):
        return [
            {"type": "click", "x": 22, "y": 50, "button": "left", "num_clicks": 2},
            {"type": "type", "text": "First"},
            {"type": "hotkey", "keys": ["ctrl", "end"]},
            {"type": "type", "text": "[redacted]"},
            {"type": "press", "keys": ["enter"]},
            {"type": "type", "text": "A (b) ~ end!"},
            {"type": "scroll", "x": 400, "y": 400, "direction": "up", "amount": 300},
            {"type": "hotkey", "keys": ["ctrl", "home"]},
            {"type": "drag", "start_x": 12, "start_y": 70, "end_x": 90, "end_y": 130},
            {"type": "key_down", "key": "shift"},
            {"type": "click", "x": 12, "y": 200, "button": "left", "num_clicks": 1},
            {"type": "key_up", "key": "shift"},
            {"type": "press", "keys": ["delete"]},
            {"type": "hotkey", "keys": ["ctrl", "s"]},
            {"type": "click", "x": 500, "y": 500, "button": "right", "num_clicks": 1},
            {"type": "press", "keys": ["esc"]},
            {"type": "wait"},
        ]


@pytest.fixture(scope="module")
def everything(tmp_path_factory, home_folder):
    """The folder, the file that Mousepad saved, and what the recorder said. A plain x marks moments in it."""
    with pytest.MonkeyPatch.context() as patch, home_folder() as home:
        patch.syspath_prepend(SCRIPTS)
        patch.setitem(KEYS, "mark", "x")
        out = tmp_path_factory.mktemp("recorded") / "mine"
        options = ("--instruction", "Do all", "--yes", "--mark-key", "x")
        with desk_of(Everything(), home) as desk, recorder(desk.display, out, *options) as recording:
            recording.until("begins, pauses and goes on")
            Everything().perform(begun_by(recording, desk), recording)
            recording.press("stop", "stopped")
            recording.finish()
            assert recording.process.returncode == 0, recording.said
            yield out, (home / "Documents/words.txt").read_text("utf-8"), recording.said


def test_every_kind_of_action_is_recorded_as_it_was_done(everything):
    out, _, said = everything
    bench = ah.load(str(out))
    assert [action for action, _ in recorded(bench, *bench)] == Everything().actions()
    assert "warning" not in said


def test_the_application_was_really_used_and_heard_no_steering_key(everything):
    _, text, _ = everything
    assert text.startswith("First beta gamma\n")
    assert text.endswith(f"line\n{SECRET}\n{UNHEARD}A (b) ~ end!")
    assert 0 < text.count("line") < 80  # dragged over, selected further with Shift, deleted


def test_a_marked_moment_leaves_neither_text_nor_picture_and_a_pause_nothing(everything):
    out, _, _ = everything
    bench = ah.load(str(out))
    (task,) = bench
    assert [number for number, shot in enumerate(bench.screenshots(task)) if shot.path is None] == [3]
    texts = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert SECRET.encode() not in texts
    assert UNHEARD.encode() not in texts


@pytest.fixture(scope="module")
def display(home_folder):
    """A display with nothing on it."""
    with pytest.MonkeyPatch.context() as patch, home_folder() as home:
        patch.syspath_prepend(SCRIPTS)
        from display import Display

        with Display(home) as one:
            yield one


class Layouts:
    """Types with AltGr, a dead key, Caps Lock and another alphabet; keys go by their places on the board."""

    A, E, Q, ACUTE, ALTGR, CAPS = 38, 26, 24, 21, 108, 66

    def prepare(self, home):
        (home / "Documents/words.txt").write_text("", "utf-8")

    def perform(self, desk):
        from screen import settle

        def keys(*words):
            desk.display.run(["xdotool", *map(str, words)])
            settle(desk.display.name)

        desk.display.run(["setxkbmap", "de"])
        desk.open(["mousepad", "Documents/words.txt"], "Mousepad")
        keys("keydown", self.ALTGR, "key", self.Q, "keyup", self.ALTGR)
        keys("key", self.ACUTE, self.E)
        keys("key", self.CAPS, self.A, "key", self.CAPS, self.A)
        for layout in ("ru", "us"):
            desk.display.run(["setxkbmap", layout])
            keys("key", self.A)
        keys("key", "ctrl+s")


def test_other_layouts_are_read_as_the_application_reads_them(tmp_path, monkeypatch, home_folder):
    monkeypatch.syspath_prepend(SCRIPTS)
    out = tmp_path / "mine"
    with home_folder() as home, desk_of(Layouts(), home) as desk:
        with recorder(desk.display, out, "--instruction", "Type", "--yes") as recording:
            recording.until("begins, pauses and goes on")
            Layouts().perform(begun_by(recording, desk))
            recording.press("stop", "stopped")
            recording.finish()
        (task,) = ah.load(str(out))
        written = (home / "Documents/words.txt").read_text("utf-8").rstrip("\n")
    texts = [step.action.parameters["text"] for step in task.trajectory.steps if step.action.type == "type"]
    assert "".join(texts) == written == "@éAaфa"


def typed(recording, text):
    """Record one text, up to the question what is to become of it."""
    recording.until("begins, pauses and goes on")
    recording.press("pause", "recording")
    recording.display.run(["xdotool", "type", text])
    recording.press("stop", "stopped")


def test_a_recording_is_looked_at_in_a_page_before_it_is_kept(display, tmp_path):
    with recorder(display, tmp_path / "mine", "--instruction", "Type it") as recording:
        typed(recording, "wrong")
        recording.answer("again")
        typed(recording, "right")
        recording.answer("look")
        address = re.search(r"http://127\.0\.0\.1:\d+/", recording.until("shows it"))[0]
        with urllib.request.urlopen(f"{address}data/index.js") as page:
            assert b"Type it" in page.read()
        recording.answer("", "keep")
        recording.finish()
    (task,) = ah.load(str(tmp_path / "mine"))
    assert address
    assert task.trajectory.steps[0].action.parameters == {"text": "right"}
    assert len(list((tmp_path / "mine").glob("media/images/*"))) == 1


@pytest.mark.parametrize(("ending", "code"), [("discard", 1), ("end of stdin", 2), (signal.SIGTERM, 130)])
def test_what_is_not_kept_leaves_nothing_on_disk(display, tmp_path, ending, code):
    with recorder(display, tmp_path / "mine", "--instruction", "Type it") as recording:
        typed(recording, "secret")
        if ending == "discard":
            recording.answer("discard")
        elif ending == "end of stdin":
            recording.process.stdin.close()
            recording.process.stdin = None
        else:
            recording.until("   2 ")
            recording.process.send_signal(ending)
        assert recording.process.wait(60) == code
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_a_recording_and_leaves_nothing_on_disk(display, tmp_path):
    with recorder(display, tmp_path / "mine", "--instruction", "Type it") as recording:
        recording.until("begins, pauses and goes on")
        recording.press("pause", "recording")
        display.run(["xdotool", "type", "secret"])
        recording.process.send_signal(signal.SIGINT)
        assert recording.process.wait(60) == 130
    assert list(tmp_path.iterdir()) == []


def test_nothing_recorded_is_said_and_not_kept(display, tmp_path):
    with recorder(display, tmp_path / "mine", "--instruction", "Type it", "--yes") as recording:
        recording.until("begins, pauses and goes on")
        recording.press("stop", "stopped")
        recording.finish()
        assert recording.process.returncode == 1
    assert "nothing was recorded" in recording.said
    assert list(tmp_path.iterdir()) == []


def test_a_steering_key_that_another_program_has_is_refused_by_name(display, tmp_path):
    with recorder(display, tmp_path / "mine", "--instruction", "Type it") as first:
        first.until("begins, pauses and goes on")
        with recorder(display, tmp_path / "other", "--instruction", "Type it") as second:
            second.until("another program has taken alt+ctrl+shift+p")
            assert second.process.wait(60) == 2


def test_a_display_that_goes_away_ends_the_recording_with_a_reason(tmp_path, monkeypatch, home_folder):
    monkeypatch.syspath_prepend(SCRIPTS)
    from display import Display

    with home_folder() as home:
        with Display(home) as display:
            recording = Recorder(display, tmp_path / "mine", "--instruction", "Type it")
            recording.until("begins, pauses and goes on")
        recording.finish()
    assert recording.process.returncode == 3
    assert "the display cannot be recorded any more" in recording.said
    assert list(tmp_path.iterdir()) == []
