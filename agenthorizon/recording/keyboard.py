"""What a key means at the moment: the X11 rules for layouts, Shift, Caps Lock, Num Lock and AltGr, as a pure function.

A key has a row of keysyms: two levels of the first layout, two of the second, then the two AltGr levels of each.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from agenthorizon.recording.events import Modifier
from agenthorizon.recording.keysyms import character, combining

_SHIFT, _LOCK = 1 << 0, 1 << 1
_GROUP_BIT = 13
"""Bits 13 and 14 of a state hold the layout's number."""
_LAYOUTS = 2
"""Layouts that a row of keysyms holds; X has no place in it for a third."""
_KEYPAD = range(0xFF80, 0xFFBE)
_NAMES = {
    0xFF08: "backspace", 0xFF09: "tab", 0xFF0D: "enter", 0xFF13: "pause", 0xFF14: "scrolllock", 0xFF1B: "esc",
    0xFF50: "home", 0xFF51: "left", 0xFF52: "up", 0xFF53: "right", 0xFF54: "down", 0xFF55: "pageup",
    0xFF56: "pagedown", 0xFF57: "end", 0xFF61: "printscreen", 0xFF63: "insert", 0xFF67: "apps", 0xFF6B: "pause",
    0xFF7F: "numlock", 0xFF8D: "enter", 0xFF89: "tab", 0xFF95: "home", 0xFF96: "left", 0xFF97: "up", 0xFF98: "right",
    0xFF99: "down", 0xFF9A: "pageup", 0xFF9B: "pagedown", 0xFF9C: "end", 0xFF9E: "insert", 0xFF9F: "delete",
    0xFFFF: "delete", 0xFFE5: "capslock", 0xFE20: "tab",
    0x1008FF11: "volumedown", 0x1008FF12: "volumemute", 0x1008FF13: "volumeup", 0x1008FF14: "playpause",
    0x1008FF16: "prevtrack", 0x1008FF17: "nexttrack",
    **{0xFFBD + n: f"f{n}" for n in range(1, 25)},
}  # fmt: skip
_CHORD = {
    0xFFE3: "ctrl", 0xFFE4: "ctrlright", 0xFFE7: "win", 0xFFE8: "winright", 0xFFE9: "alt", 0xFFEA: "altright",
    0xFFEB: "win", 0xFFEC: "winright",
}  # fmt: skip
_LATCHES = range(0xFE01, 0xFE14)
"""What changes layout or level: nothing is typed by it, and what it did is in the state of the keys after it."""
_COMPOSE = 0xFF20
_FUNCTIONS = (range(0xFD00, 0x10000), range(0x10080000, 0x10090000))
"""Keysyms of keys that type nothing: those of old terminals, and brightness, mail, sleep …"""
_TEXT = {0xFFE1: "shift", 0xFFE2: "shiftright", 0xFE03: "altright", 0xFF7E: "altright"}


class Masks(NamedTuple):
    """Which bits of a state stand for what on this keyboard; here as most have them."""

    num_lock: int = 1 << 4
    level3: int = 1 << 7
    """AltGr."""
    alt: int = 1 << 3
    win: int = 1 << 6


def masks_of(bits: Mapping[int, int]) -> Masks:
    """Return the masks of a keyboard, given the bit of each keysym that is a modifier."""
    usual = Masks()
    level3 = next((bits[keysym] for keysym in (0xFE03, 0xFF7E) if keysym in bits), usual.level3)
    num_lock, alt, win = (
        bits.get(keysym, bit) for keysym, bit in ((0xFF7F, usual.num_lock), (0xFFE9, usual.alt), (0xFFEB, usual.win))
    )
    return Masks(num_lock, level3, alt, win)


class Meaning(NamedTuple):
    """What a key is and types; the fields are those of `events.Key`."""

    name: str = ""
    text: str = ""
    combining: str = ""
    modifier: Modifier = ""


def meaning(keysyms: Sequence[int], state: int, masks: Masks) -> Meaning:
    """Return what a key means, given its row of keysyms and the state of the modifiers before it went down."""
    first = keysyms[0] if keysyms else 0
    if first in _CHORD:  # whatever else is held: with Shift, Alt would be Meta
        return Meaning(_CHORD[first], modifier="chord")
    if first in _TEXT:
        return Meaning(_TEXT[first], modifier="text")
    layout = state >> _GROUP_BIT & 3
    return _meaning(_chosen(keysyms, layout, state, masks), keysyms) if layout < _LAYOUTS else Meaning()


def keysym_of(name: str) -> int:
    """Return the keysym of a key by PyAutoGUI's name; 0 where it is none that a keyboard has by itself."""
    if len(name) == 1:
        return ord(name)
    return next((keysym for keysym, known in _NAMES.items() if known == name), 0)


def _meaning(keysym: int, keysyms: Sequence[int]) -> Meaning:
    """Return what one keysym of a row means."""
    if keysym in _NAMES:
        return Meaning(_NAMES[keysym])
    if keysym in _LATCHES:
        return Meaning("layout", modifier="text")
    if accent := combining(keysym):
        return Meaning(combining=accent)
    text = character(keysym)
    if not text and keysym != _COMPOSE and any(keysym in functions for functions in _FUNCTIONS):
        return Meaning(hex(keysym))
    return Meaning(_shortcut_name(keysyms, text), text)


def _chosen(keysyms: Sequence[int], layout: int, state: int, masks: Masks) -> int:
    """Return the keysym that layout and modifiers choose from a row."""
    has_level3 = bool(state & masks.level3) and any(keysyms[2 * _LAYOUTS :])
    start = 2 * layout + (2 * _LAYOUTS if has_level3 else 0)
    plain, shifted = _at(keysyms, start), _at(keysyms, start + 1)
    if not plain and not shifted:  # a layout without this key has the first one's; so has a key without AltGr level
        plain, shifted = _at(keysyms, 0), _at(keysyms, 1)
    is_shifted = bool(state & _SHIFT)
    if plain in _KEYPAD or shifted in _KEYPAD:
        is_shifted ^= bool(state & masks.num_lock)
    elif state & _LOCK and _is_letter(character(plain), character(shifted)):
        is_shifted = not is_shifted
    return (shifted if is_shifted else plain) or plain


def _at(keysyms: Sequence[int], index: int) -> int:
    return keysyms[index] if index < len(keysyms) else 0


def _is_letter(plain: str, shifted: str) -> bool:
    """Whether Caps Lock acts on a key: its two levels are one letter, small and large."""
    return plain != shifted and plain.upper() == shifted


def _shortcut_name(keysyms: Sequence[int], text: str) -> str:
    """Return what a shortcut calls a key: its Latin letter also while another alphabet's layout is on."""
    if text.isalpha() and not text.isascii():
        latin = (character(keysym) for keysym in keysyms[: 2 * _LAYOUTS : 2])
        return next((letter for letter in latin if letter.isascii() and letter.isalpha()), text).lower()
    return {" ": "space"}.get(text, text.lower())
