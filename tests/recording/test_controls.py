"""The keys that steer a recording."""

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.recording.controls import Controls

KEYS = {"pause": "ctrl+alt+p", "mark": "f12", "stop": "Ctrl+Alt+Shift+S"}


@pytest.fixture
def controls():
    return Controls(KEYS)


def seen(controls, hands):
    """Controls that events press, with the time at which the first key of each went down."""
    return [tuple(pressed) for event in hands.events if (pressed := controls.see(event))]


def test_a_key_with_its_modifiers_is_a_control_since_the_first_went_down(controls, hands):
    assert seen(controls, hands.hotkey("ctrl", "alt", "p").type("x").press("f12")) == [
        ("pause", 100.0),
        ("mark", pytest.approx(100.4)),
    ]


@pytest.mark.parametrize("keys", [("alt", "ctrl", "p"), ("ctrlright", "altright", "p")])
def test_order_and_side_of_modifiers_do_not_matter(controls, hands, keys):
    assert [control for control, _ in seen(controls, hands.hotkey(*keys))] == ["pause"]


@pytest.mark.parametrize("keys", [("p",), ("ctrl", "p"), ("ctrl", "alt", "shift", "p"), ("ctrl", "alt", "s")])
def test_other_modifiers_make_another_key(controls, hands, keys):
    assert seen(controls, hands.hotkey(*keys)) == []


def test_a_control_held_down_counts_once_while_the_keyboard_repeats_it(controls, hands):
    hands.down("ctrl").down("alt").down("p").wait(0.5).down("p").down("p").up("p").up("alt").up("ctrl")
    assert len(seen(controls, hands)) == 1


def test_repeats_that_come_as_up_and_down_at_once_count_once(controls, hands):
    hands.down("f12")
    for _ in range(3):
        hands.up("f12").wait(-0.05).down("f12")
    assert len(seen(controls, hands.up("f12"))) == 1


def test_a_control_pressed_again_counts_again(controls, hands):
    assert len(seen(controls, hands.press("f12", "f12"))) == 2


@pytest.mark.parametrize("key", ["", "ctrl", "ctrl+", "q+w", "ctrl+nosuchkey"])
def test_what_is_no_key_is_refused_with_one_that_is(key):
    with pytest.raises(UsageError, match="expected a key such as f12"):
        Controls({**KEYS, "mark": key})


def test_one_key_for_two_things_is_refused():
    with pytest.raises(UsageError, match="one key for two things"):
        Controls({**KEYS, "mark": "alt+ctrl+P"})
