"""A virtual X display with a window manager, and programs started on it as nobody in particular."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from screen import SIZE

_USER = 64200
"""User and group id of no account, given to programs when the script runs as root: several warn root on screen."""
_WALL = "#3b5a70"
_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/games"
_STARTING_S = 40.0
_ENDING_S = 8.0


class DisplayMissing(RuntimeError):
    """Xvfb or openbox is not there, or did not come up in time."""


class Display:
    """Xvfb and openbox for as long as the `with` block lasts; everything started in it ends with it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.name = ""
        self._started: list[subprocess.Popen[bytes]] = []
        self._log = (home / ".log").open("ab")

    def __enter__(self) -> "Display":
        try:
            self._start_server()
            self.start(["openbox", "--sm-disable"])
            self._wait_for_manager()
            self.run(["xsetroot", "-solid", _WALL])
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        for process in reversed(self._started):
            _end_group(process)
        self._log.close()

    def start(self, command: Sequence[str]) -> None:
        """Start a program that stays until the display ends."""
        self._keep([*_as_nobody(), *command], env=self._environment(), cwd=self.home)

    def run(self, command: Sequence[str], limit_s: float = 30.0) -> str:
        """Run a program to its end and return what it printed. Raises CalledProcessError when it fails."""
        done = subprocess.run(
            command, env=self._environment(), capture_output=True, text=True, timeout=limit_s, check=True
        )
        return done.stdout

    def _start_server(self) -> None:
        # Xvfb picks a free number and writes it to a pipe, so that two recorders never meet on one display. Without
        # -noreset it would start anew whenever its last client leaves, dropping those that are just coming.
        reading, writing = os.pipe()
        size = f"{SIZE[0]}x{SIZE[1]}x24"
        access = ["-nolisten", "tcp", "-ac", "-noreset"]
        options = ["-screen", "0", size, "-dpi", "96", *access, "-displayfd", str(writing)]
        self._keep(["Xvfb", *options], pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as pipe:
            self.name = f":{pipe.readline().strip()}"
        if self.name == ":":
            raise DisplayMissing("Xvfb did not start; is it installed?")

    def _wait_for_manager(self) -> None:
        until = time.monotonic() + _STARTING_S
        while time.monotonic() < until:
            with suppress(subprocess.CalledProcessError):
                self.run(["wmctrl", "-m"])
                return
            time.sleep(0.1)
        raise DisplayMissing("openbox did not start; is it installed?")

    def _keep(self, line: list[str], **more: Any) -> None:
        """Start a program in a process group of its own, heard only in the log, to be ended with the display."""
        process: subprocess.Popen[bytes] = subprocess.Popen(
            line, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, start_new_session=True, **more
        )
        self._started.append(process)

    def _environment(self) -> dict[str, str]:
        """Nothing of the caller's environment, so that nothing of it can be seen on the screen."""
        runtime = self.home / ".run"
        return {
            "DISPLAY": self.name,
            "HOME": str(self.home),
            "USER": "alex",
            "LOGNAME": "alex",
            "PATH": _PATH,
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "XDG_RUNTIME_DIR": str(runtime),
            "GTK_THEME": "Adwaita",
            "NO_AT_BRIDGE": "1",
            "GSETTINGS_BACKEND": "keyfile",
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "SAL_USE_VCLPLUGIN": "gtk3",
            "QT_QPA_PLATFORM": "xcb",
        }


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a program and whatever it started: asked first, then killed."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            break
        until = time.monotonic() + _ENDING_S
        while process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
    process.wait()


def give_to_nobody(folder: Path) -> None:
    """Hand a folder to the user that programs run as, when the script itself is root."""
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, _USER, _USER, follow_symlinks=False)


def _as_nobody() -> list[str]:
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--clear-groups", "--"]
