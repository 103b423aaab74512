"""The frames kept of the last moments."""

import pytest

from agenthorizon.recording import frames as module
from agenthorizon.recording.frames import Frame, Frames

SIZE = (2, 1)


@pytest.fixture
def frames():
    return Frames()


def add(frames, *pixels, since=1.0):
    """Add frames a second apart, each taken in a tenth of one."""
    for number, each in enumerate(pixels):
        frames.add(Frame(each, SIZE, since + number), since + number - 0.1)


def test_the_frame_before_a_moment_had_been_taken_by_then(frames):
    add(frames, b"a", b"b", b"c")
    assert [frame and frame.pixels for frame in map(frames.before, (0.9, 1.0, 2.5, 9.0))] == [None, b"a", b"b", b"c"]


def test_a_screen_at_rest_costs_one_frame(frames):
    add(frames, b"a", b"a", b"a", b"b", b"a")
    assert [frames.before(at).since for at in (3.5, 4.5, 9.0)] == [1.0, 4.0, 5.0]


def test_the_oldest_frames_make_way(frames):
    add(frames, *(bytes([number]) for number in range(module.MOST_FRAMES + 5)))
    assert frames.before(5.5) is None
    assert frames.before(6.0).pixels == bytes([5])


def test_memory_is_bounded_but_for_two_frames(frames, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    add(frames, *(bytes([number]) * 40 for number in range(5)))
    assert (frames.before(3.9), frames.before(4.0).since) == (None, 4.0)
    add(frames, *(bytes([number]) * 400 for number in range(3)), since=10.0)
    assert (frames.before(10.5), frames.before(11.0).since, frames.before(12.0).since) == (None, 11.0, 12.0)


def test_forgotten_frames_are_gone_and_so_is_the_one_being_taken(frames):
    add(frames, b"a", b"b")
    frames.forget(5.0)
    frames.add(Frame(b"c", SIZE, 5.05), 4.95)
    assert frames.before(9.0) is None
    frames.add(Frame(b"d", SIZE, 5.15), 5.05)
    assert frames.before(9.0).pixels == b"d"
