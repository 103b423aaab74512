"""What a key means, by rows of keysyms as X servers give them."""

import re
import unicodedata
from contextlib import suppress
from importlib import import_module

import pytest

from agenthorizon.recording.keyboard import Masks, Meaning, keysym_of, masks_of, meaning
from agenthorizon.recording.keysyms import character, combining

SHIFT, LOCK, CTRL, NUM_LOCK, ALTGR, SECOND = 1, 2, 4, 1 << 4, 1 << 7, 1 << 13
MASKS = Masks()

Q = [0x71, 0x51, 0x71, 0x51, 0x40, 0x7D9]  # German: q Q, again, @ Greek_OMEGA
EF = [0x61, 0x41, 0x6C6, 0x6E6]  # a A, Cyrillic ef EF
ONE = [0x31, 0x21, 0x31, 0x21]
KEYPAD_1 = [0xFF9C, 0xFFB1, 0xFF9C, 0xFFB1]
ALT = [0xFFE9, 0xFFE7, 0xFFE9, 0xFFE7]  # with Shift, Meta
TAB = [0xFF09, 0xFE20]
ACUTE = [0xFE51, 0xFE50, 0xFE51, 0xFE50]


def text(row, state=0):
    return meaning(row, state, MASKS).text


@pytest.mark.parametrize(
    ("row", "state", "wanted"),
    [
        (Q, 0, "q"),
        (Q, SHIFT, "Q"),
        (Q, LOCK, "Q"),
        (Q, SHIFT | LOCK, "q"),
        (Q, ALTGR, "@"),
        (Q, ALTGR | SHIFT, "Ω"),
        (Q, CTRL, "q"),
        (EF, SECOND, "ф"),
        (EF, SECOND | SHIFT, "Ф"),
        (EF, SECOND | LOCK, "Ф"),
        (ONE, LOCK, "1"),
        (ONE, SHIFT, "!"),
        (ONE, ALTGR, "1"),
        (KEYPAD_1, NUM_LOCK, "1"),
        (KEYPAD_1, NUM_LOCK | SHIFT, ""),
        ([0x20], SHIFT, " "),
        ([0x71], SECOND, "q"),
    ],
)
def test_layout_and_modifiers_choose_what_a_key_types(row, state, wanted):
    assert text(row, state) == wanted


@pytest.mark.parametrize(
    ("row", "state", "wanted"),
    [
        (Q, SHIFT, "q"),
        (EF, SECOND, "a"),
        ([0x6C6, 0x6E6], 0, "ф"),
        ([0x20], 0, "space"),
        (KEYPAD_1, 0, "end"),
        (TAB, SHIFT, "tab"),
        ([0xFF0D], 0, "enter"),
        ([0xFFC9], 0, "f12"),
        ([0xFF56], 0, "pagedown"),
        ([0x1008FF02], 0, "0x1008ff02"),
    ],
)
def test_a_key_has_the_name_that_shortcuts_call_it(row, state, wanted):
    assert meaning(row, state, MASKS).name == wanted


def test_alt_stays_alt_while_shift_is_held():
    assert meaning(ALT, SHIFT, MASKS) == Meaning("alt", modifier="chord")


def test_a_key_that_switches_layouts_is_neither_text_nor_command():
    assert meaning([0xFE08], 0, MASKS) == Meaning("layout", modifier="text")


@pytest.mark.parametrize(("keysym", "name"), [(0xFFE1, "shift"), (0xFFE2, "shiftright"), (0xFE03, "altright")])
def test_shift_and_altgr_make_text_and_no_command(keysym, name):
    assert meaning([keysym], 0, MASKS) == Meaning(name, modifier="text")


def test_a_dead_key_has_an_accent_and_no_text():
    assert meaning(ACUTE, 0, MASKS) == Meaning(combining="\u0301")
    assert meaning(ACUTE, SHIFT, MASKS) == Meaning(combining="\u0300")


@pytest.mark.parametrize("row", [[], [0, 0], [0xFF20]])
def test_a_key_that_nobody_knows_has_neither_name_nor_text(row):
    assert meaning(row, 0, MASKS) == Meaning()


def test_a_third_layout_is_not_guessed():
    assert meaning(Q, 2 << 13, MASKS) == Meaning()


def test_modifiers_are_found_where_the_keyboard_has_them():
    assert masks_of({0xFF7F: 1 << 5, 0xFE03: 1 << 3, 0xFFE9: 1 << 4, 0xFFEB: 1 << 6}) == Masks(32, 8, 16, 64)
    assert masks_of({}) == Masks()


@pytest.mark.parametrize("name", ["p", "1", "f12", "pause", "home", "esc"])
def test_the_keysym_of_a_name_means_that_name(name):
    assert meaning([keysym_of(name)], 0, MASKS).name == name


def letters(script):
    """Keysyms of X's own table whose names say a letter of a script: Cyrillic_EF, Greek_alpha."""
    table = vars(import_module(f"Xlib.keysymdef.{script.lower()}"))
    begins = re.compile(f"XK_{script}_(.+)", re.IGNORECASE)
    return {match[1]: keysym for name, keysym in table.items() if (match := begins.fullmatch(name))}


@pytest.mark.parametrize(("script", "least"), [("Cyrillic", 60), ("Greek", 40), ("Hebrew", 16)])
def test_letters_of_older_keysyms_are_those_that_their_names_say(script, least):
    found = 0
    for name, keysym in letters(script).items():
        size = "" if script == "Hebrew" else "CAPITAL " if name.isupper() else "SMALL "
        with suppress(KeyError):  # Unicode has another name for some
            wanted = unicodedata.lookup(f"{script} {size}LETTER {name}")
            assert character(keysym) == wanted, name
            found += 1
    assert found >= least


@pytest.mark.parametrize(
    ("keysym", "wanted"),
    [
        (0x1B1, "ą"),
        (0x13BD, "œ"),
        (0x20AC, "€"),
        (0x10020AC, "€"),
        (0xAA9, "—"),
        (0xAD2, "“"),
        (0xDA1, "ก"),
        (0x7F2, "σ"),
        (0x7F3, "ς"),
        (0x7B1, "ά"),
        (0x6A3, "ё"),
        (0x6A4, "є"),
        (0x6A6, "і"),
        (0x6BD, "Ґ"),
        (0xE9, "é"),
        (0xFF0D, ""),
        (0xFE51, ""),
        (0x06C0 - 1, "Џ"),
        (0x7A6, ""),
    ],
)
def test_a_keysym_types_its_character(keysym, wanted):
    assert character(keysym) == wanted


def test_every_accent_is_a_combining_character():
    accents = [combining(keysym) for keysym in range(0xFE50, 0xFE70)]
    assert {unicodedata.combining(accent) > 0 for accent in accents if accent} == {True}
    assert [unicodedata.name(combining(keysym)) for keysym in (0xFE50, 0xFE51, 0xFE57, 0xFE5A, 0xFE5B)] == [
        "COMBINING GRAVE ACCENT",
        "COMBINING ACUTE ACCENT",
        "COMBINING DIAERESIS",
        "COMBINING CARON",
        "COMBINING CEDILLA",
    ]
