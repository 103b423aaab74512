"""`agenthorizon data record` where there is nothing to record, or it is asked in a way that cannot be."""

import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "agenthorizon", "data", "record"]


def run(tmp_path, *words, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    kept.pop("XDG_SESSION_TYPE", None)
    return subprocess.run(
        [*COMMAND, "-o", str(tmp_path / "mine"), *words],
        env={**kept, "NO_COLOR": "1", **environment},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "DISPLAY is not set"),
        ({"DISPLAY": ":987"}, "cannot open the display :987"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "log in to an X11 session"),
        ({"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}, "log in to an X11 session"),
    ],
)
def test_without_an_x11_display_it_says_so_and_leaves_nothing(tmp_path, environment, said):
    done = run(tmp_path, "--instruction", "Do it", **environment)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--stop-key", "ctrl"], "'ctrl' cannot stop a recording"),
        (["--mark-key", "f9", "--pause-key", "f9"], "one key for two things"),
        (["--pair", "--instruction", "Do it"], "a pair takes 2"),
        (["--instruction", " "], "an instruction is empty"),
        (["--pair", "--instruction", "Do it", "--instruction", "do  it."], "both instructions are the same"),
    ],
)
def test_what_is_asked_wrongly_is_said_before_a_display_is_looked_for(tmp_path, words, said):
    done = run(tmp_path, *words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_without_its_extra_it_says_what_to_install(tmp_path):
    (tmp_path / "Xlib.py").write_text("raise ImportError('not here')")
    done = run(tmp_path, "--instruction", "Do it", DISPLAY=":0", PYTHONPATH=str(tmp_path))
    assert (done.returncode, "[record]" in done.stderr) == (2, True), done.stderr
