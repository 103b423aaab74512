"""Marked moments: what is entered in them is nowhere in the steps."""

import pytest

from agenthorizon.recording.frames import Frame
from agenthorizon.recording.merging import Merger

PICTURE = Frame(b"", (1, 1), 0.0)
REDACTED = {"text": "[redacted]"}


@pytest.fixture
def merger():
    return Merger()


def steps_of(merger, before, marked, after):
    """Steps of three parts, the middle one marked, as (type, parameters, whether it has a frame)."""
    for part, is_secret in ((before, None), (marked, True), (after, False)):
        if is_secret is not None:
            merger.mark(is_secret=is_secret)
        for event in part.events:
            merger.take(event, PICTURE)
    merger.cut(before.at)
    return [(step.action.type, step.action.parameters, step.frame is not None) for step in merger.finished()]


@pytest.mark.parametrize("secret", ["x", "hunter2", "two words and more"])
def test_a_marked_text_is_one_placeholder_however_long(merger, hands, others, secret):
    assert steps_of(merger, hands.type("me"), others().type(secret), others().type("you")) == [
        ("type", {"text": "me"}, True),
        ("type", REDACTED, False),
        ("type", {"text": "you"}, True),
    ]


def test_large_letters_accents_and_unreadable_keys_are_hidden_alike(merger, hands, others):
    secret = others().down("shift").type("A").up("shift").accent("\u0301").type("e").down("").up("")
    assert steps_of(merger, hands, secret, others()) == [("type", REDACTED, False)]
    assert merger.faults == []


def test_corrections_do_not_show_and_do_not_cut_the_placeholder(merger, hands, others):
    secret = others().type("hunted").press("backspace", "delete").type("r2")
    assert steps_of(merger, hands, secret, others()) == [("type", REDACTED, False)]


def test_keys_without_a_text_and_shortcuts_stay_without_a_frame(merger, hands, others):
    secret = others().type("me").press("tab").type("hunter2").press("enter").hotkey("ctrl", "v")
    assert steps_of(merger, hands, secret, others()) == [
        ("type", REDACTED, False),
        ("press", {"keys": ["tab"]}, False),
        ("type", REDACTED, False),
        ("press", {"keys": ["enter"]}, False),
        ("hotkey", {"keys": ["ctrl", "v"]}, False),
    ]


def test_places_of_clicks_drags_and_the_wheel_are_left_out_and_that_is_said(merger, hands, others):
    secret = others().click(51, 52).button(True, 1, 1).button(False, 90, 1).wheel()
    assert steps_of(merger, hands.click(), secret, others().type("x"))[1:] == [("type", {"text": "x"}, True)]
    assert merger.faults == ["what the mouse did in a marked moment is left out"]


def test_a_button_that_is_down_as_the_moment_begins_or_ends_is_left_out(merger, hands, others):
    marked = others().button(False, 90, 20).button(True, 10, 20)
    assert steps_of(merger, hands.button(True, 10, 20), marked, others().button(False, 90, 20)) == []


def test_a_placeholder_that_was_really_typed_is_no_redaction(merger, hands, others):
    made = steps_of(merger, hands.type("[redacted]"), others().type("secret"), others())
    assert [has_frame for _, _, has_frame in made] == [True, False]


def test_an_accent_typed_before_the_moment_does_not_go_onto_its_text(merger, hands, others):
    assert steps_of(merger, hands.accent("\u0301"), others().type("e"), others()) == [("type", REDACTED, False)]
    assert merger.faults == ["an accent that no letter followed is left out"]
