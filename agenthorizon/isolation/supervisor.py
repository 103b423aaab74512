"""Runs one command and leaves nothing of it behind. A program of its own: it runs inside the sandbox, stdlib only.

    python -I -S supervisor.py CONTROL PORT GRACE COMMAND…

CONTROL is the number of an inherited socket to whoever started it. With PORT > 0 it listens there on 127.0.0.1 and
sends the listening socket out through CONTROL: in a sandbox without a network, that is the door to the model. It ends
the command when it is told to ("stop") or when the other side of CONTROL is gone. At the end it sends one JSON object:
{"exit_code": 0, "stopped": false, "left_behind": ["sleep"]}.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time

SETTLING = 0.5
"""Seconds that helpers of the command get to end after it."""

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36


def main() -> int:
    """Supervise; returns 0 when a report was sent."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    port, grace, command = int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
    # Caught and not ignored: what is ignored here would be ignored by the command too, which could not end in time.
    signal.signal(signal.SIGTERM, lambda *_: None)
    _become_reaper()
    if port:
        with socket.create_server(("127.0.0.1", port), backlog=64) as listener:
            socket.send_fds(control, [b"listening"], [listener.fileno()])
    try:
        # No group of its own is needed: whatever leaves it is still a descendant.
        child = subprocess.Popen(command, start_new_session=True)
    except OSError as error:
        return _report(control, error=f"{command[0]} cannot be started: {error.strerror}")
    exit_code, stopped = _wait(child, control, grace)
    left = _left_behind()
    _end_all(grace=0.0)
    return _report(control, exit_code=exit_code, stopped=stopped, left_behind=left)


def _become_reaper() -> None:
    """Inherit orphans, so that none is lost; refuse to be looked into by the command."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _wait(child: "subprocess.Popen[bytes]", control: socket.socket, grace: float) -> "tuple[int | None, bool]":
    """Wait for the command or for the order to stop it. Returns its exit code and whether it was stopped."""
    ended = os.pidfd_open(child.pid)
    try:
        ready, _, _ = select.select([ended, control.fileno()], [], [])
    finally:
        os.close(ended)
    if ended in ready:
        return child.wait(), False
    _end_all(grace)
    return None, True


def _end_all(grace: float) -> None:
    """SIGTERM to all descendants, a time to end, then SIGKILL until none is left."""
    deadline = time.monotonic() + grace
    for pid in _descendants() if grace else ():
        _send(pid, signal.SIGTERM)
    while alive := _descendants():
        if time.monotonic() >= deadline:
            for pid in alive:
                _send(pid, signal.SIGKILL)
        _reap()
        time.sleep(0.02)
    _reap()


def _left_behind() -> "list[str]":
    """Names of the processes that outlive the command by more than a moment."""
    deadline = time.monotonic() + SETTLING
    while time.monotonic() < deadline and _descendants():
        _reap()
        time.sleep(0.02)
    return sorted(filter(None, map(_name, _descendants())))


def _descendants() -> "list[int]":
    """Living processes below this one. Zombies are not alive."""
    parents = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208
        if entry.isdigit():
            fields = _read(f"/proc/{entry}/stat").rpartition(")")[2].split()
            if len(fields) > 1 and fields[0] != "Z":
                parents[int(entry)] = int(fields[1])
    found = []
    generation = [os.getpid()]
    while generation:
        generation = [pid for pid, parent in parents.items() if parent in generation]
        found += generation
    return found


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _name(pid: int) -> str:
    return _read(f"/proc/{pid}/comm").strip()


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123  pathlib is slow to start
            return file.read()
    except OSError:  # it ended in the meantime
        return ""


def _report(control: socket.socket, **facts: object) -> int:
    try:
        control.send(json.dumps(facts).encode())
    except OSError:  # nobody is there any more
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
