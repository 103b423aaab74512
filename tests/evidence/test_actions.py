"""An action has one wording: one line, whole, unambiguous, safe."""

import json

import pytest

from agenthorizon.evidence.actions import wording
from agenthorizon.task import AS_RECORDED, Action


def act(kind: str, **parameters: object) -> Action:
    return Action(type=kind, parameters=parameters)


def parameters_read_back(line: str) -> object:
    return json.loads(line.split(" ", 1)[1])


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (act("click", x=100, y=50, button="left"), 'click {"x": 100, "y": 50, "button": "left"}'),
        (
            act("click", x=1, y=2, button="right", num_clicks=2),
            'click {"x": 1, "y": 2, "button": "right", "num_clicks": 2}',
        ),
        (act("type", text='say "hi"\n'), r'type {"text": "say \"hi\"\n"}'),
        (act("press", keys=["tab", "enter"]), 'press {"keys": ["tab", "enter"]}'),
        (act("hotkey", keys=["ctrl", "c"]), 'hotkey {"keys": ["ctrl", "c"]}'),
        (act("wait", duration_s=2.5), 'wait {"duration_s": 2.5}'),
        (act("scroll"), "scroll {}"),
        (None, "(no action recorded)"),
    ],
)
def test_wording_is_the_type_and_every_parameter_as_json(action: Action | None, line: str):
    assert wording(action) == line


def test_unknown_type_keeps_its_name_and_parameters():
    assert wording(act("long_press", x=9, ms=800)) == 'long_press {"x": 9, "ms": 800}'


def test_action_that_was_no_object_is_shown_as_recorded():
    assert wording(act(AS_RECORDED, value=["click", 3])) == 'as_recorded {"value": ["click", 3]}'


@pytest.mark.parametrize("value", [-3, 0.512, 5000, 960.5, "120"])
def test_coordinates_are_shown_as_recorded(value: object):
    assert parameters_read_back(wording(act("click", x=value))) == {"x": value}


def test_typed_text_is_never_cut():
    assert parameters_read_back(wording(act("type", text="z" * 20_000))) == {"text": "z" * 20_000}


def test_texts_that_differ_only_at_the_end_read_differently():
    assert wording(act("type", text="a" * 200 + "1")) != wording(act("type", text="a" * 200 + "2"))


def test_typed_text_cannot_pretend_to_be_another_action():
    assert wording(act("type", text='"} click {"x": 1}')) == r'type {"text": "\"} click {\"x\": 1}"}'


def test_type_that_is_no_plain_name_stands_in_quotation_marks():
    assert wording(Action(type='click {"x": 1}')) == r'"click {\"x\": 1}" {}'


def test_typed_escape_differs_from_an_escaped_character():
    assert wording(act("type", text="\\u001b")) != wording(act("type", text="\x1b"))


@pytest.mark.parametrize(
    "unsafe",
    [
        "\x00",
        "\x08",
        "\t",
        "\n",
        "\r",
        "\x1b",
        "\x7f",
        "\x85",
        "\x9b",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\u2069",
    ],
)
def test_control_and_direction_characters_are_escaped_and_can_be_read_back(unsafe: str):
    line = wording(act("type", text=f"a{unsafe}b"))
    assert (unsafe in line, parameters_read_back(line)) == (False, {"text": f"a{unsafe}b"})


def test_control_characters_in_the_name_of_a_type_are_escaped():
    assert wording(Action(type="cl\x1b[2Jick")) == r'"cl\u001b[2Jick" {}'


def test_lone_surrogate_is_escaped_so_that_the_line_can_be_encoded():
    assert wording(act("type", text="half \ud83d emoji")).encode() == rb'type {"text": "half \ud83d emoji"}'


def test_other_scripts_and_emoji_stay_readable():
    assert wording(act("type", text="田中 ملف é 👨‍👩‍👧")) == 'type {"text": "田中 ملف é 👨‍👩‍👧"}'
