"""The desk of one recording: a fresh home folder, a display, the programs opened on it and the hands."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from display import Display, give_to_nobody
from hands import Hands
from screen import settle
from windows import maximise, place, raise_to_front, wait_for

_PARKED = ("700", "8")
"""Where the pointer rests before the first step: over a title bar, where nothing shows a hint."""
_DRAWN_S = 2.5
"""How long nothing may move before a new window counts as drawn; LibreOffice shows an empty one first."""
_MARK = ".made-for-recording"
"""File that says that a home folder is one of ours and may be emptied."""


@dataclass(frozen=True)
class Desk:
    """What a scenario works with."""

    display: Display
    hands: Hands

    @property
    def home(self) -> Path:
        """The home folder that programs see."""
        return self.display.home

    @property
    def documents(self) -> Path:
        """Where the user keeps files."""
        return self.home / "Documents"

    def open(self, command: Sequence[str], title: str, box: tuple[int, int, int, int] | None = None) -> None:
        """Start a program before the first step; wait until its window is drawn, in a box or filling the screen."""
        self.display.start(command)
        window = wait_for(self.display, title)
        settle(self.display.name, limit_s=40)
        if box is None:
            maximise(self.display, window)
        else:
            place(self.display, window, box)
        raise_to_front(self.display, window)
        self.display.run(["xdotool", "mousemove", *_PARKED])
        settle(self.display.name, limit_s=40, quiet_s=_DRAWN_S)


@contextmanager
def set_up(home: Path) -> Iterator[Path]:
    """Make the home folder anew and empty it afterwards. Refuses a folder that is not one of ours."""
    _clear(home)
    for name in ("Documents", "Downloads", "Pictures", ".config", ".run"):
        (home / name).mkdir(parents=True)
    (home / ".run").chmod(0o700)
    (home / _MARK).touch()
    try:
        yield home
    finally:
        _clear(home)


@contextmanager
def at_desk(home: Path) -> Iterator[Desk]:
    """Start the display on a prepared home folder."""
    give_to_nobody(home)
    with Display(home) as display:
        yield Desk(display, Hands(display))


def _clear(home: Path) -> None:
    if home.exists() and any(home.iterdir()) and not (home / _MARK).exists():
        raise SystemExit(f"{home} is somebody's home folder, not one made for recording; give another with --home")
    if home.exists():
        for path in home.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    home.mkdir(parents=True, exist_ok=True)
