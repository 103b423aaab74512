"""What an agent leaves behind is read with a bound, however much it is."""

import json
import tracemalloc

import pytest

from agenthorizon.harness import Ended
from agenthorizon.judging.scrubbing import KEPT


@pytest.fixture
def ended(tmp_path):
    for name in ("stdout", "stderr"):
        (tmp_path / name).touch()
    (tmp_path / "home").mkdir()
    return Ended(tmp_path / "stdout", tmp_path / "stderr", tmp_path / "home", 0)


def sparse(path, size, end):
    """A file of a size that takes no room, with a text at its end."""
    with path.open("wb") as file:
        file.truncate(size)
        file.seek(size - len(end))
        file.write(end)


def peak(act):
    tracemalloc.start()
    try:
        return act(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_the_end_of_a_huge_stderr_is_read_alone(ended):
    sparse(ended.stderr, 2**33, b"x" * 5000 + b"the cause")
    said, memory = peak(lambda: ended.complaint(100))
    assert said == "x" * 91 + "the cause"
    assert memory < 2**20


def test_a_short_stderr_is_read_whole(ended):
    ended.stderr.write_text(" the cause \n")
    assert ended.complaint(100) == "the cause"


@pytest.mark.parametrize("read", ["left_json", "left_events"])
def test_a_huge_file_is_read_up_to_a_bound(ended, read):
    sparse(ended.home / "log", 2**33, b"\n{}")
    found, memory = peak(lambda: getattr(ended, read)("log"))
    assert (found if read == "left_json" else list(found)) in (None, [])
    assert memory < 8 * KEPT


def test_events_end_at_line_feeds_alone(ended):
    event = {"text": "one\u2028two\x85three"}
    (ended.home / "log").write_text(json.dumps(event, ensure_ascii=False) + "\n")
    assert list(ended.left_events("log")) == [event]
