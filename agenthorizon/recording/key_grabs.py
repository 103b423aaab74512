"""Keeps the keys that steer a recording from the programs on the display: in a terminal, Ctrl+Alt+M would be Enter.

The record extension still shows them. A program that has the whole keyboard to itself, as an open menu may, gets them
nevertheless.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

from agenthorizon.errors import UsageError
from agenthorizon.recording.controls import Chord
from agenthorizon.recording.keyboard import Masks, keysym_of

_SHIFT, _LOCK, _CTRL = 1 << 0, 1 << 1, 1 << 2
_ASYNC = 1


def grab_keys(connection: Any, chords: Sequence[Chord], masks: Masks) -> None:
    """Take keys for ourselves until the connection closes.

    Raises UsageError for one that the keyboard lacks, or that another program has taken.
    """
    from Xlib.error import BadAccess, CatchError

    bits = {"shift": _SHIFT, "ctrl": _CTRL, "alt": masks.alt, "win": masks.win}
    for chord in chords:
        code = connection.keysym_to_keycode(keysym_of(chord.key))
        if not code:
            raise UsageError(f"this keyboard has no key {chord.key}; name another for steering the recording")
        held = sum(bits[name] for name in chord.modifiers)
        refused = CatchError(BadAccess)
        for caps_lock, num_lock in product((0, _LOCK), (0, masks.num_lock)):
            modifiers = held | caps_lock | num_lock
            connection.screen().root.grab_key(code, modifiers, False, _ASYNC, _ASYNC, onerror=refused)
        connection.sync()
        if refused.get_error():
            name = "+".join([*sorted(chord.modifiers), chord.key])
            raise UsageError(f"another program has taken {name}; name another key for steering the recording")
