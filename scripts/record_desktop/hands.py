"""The hands: does one action after another with xdotool, keeping the frame before each."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from display import Display
from PIL import Image
from screen import grab, settle
from windows import wait_for, wait_until_gone

_X11_NAMES = {
    "enter": "Return",
    "tab": "Tab",
    "esc": "Escape",
    "backspace": "BackSpace",
    "delete": "Delete",
    "space": "space",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "home": "Home",
    "end": "End",
    "pageup": "Prior",
    "pagedown": "Next",
    **{f"f{n}": f"F{n}" for n in range(1, 13)},
}
"""Key names of the trajectory format → X11 key names, where the two differ."""
_BUTTONS = {"left": 1, "right": 3}
_WHEEL = {"up": 4, "down": 5}
_NOTCH_PX = 100
"""Pixels that one notch of the wheel is recorded as."""
_TYPING_MS = 14


@dataclass(frozen=True)
class Done:
    """One step: what was on the screen, then what was done, and when, in microseconds since the first."""

    frame: Image.Image
    type: str
    parameters: dict[str, Any]
    timestamp_us: int


@dataclass
class Hands:
    """Acts on a display and remembers every step. Coordinates are pixels from the top left."""

    display: Display
    steps: list[Done] = field(default_factory=list)
    _began: float | None = None

    def click(self, x: int, y: int, *, button: str = "left", times: int = 1) -> None:
        """Click a point, twice for a double click."""

        def act() -> None:
            self._xdotool("mousemove", x, y)
            time.sleep(0.06)
            self._xdotool("click", "--repeat", times, "--delay", 80, _BUTTONS[button])

        self._do("click", {"x": x, "y": y, "button": button, "num_clicks": times}, act)

    def type(self, text: str) -> None:
        """Type a text of characters that the keyboard has."""
        self._do("type", {"text": text}, lambda: self._xdotool("type", "--delay", _TYPING_MS, "--", text))

    def press(self, *keys: str) -> None:
        """Press keys one after another."""

        def act() -> None:
            for key in keys:
                self._xdotool("key", _x11(key))
                time.sleep(0.05)

        self._do("press", {"keys": list(keys)}, act)

    def hotkey(self, *keys: str) -> None:
        """Press keys together."""
        self._do("hotkey", {"keys": list(keys)}, lambda: self._xdotool("key", "+".join(map(_x11, keys))))

    def scroll(self, x: int, y: int, direction: str, notches: int) -> None:
        """Turn the wheel over a point."""

        def act() -> None:
            self._xdotool("mousemove", x, y, "click", "--repeat", notches, "--delay", 50, _WHEEL[direction])

        self._do("scroll", {"x": x, "y": y, "direction": direction, "amount": notches * _NOTCH_PX}, act)

    def close_with_a_look(self) -> None:
        """End with a wait: frames stand before actions, so the last effect would be in none otherwise."""
        self._do("wait", {"duration_s": 1.0}, lambda: time.sleep(1.0))

    def expect(self, title: str) -> None:
        """Wait for a window and for it to be drawn; not a step. A quiet screen alone does not say it has come."""
        wait_for(self.display, title)
        settle(self.display.name)

    def expect_gone(self, title: str) -> None:
        """Wait until a window is away; not a step."""
        wait_until_gone(self.display, title)
        settle(self.display.name)

    def _do(self, kind: str, parameters: dict[str, Any], act: Callable[[], object]) -> None:
        now = time.monotonic()
        self._began = now if self._began is None else self._began
        before = grab(self.display.name)
        self.steps.append(Done(before, kind, parameters, int((now - self._began) * 1_000_000)))
        act()
        settle(self.display.name, before=before)

    def _xdotool(self, *words: object) -> None:
        self.display.run(["xdotool", *map(str, words)])


def _x11(key: str) -> str:
    return _X11_NAMES.get(key, key)
