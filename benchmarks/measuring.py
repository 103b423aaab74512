"""What a process takes from its start to its end, by the system's own count, and servers for it to ask."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

READY_WITHIN = 20.0
"""Seconds that a server may take to start."""

_COMPILED_ONCE = {"PYTHONDONTWRITEBYTECODE": ""}
"""Some machines forbid Python to keep what it compiled. An installed package is compiled when it is installed."""


class Cost(NamedTuple):
    """What a process and the children it waited for took."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds, user and system."""
    peak: float
    """Megabytes resident."""

    def __str__(self) -> str:
        return f"{self.wall:.1f} s, {self.cpu:.2f} s CPU, {self.peak:.0f} MB at most"


def cost_of(
    words: Sequence[str | Path], environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Cost:
    """Run a program to its end, its output kept aside. Raises RuntimeError, with the end of it, when it fails.

    Args:
        words: The program and its arguments.
        environment: Variables to set beside those there are.
        folder: Where it runs; here if not given.
    """
    with tempfile.TemporaryFile() as printed:
        started = time.perf_counter()
        process = subprocess.Popen(
            words,
            stdout=printed,
            stderr=printed,
            env={**os.environ, **_COMPILED_ONCE, **(environment or {})},
            cwd=folder,
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            printed.seek(0)
            said = printed.read().decode(errors="replace")[-2000:]
            raise RuntimeError(f"{' '.join(map(str, words[:4]))} … ended with {process.returncode}: {said}")
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


@contextmanager
def serving(program: Path, *settings: float) -> Iterator[str]:
    """Run a server that takes a port and settings, and give the address of its API. Raises RuntimeError without one."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, str(program), str(port), *map(str, settings)]) as server:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def _wait_for(port: int) -> None:
    late = time.monotonic() + READY_WITHIN
    while time.monotonic() < late:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"no server at port {port}")
