"""Streams of events, straight and awkward, and the steps they become."""

import pytest

from agenthorizon.recording.frames import Frame
from agenthorizon.recording.merging import Merger, merge


def steps(hands):
    return [(step.action.type, step.action.parameters) for step in merge(hands.events)]


def click(x=10, y=20, button="left", num_clicks=1):
    return "click", {"x": x, "y": y, "button": button, "num_clicks": num_clicks}


def drag(*points, **more):
    return "drag", {**dict(zip(("start_x", "start_y", "end_x", "end_y"), points, strict=True)), **more}


def typed(text):
    return "type", {"text": text}


def pressed(*keys):
    return "press", {"keys": list(keys)}


def hotkey(*keys):
    return "hotkey", {"keys": list(keys)}


def key_down(key):
    return "key_down", {"key": key}


def key_up(key):
    return "key_up", {"key": key}


# Typing


def test_letters_and_spaces_in_a_row_are_one_text(hands):
    assert steps(hands.type("two words")) == [typed("two words")]


def test_shift_makes_the_large_letter_and_no_step(hands):
    hands.down("shift").type("W").up("shift").type("ords").down("shift").type("!").up("shift")
    assert steps(hands) == [typed("Words!")]


def test_shift_pressed_for_nothing_is_no_step(hands):
    assert steps(hands.type("a").press("shift").type("b")) == [typed("ab")]


def test_a_letter_held_down_is_typed_as_often_as_the_keyboard_repeats_it(hands):
    for _ in range(4):
        hands.down("a", text="a")
    assert steps(hands.up("a", text="a").type("b")) == [typed("aaaab")]


def test_keys_that_overlap_are_typed_in_the_order_in_which_they_went_down(hands):
    hands.down("a", text="a").down("b", text="b").up("a", text="a").up("b", text="b")
    assert steps(hands) == [typed("ab")]


def test_a_text_after_a_long_pause_is_a_step_of_its_own(hands):
    assert steps(hands.type("ab").wait(4).type("c").wait(6).type("d")) == [typed("abc"), typed("d")]


def test_a_text_ends_at_a_click(hands):
    assert steps(hands.type("ab").click().type("c")) == [typed("ab"), click(), typed("c")]


def test_enter_and_backspace_are_pressed_and_cut_a_text(hands):
    hands.type("helo").press("backspace").type("lo").press("enter")
    assert steps(hands) == [typed("helo"), pressed("backspace"), typed("lo"), pressed("enter")]


def test_one_key_again_and_again_is_one_step_until_its_pace_breaks(hands):
    hands.press("down", "down").wait(0.3).press("down").wait(1).press("down").press("enter")
    assert steps(hands) == [pressed("down", "down", "down"), pressed("down"), pressed("enter")]


def test_space_by_itself_is_the_key_and_no_text(hands):
    assert steps(hands.press("tab").type(" ").press("tab")) == [pressed("tab"), pressed("space"), pressed("tab")]


def test_altgr_makes_another_character_and_no_hotkey(hands):
    hands.type("a").down("altright").down("q", text="@").up("q", text="@").up("altright").type("b")
    assert steps(hands) == [typed("a@b")]


@pytest.mark.parametrize(
    ("combining", "then", "text"),
    [("\u0301", "e", "é"), ("\u0308", "U", "Ü"), ("\u0302", " ", "^"), ("\u0327", "c", "ç")],
)
def test_a_dead_key_goes_onto_the_next_character(hands, combining, then, text):
    assert steps(hands.type("x").accent(combining).type(then).type("y")) == [typed(f"x{text}y")]


def test_a_dead_key_pressed_twice_types_the_accent(hands):
    assert steps(hands.accent("\u0303").accent("\u0303")) == [typed("~")]


def test_an_accent_before_shift_and_a_letter_waits_for_the_letter(hands):
    hands.accent("\u0301").down("shift").type("E").up("shift")
    assert steps(hands) == [typed("É")]


def test_a_key_that_nobody_could_read_is_seen_in_the_text_and_said(hands):
    hands.type("caf").down("").up("").type("!")
    merger = merged(hands)
    assert [step.action.parameters for step in merger.finished()] == [{"text": "caf\ufffd!"}]
    assert merger.faults == ["a text has a key that nobody could read; \ufffd stands for each"]


@pytest.mark.parametrize("then", ["q", "\u0301"])
def test_an_accent_that_fits_no_letter_is_said(hands, then):
    merger = merged(hands.accent("\u0327").type(then))
    assert merger.finished()[0].action.parameters == {"text": "\ufffd"}
    assert len(merger.faults) == 1


def test_an_accent_dropped_by_another_key_is_said(hands):
    merger = merged(hands.accent("\u0301").press("esc"))
    assert [step.action.parameters for step in merger.finished()] == [{"keys": ["esc"]}]
    assert merger.faults == ["an accent that no letter followed is left out"]


# Shortcuts


