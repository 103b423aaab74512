"""Starts a CLI under its supervisor, watches its limits, and ends all of it: nothing survives.

Its output goes to files, since some CLIs lose the end of what they write to a pipe.
"""

import asyncio
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from agenthorizon.harness import EndedBy
from agenthorizon.isolation.stored import stored_bytes

GRACE = 5.0
"""Seconds between SIGTERM and SIGKILL."""

LOOKING = 0.25
"""Seconds between two looks at the limits."""

WEIGHING = 2.0
"""Seconds between two looks at what lies in its home."""


@dataclass(frozen=True)
class Command:
    """What to start, and where its streams lead."""

    arguments: Callable[[int], list[str]]
    """Makes the command line, given the number of the control socket it inherits."""
    environment: Mapping[str, str]
    folder: Path
    stdin: Path
    stdout: Path
    stderr: Path
    home: Path | None = None
    """The folder outside that it may fill."""


@dataclass(frozen=True)
class Bounds:
    """What a process may take."""

    seconds: float
    """Wall clock."""
    idle: float
    """Seconds without output and without a byte from the model."""
    output: int = 8 * 2**30
    """Bytes it may print, pictures included."""
    stored: int = 2 * 2**30
    """Bytes it may have in its home at a time."""


@dataclass(frozen=True)
class Finished:
    """How it went."""

    exit_code: int | None
    """None when it was ended by a limit, or nobody could tell."""
    ended_by: EndedBy
    seconds: float
    left_behind: tuple[str, ...] = ()
    """Names of processes that outlived it and were ended."""
    error: str | None = None
    """Why it could not be started."""


@dataclass
class Watch:
    """What the outside knows about a running command."""

    listening: Callable[[socket.socket], None] = field(default=lambda sock: sock.close())
    """Called with the socket that listens inside the sandbox."""
    exceeded: Callable[[], EndedBy | None] = field(default=lambda: None)
    """Whether a limit of the door is reached."""
    active: Callable[[], float] = field(default=lambda: 0.0)
    """When the model last sent something, on the monotonic clock."""


class Job(NamedTuple):
    """A command that was started, with all that is to be watched of it."""

    command: Command
    bounds: Bounds
    watch: Watch
    process: asyncio.subprocess.Process
    control: socket.socket
    """Our end of the supervisor's socket."""


async def run(command: Command, bounds: Bounds, watch: Watch) -> Finished:
    """Run a command to its end or to the first limit it reaches."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    started = time.monotonic()
    try:
        with theirs:
            process = await _start(command, theirs)
        return await _follow(Job(command, bounds, watch, process, ours), started)
    finally:
        ours.close()


async def _start(command: Command, control: socket.socket) -> asyncio.subprocess.Process:
    with command.stdin.open("rb") as stdin, command.stdout.open("wb") as out, command.stderr.open("wb") as err:
        return await asyncio.create_subprocess_exec(
            *command.arguments(control.fileno()),
            stdin=stdin,
            stdout=out,
            stderr=err,
            cwd=command.folder,
            env=dict(command.environment),
            pass_fds=(control.fileno(),),
            start_new_session=True,
        )


async def _follow(job: Job, started: float) -> Finished:
    command, bounds, watch, process, control = job
    report: dict[str, object] = {}
    loop = asyncio.get_running_loop()
    control.setblocking(False)
    loop.add_reader(control, lambda: _receive(control, watch, report, loop))
    waiting = asyncio.ensure_future(process.wait())
    try:
        ended_by = await _limit(waiting, command, bounds, watch)
        if ended_by != "itself":
            _tell(control)
        await asyncio.wait([waiting], timeout=GRACE * 2)
        seconds = time.monotonic() - started
    except asyncio.CancelledError:
        _tell(control)  # the command has a session of its own: only its supervisor can end it
        await asyncio.wait([waiting], timeout=GRACE * 2)
        raise
    finally:
        loop.remove_reader(control)
        _kill(process)
        await waiting
    _receive(control, watch, report, loop)
    code = report.get("exit_code") if ended_by == "itself" else None
    return Finished(
        exit_code=code if isinstance(code, int) else None,
        ended_by=ended_by,
        seconds=seconds,
        left_behind=tuple(map(str, _list(report.get("left_behind")))),
        error=_unstarted(report, process, command) if ended_by == "itself" and code is None else None,
    )


async def _limit(waiting: "asyncio.Future[int]", command: Command, bounds: Bounds, watch: Watch) -> EndedBy:
    """Wait until it ends, and return what ended it."""
    started = last = weighed = time.monotonic()
    printed = 0
    while True:
        done, _ = await asyncio.wait([waiting], timeout=LOOKING)
        if done:
            return "itself"
        now = time.monotonic()
        size = command.stdout.stat().st_size + command.stderr.stat().st_size
        if size != printed:
            printed, last = size, now
        if reason := watch.exceeded():
            return reason
        if now - started > bounds.seconds:
            return "clock"
        if now - max(last, watch.active()) > bounds.idle:
            return "idle"
        if size > bounds.output:
            return "output"
        if command.home and now - weighed > WEIGHING:
            if await asyncio.to_thread(stored_bytes, command.home, bounds.stored) > bounds.stored:
                return "storage"
            weighed = time.monotonic()


def _receive(control: socket.socket, watch: Watch, report: dict[str, object], loop: asyncio.AbstractEventLoop) -> None:
    """Take what the supervisor sends: the listening socket, then its report."""
    while True:
        try:
            message, descriptors, _, _ = socket.recv_fds(control, 65536, 1)
        except (BlockingIOError, OSError):
            return
        if not message:
            loop.remove_reader(control)
            return
        for descriptor in descriptors:
            watch.listening(socket.socket(fileno=descriptor))
        if message.startswith(b"{"):
            report |= json.loads(message)


def _tell(control: socket.socket) -> None:
    try:
        control.send(b"stop")
    except OSError:  # it is gone already
        return


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill the group of a process that did not end when told; with bubblewrap the whole namespace goes with it."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def _unstarted(report: dict[str, object], process: asyncio.subprocess.Process, command: Command) -> str:
    if isinstance(report.get("error"), str):
        return str(report["error"])
    words = command.stderr.read_bytes()[-500:].decode("utf-8", "replace").strip()
    return f"its supervisor ended with {process.returncode} and no report: {words}"


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
