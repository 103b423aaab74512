"""What a program can see, change and reach inside bubblewrap, as root and as an ordinary user."""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.isolation import sandbox
from agenthorizon.isolation.processes import Bounds, Command, Watch, run

pytestmark = pytest.mark.outside

NOBODY = 65534


@pytest.fixture
def places(tmp_path):
    made = sandbox.Places(tmp_path / "agent")
    made.task.mkdir(parents=True)
    made.home.mkdir()
    (made.task / "task.md").write_text("the task")
    for name in ("stdin", "out", "err"):
        (made.root / name).touch()
    return made


def inside(places, script, watch=None, programs=()):
    """Run a shell script in the sandbox and return how it went and what it printed."""
    command = Command(
        arguments=lambda control: sandbox.enclosed(
            sandbox.supervised(["/bin/sh", "-c", script], control, 1.0, "bubblewrap"), places, programs
        ),
        environment={"PATH": "/usr/bin:/bin", "HOME": str(sandbox.HOME)},
        folder=places.task,
        stdin=places.root / "stdin",
        stdout=places.root / "out",
        stderr=places.root / "err",
    )
    finished = asyncio.run(run(command, Bounds(30, 30), watch or Watch()))
    return finished, (places.root / "out").read_text(), (places.root / "err").read_text()


def _command_lines():
    """Of every process there is outside."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            yield path.read_bytes()


def test_it_sees_its_task_its_home_and_the_system_and_nothing_else(places):
    finished, out, err = inside(places, "cat task.md; echo; ls /; ls -A ~; ls -A /home /etc /tmp; id -u; pwd")
    assert finished.exit_code == 0, err
    words = out.split()
    assert words[:2] == ["the", "task"]
    assert not {"var", "srv", "opt", "media", "mnt"} & set(words)
    assert "shadow" not in words
    assert words[-2:] == ["1000", "/task"]


def test_of_the_users_home_it_sees_the_interpreter_at_most(places):
    interpreter = Path(sys.executable).resolve()
    needed = {interpreter.relative_to(Path.home()).parts[0]} if interpreter.is_relative_to(Path.home()) else set()
    _, out, _ = inside(places, f"ls -A {Path.home()}")
    assert set(out.split()) == needed


def test_its_own_package_and_the_shipped_labels_are_not_there(places):
    package = Path(sandbox.__file__).parents[1]
    _, out, _ = inside(
        places, f"cat {package}/../data/demo/AgentHorizon.jsonl; find / -name 'AgentHorizon*.jsonl' 2>&-"
    )
    assert out == ""


def test_an_interpreter_that_holds_the_package_does_not_show_it(places):
    # Installed without a virtual environment, the package lies below what must be readable.
    package = Path(sandbox.__file__).parents[1]
    _, out, _ = inside(places, f"ls -A {package}", programs=[package.parent])
    assert out == ""


def test_it_can_write_its_home_and_not_its_task_nor_the_system(places):
    script = (
        "echo x > ~/mine && echo home; echo x > task.md; rm task.md; echo x > new; chmod u+w /task; echo x > /usr/bin/x"
    )
    _, out, err = inside(places, script)
    assert out == "home\n"
    assert err.count("Read-only file system") >= 4
    assert (places.task / "task.md").read_text() == "the task"


WRITABLE = r"""
for place in $( (find / -xdev -type d; find /dev /run /home /etc -type d; cut -d ' ' -f 2 /proc/mounts) 2>&-); do
    [ -d $place ] && touch $place/.new 2>&- && echo $place
done | sort -u
"""


def test_it_can_write_to_no_place_but_its_home_and_two_small_ones_in_memory(places):
    finished, out, _ = inside(places, f"{WRITABLE}df --block-size=M --output=size /tmp /dev/shm | tail -n 2")
    assert finished.exit_code == 0
    assert out.split() == ["/dev/shm", "/home/judge", "/tmp", "512M", "64M"]


def test_memory_that_looks_like_a_disk_is_full_when_it_is_full(places):
    fill = "head -c 65M /dev/zero > /dev/shm/x; stat -c %s /dev/shm/x"
    _, out, err = inside(places, f"{fill}; echo y > /dev/null && echo null stays")
    assert out.split() == [str(64 * 2**20), "null", "stays"]
    assert "No space left on device" in err


def test_it_reaches_the_door_and_no_other_port(places):
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = []
        script = (
            f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{other.getsockname()[1]}' || echo refused; "
            f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{sandbox.DOOR_PORT}' && echo open; ls /sys/class/net 2>&1"
        )
        finished, out, _ = inside(places, script, Watch(listening=taken.append))
        other.settimeout(0.1)
        with pytest.raises(TimeoutError):
            other.accept()
    assert finished.exit_code is not None
    assert out.splitlines()[:2] == ["refused", "open"]
    (listener,) = taken
    listener.accept()[0].close()  # what knocked at the door stands outside
    listener.close()


def test_nothing_is_inherited(places, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-real-key")
    _, out, _ = inside(places, "env; cat /proc/*/environ | tr '\\0' '\\n'; ls /proc/self/fd")
    assert "a-real-key" not in out
    assert set(out.split()[-4:]) <= {"0", "1", "2", "3"}


def test_it_sees_its_own_processes_only_and_none_survives(places):
    finished, out, _ = inside(places, "setsid sleep 9871 & ls /proc | grep -c '^[0-9]'; sleep 0.3")
    assert int(out) < 10
    assert finished.left_behind == ("sleep",)
    assert not any(b"sleep\x009871" in line for line in _command_lines())


def test_an_ordinary_user_is_isolated_the_same_way(places, monkeypatch):
    python = shutil.which("python3", path="/usr/bin") or sys.executable
    monkeypatch.setattr(sandbox, "_interpreter", lambda: Path(python).resolve())
    monkeypatch.setattr(sandbox, "_python", list)
    # Whoever runs the tests without being root is an ordinary user already.
    user = NOBODY if os.getuid() == 0 else os.getuid()
    for path in (places.root, places.task, places.home) if user == NOBODY else ():
        os.chown(path, NOBODY, NOBODY)
    for parent in places.root.parents:
        if parent.is_relative_to("/tmp") and parent != Path("/tmp"):
            parent.chmod(0o755)
    script = "cat task.md; id -u; echo x > ~/mine && echo home; echo x > task.md; cat /root/x; cat /etc/shadow"
    theirs, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, ours:
        command = sandbox.supervised(["/bin/sh", "-c", script], theirs.fileno(), 1.0, "bubblewrap")
        shown = subprocess.run(
            sandbox.enclosed(command, places, ()),
            **({"user": NOBODY, "group": NOBODY, "extra_groups": ()} if user == NOBODY else {}),
            env={"PATH": "/usr/bin:/bin", "HOME": str(sandbox.HOME)},
            pass_fds=(theirs.fileno(),),
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    assert shown.stdout == "the task1000\nhome\n", shown.stderr
    assert "Read-only file system" in shown.stderr


def test_without_bubblewrap_the_user_is_told_what_to_do(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    sandbox._fault.cache_clear()
    with pytest.raises(UsageError, match=r"no program bwrap.*apt install bubblewrap.*--isolation none"):
        sandbox.require("bubblewrap")
    sandbox.require("none")
    sandbox._fault.cache_clear()
