"""A text that tells where a recording lies is known however it is spelt; a common word is not taken for one."""

import pytest

from agenthorizon.dataset.recorded_places import is_own, recorded_places

PLACES = recorded_places(["data/images/rec-4711/step_0.png", None, "data/images/rec-4711/step_1.png"], "task-0815")


@pytest.mark.parametrize(
    "text",
    [
        "data/images/rec-4711/step_0.png",
        "./data//images/./rec-4711/step_1.png",
        "DATA\\Images\\Rec-4711\\Step_1.png",
        "data%2Fimages%2Frec-4711%2Fstep_0.png",
        "data%252Fimages%252Frec-4711",
        "rec\u200b-4711",
        "file:///home/user/data/images/rec-4711/step_7.png",
        "rec-4711",
        "step_1.png",
        "task-0815",
    ],
)
def test_a_place_is_told_in_any_spelling(text):
    assert PLACES.told_by(text)


@pytest.mark.parametrize("text", ["", "images", "rec-4712", "step_2.png", "the recording rec-4711", "out/step_0.png"])
def test_another_text_tells_no_place(text):
    assert not PLACES.told_by(text)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("rec-4711", True), ("images", False), ("1024", False), ("20260131", True), ("a1", False)],
)
def test_a_folder_is_a_recordings_own_by_its_length_and_its_digits(name, expected):
    assert is_own(name) is expected
