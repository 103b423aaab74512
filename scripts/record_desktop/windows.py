"""Windows by title: waited for before anything is done in them, and until they are gone."""

import time
from dataclasses import dataclass
from subprocess import CalledProcessError

from display import Display

_INTERVAL_S = 0.15


class WindowMissing(RuntimeError):
    """A window that should be there is not, or one that should be gone is."""


@dataclass(frozen=True)
class Window:
    """One window of the display."""

    id: str
    title: str


def windows(display: Display) -> list[Window]:
    """Return the managed windows, oldest first."""
    try:
        listed = display.run(["wmctrl", "-l"])
    except CalledProcessError:  # so it ends before the first window of a display, and never after
        return []
    rows = (line.split(None, 3) for line in listed.splitlines())
    return [Window(row[0], row[3] if len(row) > 3 else "") for row in rows]


def wait_for(display: Display, title: str, limit_s: float = 40.0) -> Window:
    """Return the newest window whose title contains a text, once there is one."""
    until = time.monotonic() + limit_s
    while True:
        found = [window for window in windows(display) if title.lower() in window.title.lower()]
        if found:
            return found[-1]
        if time.monotonic() > until:
            raise WindowMissing(f"no window {title!r}; there are {[window.title for window in windows(display)]}")
        time.sleep(_INTERVAL_S)


def wait_until_gone(display: Display, title: str, limit_s: float = 15.0) -> None:
    """Return once no window's title contains a text."""
    until = time.monotonic() + limit_s
    while any(title.lower() in window.title.lower() for window in windows(display)):
        if time.monotonic() > until:
            raise WindowMissing(f"the window {title!r} is still there")
        time.sleep(_INTERVAL_S)


def maximise(display: Display, window: Window) -> None:
    """Let a window fill the screen."""
    display.run(["wmctrl", "-i", "-r", window.id, "-b", "add,maximized_vert,maximized_horz"])


def place(display: Display, window: Window, box: tuple[int, int, int, int]) -> None:
    """Put a window at x, y with a width and height in pixels; some start maximised and would stay so."""
    display.run(["wmctrl", "-i", "-r", window.id, "-b", "remove,maximized_vert,maximized_horz"])
    display.run(["wmctrl", "-i", "-r", window.id, "-e", ",".join(map(str, (0, *box)))])


def raise_to_front(display: Display, window: Window) -> None:
    """Give a window the keyboard."""
    display.run(["wmctrl", "-i", "-a", window.id])
