"""A task's temporary folder goes with its task, or with the next run where that was killed, and never while in use."""

import os
import signal
import subprocess
import sys
import tempfile

import pytest

from agenthorizon.isolation.workplace import remove_abandoned, workplace

HOLDING = """
import time
from agenthorizon.isolation.workplace import workplace
with workplace() as places:
    places.task.mkdir()
    (places.task / "task.md").write_text("x")
    places.task.chmod(0o500)
    print(places.root, flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_removed_at_the_end_even_with_a_sealed_task(temporary):
    with workplace() as places:
        places.task.mkdir()
        (places.task / "task.md").write_text("x")
        places.task.chmod(0o500)
    assert list(temporary.iterdir()) == []


def test_a_killed_runs_folder_is_removed_and_one_in_use_is_not(temporary):
    environment = os.environ | {"TMPDIR": str(temporary)}
    with (
        workplace() as ours,
        subprocess.Popen([sys.executable, "-c", HOLDING], stdout=subprocess.PIPE, text=True, env=environment) as other,
    ):
        left = other.stdout.readline().strip()
        assert remove_abandoned() == 0
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert os.path.isdir(left)  # noqa: PTH112
        assert remove_abandoned() == 1
        assert list(temporary.iterdir()) == [ours.root]


def test_what_is_no_workplace_stays(temporary):
    (temporary / "agenthorizon-notes").mkdir()
    (temporary / "elsewhere").mkdir()
    (temporary / "elsewhere" / "in-use").touch()
    (temporary / "agenthorizon-link").symlink_to(temporary / "elsewhere")
    (temporary / "agenthorizon-file").touch()
    assert remove_abandoned() == 0
    assert len(list(temporary.iterdir())) == 4
