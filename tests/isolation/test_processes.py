"""Real processes under their supervisor: what ends them, and that nothing is left."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agenthorizon.isolation import sandbox
from agenthorizon.isolation.processes import Bounds, Command, Watch, run
from agenthorizon.isolation.stored import stored_bytes


def ran(folder, script, bounds=None, watch=None):
    """Run a shell script without a sandbox and return how it went."""
    for name in ("in", "out", "err"):
        (folder / name).touch()
    command = Command(
        arguments=lambda control: sandbox.supervised(["/bin/sh", "-c", script], control, 1.0, "none"),
        environment={"PATH": "/usr/bin:/bin"},
        folder=folder,
        stdin=folder / "in",
        stdout=folder / "out",
        stderr=folder / "err",
        home=folder,
    )
    return asyncio.run(run(command, bounds or Bounds(60, 60), watch or Watch()))


def alive(marker):
    """Processes whose command line has the marker."""
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and int(folder.name) != os.getpid():
                line = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
                found += (
                    [line] if marker in line and (folder / "stat").read_text().split(")")[-1].split()[0] != "Z" else []
                )
    return found


def test_an_exit_code_and_output_come_back(tmp_path):
    finished = ran(tmp_path, "echo said; exit 7")
    assert (finished.exit_code, finished.ended_by, finished.left_behind) == (7, "itself", ())
    assert (tmp_path / "out").read_text() == "said\n"


def test_a_signal_is_a_negative_exit_code(tmp_path):
    assert ran(tmp_path, "kill -SEGV $$").exit_code == -signal.SIGSEGV


def test_a_program_that_is_not_there_is_named(tmp_path):
    finished = ran(tmp_path, "exec /no/such/program")
    assert finished.exit_code == 127
    command = Command(
        arguments=lambda control: sandbox.supervised(["/no/such/program"], control, 1.0, "none"),
        environment={},
        folder=tmp_path,
        stdin=tmp_path / "in",
        stdout=tmp_path / "out",
        stderr=tmp_path / "err",
    )
    finished = asyncio.run(run(command, Bounds(60, 60), Watch()))
    assert finished.error == "/no/such/program cannot be started: No such file or directory"


def test_the_command_hears_sigterm_and_may_end_in_its_own_way(tmp_path):
    # A shell cannot catch what was ignored when it was started.
    finished = ran(tmp_path, "trap 'echo heard; exit' TERM; while :; do sleep 0.05; done", Bounds(0.5, 60))
    assert finished.ended_by == "clock"
    assert (tmp_path / "out").read_text() == "heard\n"


def test_the_clock_ends_one_that_shrugs_off_sigterm(tmp_path):
    finished = ran(tmp_path, "trap '' TERM; while :; do sleep 9871; done", Bounds(seconds=0.5, idle=60))
    assert (finished.exit_code, finished.ended_by) == (None, "clock")
    assert alive("9871") == []


def test_silence_ends_it_and_talking_does_not(tmp_path):
    assert ran(tmp_path, "sleep 9872", Bounds(60, idle=0.6)).ended_by == "idle"
    talking = "for i in 1 2 3 4 5 6; do echo $i; sleep 0.3; done"
    assert ran(tmp_path, talking, Bounds(60, idle=1.5)).ended_by == "itself"


def test_a_model_that_sends_keeps_a_silent_one_alive(tmp_path):
    watch = Watch(active=time.monotonic)
    assert ran(tmp_path, "sleep 1.5", Bounds(60, idle=0.6), watch).ended_by == "itself"


def test_too_much_output_ends_it(tmp_path):
    assert ran(tmp_path, "yes", Bounds(60, 60, output=100_000)).ended_by == "output"


def test_too_much_in_its_home_ends_it(tmp_path):
    script = "mkdir -p a/b && head -c 3000000 /dev/zero > a/b/c && sleep 9873"
    assert ran(tmp_path, script, Bounds(60, 60, stored=1_000_000)).ended_by == "storage"
    assert ran(tmp_path / "a", "sleep 3", Bounds(60, 60, stored=9_000_000)).ended_by == "itself"


def test_what_a_home_takes_is_counted_on_the_disk_and_no_link_is_followed(tmp_path):
    home = tmp_path / "home"
    (home / "deep" / "deeper").mkdir(parents=True)
    (home / "deep" / "deeper" / "file").write_bytes(b"\x01" * 1_000_000)
    (tmp_path / "outside").write_bytes(b"\x01" * 1_000_000)
    (home / "link").symlink_to(tmp_path / "outside")
    (home / "loop").symlink_to(home)
    with (home / "sparse").open("wb") as sparse:
        sparse.truncate(2**40)
    assert 1_000_000 <= stored_bytes(home, enough=1e12) < 1_100_000
    assert stored_bytes(home, enough=100_000) > 100_000
    assert stored_bytes(tmp_path / "gone", enough=1) == 0


def test_a_limit_of_the_door_ends_it(tmp_path):
    assert ran(tmp_path, "sleep 9873", watch=Watch(exceeded=lambda: "requests")).ended_by == "requests"
    assert alive("9873") == []


def test_what_it_leaves_in_sessions_of_its_own_is_told_and_ended(tmp_path):
    daemon = "setsid sh -c 'setsid sleep 9874 & exec setsid sleep 9874' >/dev/null 2>&1 </dev/null & exit 0"
    finished = ran(tmp_path, daemon)
    assert finished.exit_code == 0
    assert finished.left_behind == ("sleep", "sleep")
    assert alive("9874") == []


def test_nothing_survives_whoever_started_it(tmp_path):
    code = f"""
import asyncio, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from test_processes import ran
ran(Path({str(tmp_path)!r}), "setsid sleep 9875 & sleep 9875")
"""
    starter = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 20
    while len(alive("sleep\x009875")) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(alive("sleep\x009875")) == 2
    starter.kill()
    starter.wait()
    while alive("sleep\x009875") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive("sleep\x009875") == []


@pytest.mark.parametrize("how", ["cancelled"])
def test_a_cancelled_wait_ends_it(tmp_path, how):
    for name in ("in", "out", "err"):
        (tmp_path / name).touch()
    command = Command(
        arguments=lambda control: sandbox.supervised(["sleep", "9876"], control, 1.0, "none"),
        environment={"PATH": "/usr/bin:/bin"},
        folder=tmp_path,
        stdin=tmp_path / "in",
        stdout=tmp_path / "out",
        stderr=tmp_path / "err",
    )

    async def cancel():
        task = asyncio.ensure_future(run(command, Bounds(60, 60), Watch()))
        while not alive("sleep\x009876"):
            await asyncio.sleep(0.05)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert alive("sleep\x009876") == []
