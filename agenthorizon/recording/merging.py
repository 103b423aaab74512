"""Events → steps, in the actions of the standard layout. It knows no clock, screen or keyboard, only what it is given.

Every event becomes at most a few small steps (a letter, a click, one notch), and `steps.joined` makes those that belong
together one. Modifiers held across a click, a drag or the wheel become key_down and key_up around it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from agenthorizon.recording.accents import accented
from agenthorizon.recording.events import Button, Event, Key
from agenthorizon.recording.frames import Frame
from agenthorizon.recording.redaction import kept_of
from agenthorizon.recording.step_line import StepLine
from agenthorizon.recording.steps import Step, step

NOTCH_PX = 100
"""Pixels that one notch of the wheel is recorded as; how far it really scrolls is each program's own affair."""
DRAG_PX = 5
"""A button that comes up farther than this from where it went down has dragged something."""
UNREADABLE = "\ufffd"
"""Stands in a text for a character that nobody could read."""


@dataclass
class _Held:
    """A modifier that is down."""

    key: Key
    frame: Frame | None
    is_used: bool = False
    """Whether anything was done with it; one that was not is pressed for itself, as Alt is to reach a menu."""
    is_announced: bool = False
    """Whether a key_down says that it is down."""


class _Pressed(NamedTuple):
    """A mouse button that is down."""

    event: Button
    frame: Frame | None


