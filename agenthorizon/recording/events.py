"""What hands do, as plain records: one per key or button that goes down or up, and per notch of the wheel.

Movements without a button are no events: where the pointer went shows in the next click, and what it hovers over in
the next frame.
"""

from typing import Literal, NamedTuple

Modifier = Literal["", "text", "chord"]
"""What holding a key does to others: nothing; another character (Shift, AltGr); a command (Ctrl, Alt, Win)."""


class Key(NamedTuple):
    """A key went down or up."""

    at: float
    """Seconds on the monotonic clock, as for every event."""
    is_down: bool
    code: int
    """Which key of the keyboard, whatever it means at the moment."""
    name: str = ""
    """PyAutoGUI's name; empty where nobody knows what the key is."""
    text: str = ""
    """What it types, empty for keys such as Enter."""
    combining: str = ""
    """Of a dead key, the accent that goes onto the next character."""
    modifier: Modifier = ""


class Button(NamedTuple):
    """A mouse button went down or up, at a point in pixels from the top left."""

    at: float
    is_down: bool
    x: int
    y: int
    name: str = "left"


class Wheel(NamedTuple):
    """One notch of the wheel, over a point."""

    at: float
    x: int
    y: int
    direction: str
    """up, down, left or right."""


Event = Key | Button | Wheel
