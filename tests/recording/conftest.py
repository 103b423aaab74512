"""Hands of a test: events as a person would make them."""

import pytest

from agenthorizon.recording.events import Button, Key, Wheel

CHORD = {"ctrl", "ctrlright", "alt", "win"}
TEXT = {"shift", "altright"}


class Hands:
    """Makes events, 50 ms apart unless it waits; the keyboard of a test."""

    def __init__(self):
        self.at = 100.0
        self.events = []
        self._codes = {}

    def wait(self, seconds):
        self.at += seconds
        return self

    def _key(self, name, is_down, **more):
        modifier = "chord" if name in CHORD else "text" if name in TEXT else ""
        code = self._codes.setdefault(name, len(self._codes) + 8)
        self.events.append(Key(self.at, is_down, code, name, modifier=modifier, **more))
        self.at += 0.05
        return self

    def down(self, name, **more):
        return self._key(name, True, **more)

    def up(self, name, **more):
        return self._key(name, False, **more)

    def press(self, *names):
        for name in names:
            self.down(name).up(name)
        return self

    def type(self, text):
        for letter in text:
            name = "space" if letter == " " else letter.lower()
            self.down(name, text=letter).up(name, text=letter)
        return self

    def accent(self, combining):
        return self.down("", combining=combining).up("", combining=combining)

    def hotkey(self, *names):
        for name in names:
            self.down(name)
        for name in reversed(names):
            self.up(name)
        return self

    def button(self, is_down, x, y, name="left"):
        self.events.append(Button(self.at, is_down, x, y, name))
        self.at += 0.05
        return self

    def click(self, x=10, y=20, name="left"):
        return self.button(True, x, y, name).button(False, x, y, name)

    def wheel(self, direction="down", x=10, y=20):
        self.events.append(Wheel(self.at, x, y, direction))
        self.at += 0.05
        return self


@pytest.fixture
def hands():
    return Hands()


@pytest.fixture
def others():
    """More hands, for what comes later."""
    return Hands
