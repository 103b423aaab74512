"""The keys that steer a recording and are never in it: begin and pause, mark a moment, stop."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from agenthorizon.errors import UsageError
from agenthorizon.importing.keys import chord, is_known_key
from agenthorizon.recording.events import Key

Control = Literal["pause", "mark", "stop"]
_MODIFIERS = frozenset({"ctrl", "shift", "alt", "win"})
_REPEAT_S = 0.03
"""A key that is held comes up and down again within this time, over and over."""


class Chord(NamedTuple):
    """A key and what is held with it."""

    key: str
    modifiers: frozenset[str]


class Pressed(NamedTuple):
    """A control that was pressed, and when its first key went down."""

    control: Control
    since: float


class Controls:
    """Tells from keys which control is pressed, once a press however long it is held."""

    def __init__(self, keys: Mapping[Control, str]) -> None:
        """Take the keys as the user writes them, `ctrl+alt+p`. Raises UsageError for what is no key, or one twice."""
        self._chords = {_chord(control, text): control for control, text in keys.items()}
        if len(self._chords) < len(keys):
            raise UsageError(f"one key for two things: {', '.join(keys.values())}; give each its own")
        self._held: dict[int, Key] = {}
        self._up: dict[int, float] = {}

    @property
    def chords(self) -> tuple[Chord, ...]:
        """All that are listened for."""
        return tuple(self._chords)

    def see(self, key: Key) -> Pressed | None:
        """Take the next key; return the control it presses."""
        if key.modifier:
            if key.is_down:
                self._held.setdefault(key.code, key)
            else:
                self._held.pop(key.code, None)
            return None
        is_repeated = key.at - self._up.get(key.code, float("-inf")) < _REPEAT_S
        self._up[key.code] = float("inf") if key.is_down else key.at
        if not key.is_down or is_repeated:
            return None
        held = frozenset(_plain(one.name) for one in self._held.values())
        control = self._chords.get(Chord(key.name, held))
        return Pressed(control, min([key.at, *(one.at for one in self._held.values())])) if control else None


def _chord(control: str, text: str) -> Chord:
    *modifiers, key = chord(text)
    held = frozenset(_plain(name) for name in modifiers)
    if not held <= _MODIFIERS or _plain(key) in _MODIFIERS or not is_known_key(key):
        raise UsageError(
            f"{text!r} cannot {control} a recording; expected a key such as f12 or pause, alone or with "
            f"{', '.join(sorted(_MODIFIERS))} before it, as in ctrl+alt+p"
        )
    return Chord(key, held)


def _plain(name: str) -> str:
    """Return a modifier's name without its side."""
    return name.removesuffix("right").removesuffix("left") if len(name) > len("right") else name