def test_a_modifier_and_a_key_are_a_hotkey_in_the_order_of_pressing(hands):
    assert steps(hands.hotkey("ctrl", "shift", "s")) == [hotkey("ctrl", "shift", "s")]


def test_a_shortcut_with_a_letter_is_no_text(hands):
    hands.type("a").down("ctrl").type("c").up("ctrl").type("b")
    assert steps(hands) == [typed("a"), hotkey("ctrl", "c"), typed("b")]


def test_two_shortcuts_during_one_holding_are_two(hands):
    assert steps(hands.down("ctrl").press("c").press("v").up("ctrl")) == [hotkey("ctrl", "c"), hotkey("ctrl", "v")]


def test_a_modifier_let_go_before_the_key_is_a_hotkey_all_the_same(hands):
    assert steps(hands.down("ctrl").down("s").up("ctrl").up("s").type("x")) == [hotkey("ctrl", "s"), typed("x")]


def test_a_modifier_that_the_keyboard_repeats_is_held_once(hands):
    assert steps(hands.down("ctrl").down("ctrl").down("ctrl").press("s").up("ctrl")) == [hotkey("ctrl", "s")]


def test_shift_and_a_key_without_text_are_a_hotkey(hands):
    assert steps(hands.hotkey("shift", "tab")) == [hotkey("shift", "tab")]


@pytest.mark.parametrize("key", ["alt", "win", "ctrl"])
def test_a_modifier_pressed_for_itself_is_pressed(hands, key):
    assert steps(hands.press(key).type("f")) == [pressed(key), typed("f")]


def test_switching_over_two_windows_is_one_hotkey_and_not_the_same_as_switching_twice(hands, others):
    held = hands.down("alt").press("tab", "tab").up("alt")
    assert steps(held) == [hotkey("alt", "tab", "tab")]
    again = others().hotkey("alt", "tab").hotkey("alt", "tab")
    assert steps(again) == [hotkey("alt", "tab"), hotkey("alt", "tab")]


def test_a_shortcut_with_a_key_that_nobody_could_read_is_said(hands):
    merger = merged(hands.down("ctrl").down("").up("").up("ctrl"))
    assert merger.finished() == []
    assert merger.faults == ["a shortcut with a key that nobody could read is left out"]


# Clicks and drags


@pytest.mark.parametrize(("pause", "second"), [(0.2, [click(num_clicks=2)]), (0.35, [click(), click()])])
def test_two_clicks_are_a_double_click_when_quick(hands, pause, second):
    assert steps(hands.click().wait(pause).click()) == second  # a click takes 0.1 s


@pytest.mark.parametrize(("x", "second"), [(14, [click(num_clicks=2)]), (15, [click(), click(15)])])
def test_two_clicks_are_a_double_click_when_in_one_place(hands, x, second):
    assert steps(hands.click().click(x)) == second


def test_three_clicks_are_a_triple_click_and_a_fourth_begins_anew(hands):
    assert steps(hands.click().click().click().click()) == [click(num_clicks=3), click()]


def test_clicks_of_two_buttons_are_two(hands):
    assert steps(hands.click().click(name="right")) == [click(), click(button="right")]


def test_a_key_between_two_clicks_keeps_them_apart(hands):
    assert steps(hands.click().press("esc").click()) == [click(), pressed("esc"), click()]


@pytest.mark.parametrize(("end", "made"), [((15, 20), click()), ((16, 20), drag(10, 20, 16, 20))])
def test_a_button_that_comes_up_elsewhere_has_dragged(hands, end, made):
    assert steps(hands.button(True, 10, 20).button(False, *end)) == [made]


def test_a_long_press_in_one_place_is_a_click(hands):
    assert steps(hands.button(True, 10, 20).wait(3).button(False, 11, 20)) == [click()]


def test_a_drag_with_another_button_says_which(hands):
    hands.button(True, 1, 2, "middle").button(False, 90, 2, "middle")
    assert steps(hands) == [drag(1, 2, 90, 2, button="middle")]


def test_a_drag_after_a_click_is_a_step_of_its_own(hands):
    hands.click().button(True, 10, 20).button(False, 90, 20)
    assert steps(hands) == [click(), drag(10, 20, 90, 20)]


def test_two_buttons_at_once_are_two_clicks_in_the_order_of_going_down(hands):
    hands.button(True, 1, 1).button(True, 1, 1, "right").button(False, 1, 1, "right").button(False, 1, 1)
    assert steps(hands) == [click(1, 1), click(1, 1, "right")]


def test_a_button_that_was_down_before_the_recording_is_no_step(hands):
    assert steps(hands.button(False, 300, 20).click()) == [click()]


def test_a_modifier_that_the_keyboard_repeats_between_clicks_stays_down(hands):
    hands.down("ctrl").click(10).down("ctrl").wait(1).click(50).up("ctrl")
    assert steps(hands) == [key_down("ctrl"), click(10), click(50), key_up("ctrl")]


def test_ctrl_held_across_clicks_goes_down_before_and_up_after(hands):
    hands.down("ctrl").click(10).wait(1).click(50).up("ctrl").click(90)
    assert steps(hands) == [key_down("ctrl"), click(10), click(50), key_up("ctrl"), click(90)]


