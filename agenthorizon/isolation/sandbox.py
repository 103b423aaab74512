"""Shuts a command into bubblewrap: it sees the CLI, the task folder and a fresh home, and no network but the door.

Its processes have their own namespace and end with it. Without bubblewrap the user must ask for `none`: then the same
command runs as any other program of theirs.
"""

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from agenthorizon.errors import UsageError

Isolation = Literal["bubblewrap", "none"]

DOOR_PORT = 9000
"""Where the model answers inside; nothing else listens there."""

TASK, HOME = Path("/task"), Path("/home/judge")

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_SUPERVISOR_INSIDE = "/run/agenthorizon/supervisor.py"

# /usr/local is left out: it may hold the user's own things, this package and its labels among them.
_SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "libx32", "share")
_SCRATCH = {"/tmp": 512 * 2**20, "/dev/shm": 64 * 2**20}
"""Bytes of memory that may be written beside the home, whose size is looked at while the agent runs."""
_CONFIGURATION = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime")


@dataclass(frozen=True)
class Places:
    """The folders of one task outside: everything of it lies below one temporary folder."""

    root: Path

    @property
    def task(self) -> Path:
        """The task folder."""
        return self.root / "task"

    @property
    def home(self) -> Path:
        """The private home."""
        return self.root / "home"


def task_inside(places: Places, isolation: Isolation) -> Path:
    """Return where the CLI finds the task folder."""
    return TASK if isolation == "bubblewrap" else places.task


def home_inside(places: Places, isolation: Isolation) -> Path:
    """Return where the CLI finds its home."""
    return HOME if isolation == "bubblewrap" else places.home


def require(isolation: Isolation) -> None:
    """Raise UsageError, with what to do, where agents cannot be isolated as asked."""
    if isolation == "none":
        return
    if fault := _fault():
        raise UsageError(
            f"agents are isolated with bubblewrap, and {fault}. Install it (Debian, Ubuntu: apt install bubblewrap; "
            "Fedora: dnf install bubblewrap), or run without any isolation, which lets the agent read and change "
            "whatever you can, labels included, and reach your network: --isolation none"
        )


@cache
def _fault() -> str | None:
    program = shutil.which("bwrap")
    if program is None:
        return "there is no program bwrap"
    trial = [program, *_NAMESPACES, "--ro-bind", "/", "/", "true"]
    done = subprocess.run(trial, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"bwrap does not work here ({done.stderr.strip()[:300]})"


# Never root inside, whoever starts it: a sandbox of the CLI's own could not be made by a root without its powers.
_USER = 1000
_NAMESPACES = (
    *("--unshare-all", "--unshare-user", "--uid", str(_USER), "--gid", str(_USER), "--cap-drop", "ALL"),
    *("--die-with-parent", "--new-session"),
)


def supervised(command: Iterable[str], control: int, grace: float, isolation: Isolation) -> list[str]:
    """Return the command under its supervisor; in the sandbox it also opens the door's port."""
    script = _SUPERVISOR_INSIDE if isolation == "bubblewrap" else str(_SUPERVISOR)
    port = DOOR_PORT if isolation == "bubblewrap" else 0
    return [str(_interpreter()), "-I", "-S", script, str(control), str(port), str(grace), *command]


def enclosed(command: list[str], places: Places, programs: Iterable[Path]) -> list[str]:
    """Return the bubblewrap command around a supervised one. `programs` are the folders that hold the CLI."""
    users = places.root / "passwd"
    users.write_text(f"judge:x:{_USER}:{_USER}:judge:{HOME}:/bin/sh\n", "utf-8")
    readable = [*_python(), *dict.fromkeys(path.resolve() for path in programs)]
    arguments = [*_NAMESPACES, *_system(), "--proc", "/proc", "--dev", "/dev"]
    for scratch, size in _SCRATCH.items():
        arguments += ["--size", str(size), "--tmpfs", scratch]
    for path in readable:
        arguments += ["--ro-bind", str(path), str(path)]
    arguments += _masks(readable)
    arguments += ["--ro-bind", str(_SUPERVISOR), _SUPERVISOR_INSIDE, "--ro-bind", str(users), "/etc/passwd"]
    arguments += ["--ro-bind", str(places.task), str(TASK), "--bind", str(places.home), str(HOME)]
    # What bubblewrap makes of its own lies in memory, up to half of the machine's: nothing else may be written there.
    arguments += ["--remount-ro", "/dev", "--remount-ro", "/"]
    return [shutil.which("bwrap") or "bwrap", *arguments, "--chdir", str(TASK), "--", *command]


def _system() -> list[str]:
    arguments: list[str] = []
    for name in _SYSTEM:
        if Path("/usr", name).is_dir():
            arguments += ["--ro-bind", f"/usr/{name}", f"/usr/{name}"]
        top = Path("/", name)
        if top.is_symlink():
            arguments += ["--symlink", str(top.readlink()), str(top)]
        elif top.is_dir():
            arguments += ["--ro-bind", str(top), str(top)]
    for path in _CONFIGURATION:
        arguments += ["--ro-bind-try", path, path]
    return arguments


def _interpreter() -> Path:
    return Path(sys.executable).resolve()


def _python() -> list[Path]:
    """Return what the supervisor needs: the interpreter, its library, its shared object."""
    shared = Path(sysconfig.get_config_var("LIBDIR") or "/", sysconfig.get_config_var("INSTSONAME") or "")
    needed = [_interpreter(), Path(sysconfig.get_path("stdlib"))]
    needed += [shared] if shared.is_file() else []
    return [path for path in needed if path.parts[:2] != ("/", "usr") or path.parts[2] == "local"]


def _masks(readable: Iterable[Path]) -> list[str]:
    """Hide what must not be seen below readable folders: other packages, and ours with the shipped labels."""
    package = Path(__file__).parents[1]
    hidden = {Path(sysconfig.get_path("stdlib"), "site-packages"), package, package.parent / "data"}
    bound = [*readable, *(Path("/usr", name) for name in _SYSTEM)]
    seen = [path for path in hidden if path.is_dir() and any(path.is_relative_to(top) for top in bound)]
    made = [argument for path in sorted(seen) for argument in ("--tmpfs", str(path))]
    return made + [argument for path in seen for argument in ("--remount-ro", str(path))]  # one may hold another
