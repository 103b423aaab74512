"""Looking at screenshot files: each read once, with a bound, however large the file or however many of them."""

import os
import threading
import tracemalloc

from PIL import Image

from agenthorizon.construction.pictures import facts_of, look
from agenthorizon.evidence import images
from agenthorizon.evidence.decoding import MOST_THREADS


def test_a_file_larger_than_any_picture_is_a_fault_and_is_not_read(tmp_path):
    path = tmp_path / "huge.png"
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.truncate(images.MAX_BYTES + 1)
    tracemalloc.start()
    found = [facts_of(path, decode) for decode in (True, False)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [facts.size for facts in found] == [None, None]
    assert all("which no picture has" in (facts.fault or "") for facts in found)
    assert peak < 2**20


def test_a_file_is_read_once_whatever_its_format(tmp_path, monkeypatch):
    opened = []
    really = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *more, **named: opened.append(str(path)) or really(path, *more, **named)
    )
    for suffix in ("png", "jpg", "webp"):
        path = tmp_path / f"a.{suffix}"
        Image.new("RGB", (8, 6)).save(path)
        opened.clear()
        assert facts_of(path).size == (8, 6)
        assert opened.count(str(path)) == 1


def test_no_more_are_decoded_at_once_than_a_run_decodes(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    paths = []
    for number in range(40):
        paths.append(tmp_path / f"{number}.png")
        Image.new("RGB", (300, 200), (number, 0, 0)).save(paths[-1])
    before = threading.active_count()
    counts = []
    look(paths, progress=lambda *_: counts.append(threading.active_count() - before))
    assert len(counts) == 40
    assert max(counts) <= MOST_THREADS