def test_shift_held_across_a_click_counts_too(hands):
    assert steps(hands.down("shift").click().up("shift")) == [key_down("shift"), click(), key_up("shift")]


def test_a_key_pressed_while_a_modifier_is_held_for_clicks_is_pressed_with_it(hands):
    hands.down("ctrl").click().press("c").up("ctrl")
    assert steps(hands) == [key_down("ctrl"), click(), pressed("c"), key_up("ctrl")]


def test_ctrl_let_go_before_the_button_is_up_after_the_click(hands):
    hands.down("ctrl").button(True, 10, 20).up("ctrl").button(False, 10, 20)
    assert steps(hands) == [key_down("ctrl"), click(), key_up("ctrl")]


def test_ctrl_pressed_on_the_way_makes_the_drag_a_copy(hands):
    hands.button(True, 10, 20).down("ctrl").button(False, 90, 20).up("ctrl")
    assert steps(hands) == [key_down("ctrl"), drag(10, 20, 90, 20), key_up("ctrl")]


def test_a_key_pressed_during_a_drag_stands_after_it_and_that_is_said(hands):
    merger = merged(hands.button(True, 10, 20).press("esc").button(False, 90, 20))
    assert [step.action.type for step in merger.finished()] == ["drag", "press"]
    assert merger.faults == ["what was done during a drag stands after it"]


# The wheel


def test_notches_in_a_row_are_one_scroll_of_a_hundred_pixels_each(hands):
    hands.wheel().wheel(x=30).wheel().wait(2).wheel()
    scroll = {"x": 10, "y": 20, "direction": "down"}
    assert steps(hands) == [("scroll", {**scroll, "amount": 300}), ("scroll", {**scroll, "amount": 100})]


def test_another_direction_or_place_is_another_scroll(hands):
    hands.wheel().wheel("up").wheel("right").wheel("right", x=200)
    directions = [(step["direction"], step["x"]) for _, step in steps(hands)]
    assert directions == [("down", 10), ("up", 10), ("right", 10), ("right", 200)]


def test_the_wheel_with_ctrl_is_held_across(hands):
    hands.down("ctrl").wheel().wheel().up("ctrl")
    scroll = ("scroll", {"x": 10, "y": 20, "direction": "down", "amount": 200})
    assert steps(hands) == [key_down("ctrl"), scroll, key_up("ctrl")]


# Pauses, and frames


def merged(hands):
    merger = Merger()
    for event in hands.events:
        merger.take(event)
    merger.cut(hands.at)
    return merger


def then(merger, hands):
    """Steps of more events after a pause."""
    for event in hands.events:
        merger.take(event)
    merger.cut(hands.at)
    return [(step.action.type, step.action.parameters) for step in merger.finished()]


def test_a_drag_cut_by_a_pause_is_left_out_and_said(hands, others):
    merger = merged(hands.type("a").button(True, 10, 20))
    assert then(merger, others().button(False, 90, 20).click()) == [typed("a"), click()]
    assert merger.faults == [
        "what the mouse did is left out where its button was down as a pause, a marked moment or the end came"
    ]


def test_a_modifier_held_for_clicks_goes_up_where_the_recording_pauses(hands, others):
    merger = merged(hands.down("ctrl").click())
    assert then(merger, others().up("ctrl").type("x")) == [key_down("ctrl"), click(), key_up("ctrl"), typed("x")]


def test_texts_before_and_after_a_pause_are_two(hands, others):
    assert then(merged(hands.type("a")), others().type("b")) == [typed("a"), typed("b")]


def test_modifiers_held_for_a_steering_key_are_no_step(hands, others):
    merger = Merger()
    for event in hands.down("ctrl").down("alt").events:
        merger.take(event)
    merger.ignore_held()
    assert then(merger, others().up("alt").up("ctrl").type("x")) == [typed("x")]


def frame(number):
    return Frame(bytes([number]), (1, 1), float(number))


def test_a_step_has_the_frame_before_its_first_event(hands):
    hands.type("ab").click().click().button(True, 10, 20).wait(1).button(False, 90, 20)
    merger = Merger()
    for number, event in enumerate(hands.events):
        merger.take(event, frame(number))
    merger.cut(hands.at)
    assert [step.frame and step.frame.since for step in merger.finished()] == [0, 4, 8]


def test_an_accented_letter_has_the_frame_before_its_accent(hands):
    merger = Merger()
    for number, event in enumerate(hands.accent("\u0301").type("e").events):
        merger.take(event, frame(number))
    merger.cut(hands.at)
    (step,) = merger.finished()
    assert (step.frame.since, step.at) == (0, 100.0)


def test_times_never_run_backwards_among_steps(hands):
    hands.down("ctrl").button(True, 1, 1).press("a").wheel().up("ctrl").button(False, 90, 1).press("alt").type("x")
    times = [step.at for step in merge(hands.events)]
    assert times == sorted(times)
