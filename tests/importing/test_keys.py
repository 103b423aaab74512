"""Names of keys: X11 keysyms, browser names and chords become PyAutoGUI's names; unknown ones stay."""

import pytest

from agenthorizon.importing.keys import chord, is_known_key, key_name


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        ("Return", "enter"),
        ("KP_Enter", "enter"),
        ("Control_L", "ctrl"),
        ("Control_R", "ctrlright"),
        ("Super_L", "win"),
        ("BackSpace", "backspace"),
        ("Escape", "esc"),
        ("Print", "printscreen"),
        ("Page_Down", "pagedown"),
        ("Prior", "pageup"),
        ("F11", "f11"),
        ("comma", ","),
        ("KP_7", "num7"),
        ("ArrowUp", "up"),
        ("a", "a"),
        ("A", "A"),
        ("é", "é"),
    ],
)
def test_a_key_has_pyautoguis_name(recorded, expected):
    assert key_name(recorded) == expected
    assert is_known_key(expected)


def test_an_unknown_key_stays_as_recorded_and_is_called_unknown():
    assert key_name("XF86Mail") == "XF86Mail"
    assert not is_known_key("XF86Mail")


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        ("Ctrl+S", ["ctrl", "s"]),
        ("Control+Shift+Escape", ["ctrl", "shift", "esc"]),
        ("Ctrl++", ["ctrl", "+"]),
        ("+", ["+"]),
        ("Enter", ["enter"]),
        ("cmd + space", ["command", "space"]),
        ("Meta+Alt_R+F4", ["win", "altright", "f4"]),
    ],
)
def test_a_chord_is_split_into_its_keys(recorded, expected):
    assert chord(recorded) == expected
