"""Actions as they are drawn: where, and with which words."""

import pytest

from agenthorizon.report.page.pointers import pointer
from agenthorizon.task import Action


def drawn(kind, **parameters):
    return pointer(Action(type=kind, parameters=parameters))


@pytest.mark.parametrize(
    ("action", "kind", "said", "points", "detail"),
    [
        (("click", {"x": 1, "y": 2, "button": "right"}), "click", "right click", (1, 2), "right"),
        (("click", {"x": 1, "y": 2, "num_clicks": 2}), "click", "double left click", (1, 2), "double left"),
        (("drag", {"start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4}), "drag", "drag", (1, 2, 3, 4), ""),
        (("scroll", {"x": 1, "y": 2, "direction": "up"}), "scroll", "scroll up", (1, 2), "up"),
        (("type", {"text": "a b"}), "text", "types", (), "a b"),
        (("hotkey", {"keys": ["ctrl", "s"]}), "keys", "hotkey", (), "ctrl+s"),
        (("press", {"keys": ["tab", "enter"]}), "keys", "presses", (), "tab enter"),
        (("key_down", {"key": "shift"}), "keys", "holds down", (), "shift"),
        (("wait", {"duration_s": 2}), "wait", "waits 2 s", (), ""),
        (("touch", {"x": 1, "y": 2}), "other", "touch", (1, 2), ""),
    ],
)
def test_each_kind_of_action(action, kind, said, points, detail):
    found = drawn(action[0], **action[1])
    assert (found.kind, found.said, found.points, found.detail) == (kind, said, points, detail)


@pytest.mark.parametrize("x", [None, "7", True, float("nan"), float("inf"), 1e9, [1]])
def test_what_is_no_coordinate_is_not_drawn(x):
    assert drawn("click", x=x, y=1).points == ()


def test_typed_text_cannot_reorder_the_line():
    assert drawn("type", text="a\u202eb").detail == "a\\u202eb"
