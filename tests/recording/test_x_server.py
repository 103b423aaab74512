"""Times that an X server says, on our clock."""

import pytest

from agenthorizon.recording.x_server import on_our_clock


@pytest.mark.parametrize(
    ("server_ms", "now", "at"),
    [
        (100_000, 100.25, 100.0),
        (100_000, 100.0, 100.0),
        (100_001, 100.0004, 100.0004),
        (2**32 - 1_000, 2**32 / 1000 + 1.5, 2**32 / 1000 - 1.0),
        (500, 2**32 / 1000 + 1.5, 2**32 / 1000 + 0.5),
    ],
    ids=["late", "at once", "rounded up", "before it ran over", "after it ran over"],
)
def test_a_time_of_a_server_on_this_machine_is_exact_to_a_millisecond(server_ms, now, at):
    assert on_our_clock(server_ms, now) == pytest.approx(at, abs=0.001)


@pytest.mark.parametrize("server_ms", [5, 4_000_000_000])
def test_a_server_with_a_clock_of_its_own_is_taken_to_speak_of_now(server_ms):
    assert on_our_clock(server_ms, 90_000.0) == 90_000.0