class Merger:
    """Takes events in their order and gives steps; `frame` is what the screen showed before an event."""

    def __init__(self) -> None:
        self._line = StepLine()
        self._held: dict[int, _Held] = {}
        self._pressed: dict[str, _Pressed] = {}
        self._accent: tuple[Key, Frame | None] | None = None
        self._hold = 0
        self._is_secret = False
        self.faults: list[str] = []
        """What is not in the steps as it was done, in words for the user."""

    def finished(self) -> list[Step]:
        """Return the steps that cannot grow any more, each once."""
        return self._line.finished()

    def take(self, event: Event, frame: Frame | None = None) -> None:
        """Take the next event."""
        if self._is_secret:
            self._take_secret(event)
        else:
            self._take(event, frame)

    def mark(self, *, is_secret: bool) -> None:
        """Begin or end a moment of which no text, place or picture is kept."""
        self._let_go()
        self._is_secret = is_secret

    def ignore_held(self) -> None:
        """Regard the modifiers that are down as used: they were held for a key that is none of the recording."""
        for held in self._held.values():
            held.is_used = True

    def cut(self, at: float, frame: Frame | None = None) -> None:
        """End here, or leave a gap: nothing before is joined with what comes, and nothing is held any more."""
        self._let_go()
        for held in self._held.values():
            self._release(held, at, frame)
        self._held.clear()
        self._line.end()

    def _take_secret(self, event: Event) -> None:
        kept = kept_of(event, is_shortcut=self._is_commanding)
        if kept is None and not isinstance(event, Key):
            self._fault_once("what the mouse did in a marked moment is left out")
        if kept is not None:
            self._take(kept, None)

    def _take(self, event: Event, frame: Frame | None) -> None:
        if isinstance(event, Key):
            if event.modifier:
                self._modifier(event, frame)
            elif event.is_down:
                self._key(event, frame)
        elif isinstance(event, Button):
            self._button(event, frame)
        else:
            self._announce(event.at, frame)
            amount, direction = NOTCH_PX, event.direction
            self._add(step("scroll", event.at, frame, x=event.x, y=event.y, direction=direction, amount=amount))

    # Keys

    def _modifier(self, key: Key, frame: Frame | None) -> None:
        if key.is_down:
            if key.code not in self._held:  # else the keyboard repeats it
                self._held[key.code] = _Held(key, frame)
                self._hold += 1
            return
        held = self._held.pop(key.code, None)
        self._hold += 1
        if held is None:
            return
        if held.is_announced:
            self._release(held, key.at, frame)
        elif not held.is_used and key.modifier == "chord":
            self._add(step("press", held.key.at, held.frame, keys=[held.key.name]))

    def _key(self, key: Key, frame: Frame | None) -> None:
        for held in self._held.values():
            held.is_used = True
        if self._is_commanding or not (key.text or key.combining or not key.name):
            self._drop_accent()
            self._command(key, frame)
        elif key.combining and self._accent is None:
            self._accent = (key, frame)
        else:
            self._type(key, frame)

    @property
    def _is_commanding(self) -> bool:
        """Whether a key pressed now is a shortcut, whatever it would type."""
        return any(held.key.modifier == "chord" for held in self._held.values())

    def _command(self, key: Key, frame: Frame | None) -> None:
        modifiers = [held.key.name for held in self._held.values() if not held.is_announced]
        if not key.name:
            self._fault_once("a shortcut with a key that nobody could read is left out")
        elif modifiers:
            made = step("hotkey", key.at, frame, keys=[*modifiers, key.name])
            self._add(replace(made, hold=self._hold))
        else:
            self._add(step("press", key.at, frame, keys=[key.name]))

    def _type(self, key: Key, frame: Frame | None) -> None:
        text = key.text
        if self._accent is not None:
            accent, frame = self._accent
            text = accented(accent.combining, key.text, key.combining)
            key = key._replace(at=accent.at)
            self._accent = None
        if not text:
            text = UNREADABLE
            self._fault_once(f"a text has a key that nobody could read; {UNREADABLE} stands for each")
        self._add(step("type", key.at, frame, text=text))

    def _drop_accent(self) -> None:
        """Drop an accent that no letter followed, as most programs do, and say so."""
        if self._accent is not None:
            self._accent = None
            self._fault_once("an accent that no letter followed is left out")

    # The mouse

    def _button(self, event: Button, frame: Frame | None) -> None:
        if event.is_down:
            self._drop_accent()
            self._announce(event.at, frame)
            self._pressed[event.name] = _Pressed(event, frame)
            return
        pressed = self._pressed.pop(event.name, None)
        if pressed is None:
            return  # it went down before the recording, or in a pause
        made = _clicked(pressed, event)
        if made.action.type == "drag":
            if self._line.has_waiting:
                self._fault_once("what was done during a drag stands after it")
            self._announce(pressed.event.at, pressed.frame)  # Ctrl pressed on the way makes a move a copy
        self._line.add_later(made)
        if not self._pressed:
            self._line.catch_up()

    def _announce(self, at: float, frame: Frame | None) -> None:
        """Say which modifiers are held for what the mouse does."""
        for held in self._held.values():
            held.is_used = True
            if not held.is_announced:
                held.is_announced = True
                self._add(step("key_down", at, frame, key=held.key.name))

    def _release(self, held: _Held, at: float, frame: Frame | None) -> None:
        if held.is_announced:
            self._add(step("key_up", at, frame, key=held.key.name))

    # Steps

    def _add(self, made: Step) -> None:
        """Add a step; while a mouse button is down, it waits until what the button does is known."""
        made = replace(made, is_marked=self._is_secret)
        if self._pressed:
            self._line.add_later(made)
        else:
            self._line.add(made)

    def _let_go(self) -> None:
        """Give up what is half done."""
        self._drop_accent()
        if self._pressed:
            self._pressed.clear()
            self._fault_once(
                "what the mouse did is left out where its button was down as a pause, a marked moment or the end came"
            )
        self._line.catch_up()

    def _fault_once(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)


def merge(events: Iterable[Event]) -> list[Step]:
    """Return the steps of a whole stream of events."""
    merger = Merger()
    at = 0.0
    for event in events:
        merger.take(event)
        at = event.at
    merger.cut(at)
    return merger.finished()


def _clicked(pressed: _Pressed, event: Button) -> Step:
    down, frame = pressed
    if max(abs(event.x - down.x), abs(event.y - down.y)) <= DRAG_PX:
        return step("click", down.at, frame, x=down.x, y=down.y, button=down.name, num_clicks=1)
    other = {} if down.name == "left" else {"button": down.name}
    made = step("drag", down.at, frame, start_x=down.x, start_y=down.y, end_x=event.x, end_y=event.y, **other)
    return replace(made, last=event.at)
