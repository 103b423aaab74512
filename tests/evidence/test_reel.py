"""A task's screenshots come out as they would one by one, but are looked up, made and kept a stretch at a time."""

import sqlite3
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agenthorizon.case import FULL_SIZE, View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.decoding import decoding_threads
from agenthorizon.evidence.picture_cache import FILE, PictureCache
from agenthorizon.evidence.pictures import NamedFile, Pictures
from agenthorizon.evidence.pixels import Pixels
from agenthorizon.evidence.reel import LONGEST, Reel

VIEW = View()
MANY = 2 * LONGEST + 6

pytestmark = pytest.mark.usefixtures("settled")


class Counting(Pixels):
    """Pillow's way, which counts the pictures it decodes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.decoded_files = 0

    def decoded(self, *given: Any) -> Image.Image:
        with self._lock:
            self.decoded_files += 1
        return super().decoded(*given)


@pytest.fixture
def files(tmp_path: Path) -> list[NamedFile]:
    """Screenshots that differ in one grey."""
    made = []
    for number in range(MANY):
        path = tmp_path / f"step_{number}.png"
        Image.new("RGB", (64, 48), (3 * number,) * 3).save(path)
        made.append(NamedFile(path, f"the screenshot of step {number + 1}"))
    return made


def grey_of(data: bytes) -> int:
    return round(Image.open(BytesIO(data)).convert("L").getpixel((5, 5)) / 3)


def reel_of(files: list[NamedFile], folder: Path | None = None, pixels: Pixels | None = None) -> Reel:
    return Reel(files, Pictures(PictureCache(folder) if folder else None, pixels or Pixels()))


def all_of(reel: Reel, view: View = VIEW) -> list[int]:
    return [grey_of(reel.encoded(place, view)) for place in range(MANY)]


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize("view", [VIEW, FULL_SIZE], ids=["small", "full"])
def test_every_screenshot_comes_out_in_its_place(files, folder, is_kept, view):
    reel = reel_of(files, folder if is_kept else None)
    assert all_of(reel, view) == list(range(MANY))
    assert all_of(reel, view) == list(range(MANY))


def test_the_next_run_decodes_nothing_and_reads_no_file(files, folder, monkeypatch):
    all_of(reel_of(files, folder))
    monkeypatch.setattr("agenthorizon.evidence.images.file_bytes", None)
    monkeypatch.setattr("agenthorizon.evidence.recorded_file.file_bytes", None)
    assert all_of(reel_of(files, folder)) == list(range(MANY))


def test_a_stretch_is_made_by_all_threads_that_may_decode(files, folder):
    threads = decoding_threads()
    together = threading.Barrier(threads)

    class Meeting(Pixels):
        """Decodes nothing before every thread has something to decode."""

        def decoded(self, *given: Any) -> Image.Image:
            together.wait(timeout=20)
            return super().decoded(*given)

    reel = reel_of(files[: 4 * threads], folder, Meeting())
    assert [grey_of(reel.encoded(place, VIEW)) for place in range(4 * threads)] == list(range(4 * threads))


def test_equal_screenshots_of_a_stretch_are_decoded_once(files, folder):
    pixels = Counting()
    reel = reel_of([files[0]] * 5 + [files[1]] * 5, folder, pixels)
    assert [grey_of(reel.encoded(place, VIEW)) for place in range(10)] == [0] * 5 + [1] * 5
    assert pixels.decoded_files == 2


def test_who_begins_at_the_last_one_gets_that_one_alone(files, folder):
    pixels = Counting()
    reel = reel_of(files, folder, pixels)
    assert grey_of(reel.encoded(MANY - 1, VIEW)) == MANY - 1
    assert pixels.decoded_files == 1


def test_any_order_is_served(files, folder):
    reel = reel_of(files, folder)
    order = [5, 4, 6, 7, 0, 1, MANY - 1, 1, 0, 0, 40, 41]
    assert [grey_of(reel.encoded(place, VIEW)) for place in order] == order


def test_another_view_in_between_gets_its_own_pictures(files, folder):
    reel = reel_of(files, folder)
    tiny = View(fit=(16, 12), format="png")
    for place in (0, 1, 2):
        assert Image.open(BytesIO(reel.encoded(place, VIEW))).size == (64, 48)
        assert Image.open(BytesIO(reel.encoded(place, tiny))).size == (16, 12)


def test_a_screenshot_that_cannot_be_read_fails_alone_and_by_its_own_name(files, folder):
    files[3].path.write_bytes(b"\x89PNG\r\n\x1a\n")
    files[5].path.unlink()
    reel = reel_of(files, folder)
    for place in range(MANY):
        if place in (3, 5):
            with pytest.raises(JudgeFailure, match=f"^the screenshot of step {place + 1} cannot be read"):
                reel.encoded(place, VIEW)
        else:
            assert grey_of(reel.encoded(place, VIEW)) == place


@pytest.mark.parametrize(("is_kept", "most"), [(True, 1), (False, 2)])
def test_what_stands_beside_a_broken_one_is_not_decoded_again_and_again(files, folder, is_kept, most):
    files[3].path.write_bytes(b"\x89PNG\r\n\x1a\n")
    pixels = Counting()
    reel = reel_of(files, folder if is_kept else None, pixels)
    for place in range(MANY):
        if place == 3:
            with pytest.raises(JudgeFailure):
                reel.encoded(place, VIEW)
        else:
            reel.encoded(place, VIEW)
    assert MANY - 1 <= pixels.decoded_files <= most * (MANY - 1)


def test_a_file_written_anew_is_made_anew(files, folder):
    all_of(reel_of(files, folder))
    Image.new("RGB", (64, 48), (240,) * 3).save(files[7].path)
    assert grey_of(reel_of(files, folder).encoded(7, VIEW)) == 80
    assert all_of(reel_of(files, folder)) == [80 if place == 7 else place for place in range(MANY)]


@pytest.mark.parametrize(
    "statement",
    [
        "update blocks set data = zeroblob(length(data))",
        "update blocks set data = substr(data, 1, 100)",
        "delete from blocks where id = 1",
        "update stretches set places = zeroblob(length(places))",
        "update stretches set places = null",
        "update stretches set checksum = 'text'",
        "update stretches set block = 2",
        "update stretches set (block, places, checksum) = "
        "(select block, places, checksum from stretches order by block desc limit 1)",
    ],
)
def test_a_damaged_stretch_is_not_believed(files, folder, statement):
    all_of(reel_of(files, folder))
    with sqlite3.connect(folder / FILE) as database:
        database.execute(statement)
    database.close()
    assert all_of(reel_of(files, folder)) == list(range(MANY))
    assert all_of(reel_of(files, folder)) == list(range(MANY))


@pytest.mark.parametrize("value", ["-1", "4294967296", "'text'", "null"])
@pytest.mark.parametrize("column", ["start", "width"])
def test_a_stretch_is_noted_anew_of_places_that_are_damaged(files, folder, column, value):
    all_of(reel_of(files, folder))
    with sqlite3.connect(folder / FILE) as database:
        database.execute("delete from stretches")
        database.execute(f"update pictures set {column} = {value}")
    database.close()
    assert all_of(reel_of(files, folder)) == list(range(MANY))
    assert all_of(reel_of(files, folder)) == list(range(MANY))


def test_a_stretch_is_not_noted_while_its_files_may_still_change(files, folder, monkeypatch):
    monkeypatch.setattr("agenthorizon.evidence.recorded_file._SETTLED", 3600)
    all_of(reel_of(files, folder))
    with sqlite3.connect(folder / FILE) as database:
        assert database.execute("select count(*) from stretches").fetchone() == (0,)


def test_a_longer_recording_takes_up_what_a_shorter_one_left(files, folder):
    shorter = files[: LONGEST + 3]
    reel = reel_of(shorter, folder)
    for place in range(len(shorter)):
        reel.encoded(place, VIEW)
    pixels = Counting()
    assert all_of(reel_of(files, folder, pixels)) == list(range(MANY))
    assert pixels.decoded_files == MANY - len(shorter)
