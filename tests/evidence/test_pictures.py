"""Pictures made once are found again, by other judges, runs and processes; a broken cache only costs time."""

import hashlib
import os
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agenthorizon.case import FULL_SIZE, View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence import images
from agenthorizon.evidence.decoding import MOST_THREADS
from agenthorizon.evidence.images import Encoded
from agenthorizon.evidence.picture_cache import FILE, PictureCache
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.evidence.pixels import Pixels

VIEW = View()
LONG_AGO = 10**18
"""A time of modification, in nanoseconds."""

pytestmark = pytest.mark.usefixtures("settled")


class Counting(Pixels):
    """Pillow's way, which counts the pictures it decodes."""

    def __init__(self) -> None:
        self.decoded_files = 0
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()

    def decoded(self, *given: Any) -> Image.Image:
        with self._lock:
            self.decoded_files += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(0.01)
        try:
            return super().decoded(*given)
        finally:
            with self._lock:
                self.at_once -= 1


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    return screenshot(tmp_path / "step_1.png")


def screenshot(path: Path, colour: str = "teal", size: tuple[int, int] = (800, 500)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, colour).save(path)
    return path


def colour_of(picture: Encoded) -> tuple[int, ...]:
    return tuple(value // 16 for value in Image.open(BytesIO(picture.data)).convert("RGB").getpixel((1, 1)))


def asked(folder: Path, path: Path, view: View = VIEW) -> tuple[Encoded, int]:
    """Ask as a new run would; return the picture and how many files were decoded for it."""
    pixels = Counting()
    pictures = Pictures(PictureCache(folder), pixels)
    try:
        return pictures.encoded(path, view), pixels.decoded_files
    finally:
        pictures.close()


def test_picture_is_what_images_make_of_the_file(folder: Path, shot: Path):
    expected = images.fitted(shot.read_bytes(), (512, 332), "", Pixels())
    found, _ = asked(folder, shot)
    assert (found.data, found.size) == (images.encode(expected, VIEW), (512, 320))


def test_next_run_decodes_nothing_and_gets_the_same(folder: Path, shot: Path):
    first, second = asked(folder, shot), asked(folder, shot)
    assert (first[1], second[1]) == (1, 0)
    assert first[0] == second[0]


def test_unchanged_file_is_not_even_read(folder: Path, shot: Path, monkeypatch: pytest.MonkeyPatch):
    first, _ = asked(folder, shot)
    monkeypatch.setattr(images, "file_bytes", None)
    monkeypatch.setattr("agenthorizon.evidence.recorded_file.file_bytes", None)
    assert asked(folder, shot)[0] == first
    pictures = Pictures(PictureCache(folder), Pixels())
    assert pictures.digest(shot) == hashlib.sha256(shot.read_bytes()).digest()


def test_copy_of_a_file_is_found_by_its_content(folder: Path, shot: Path, tmp_path: Path):
    asked(folder, shot)
    copy = tmp_path / "another" / "name.png"
    copy.parent.mkdir()
    copy.write_bytes(shot.read_bytes())
    assert asked(folder, copy)[1] == 0


@pytest.mark.parametrize("view", [View(quality=61), View(fit=(100, 100)), View(format="webp"), FULL_SIZE])
def test_another_view_is_another_picture(folder: Path, shot: Path, view: View):
    asked(folder, shot)
    assert asked(folder, shot, view)[1] == 1


def test_another_way_of_decoding_is_another_picture(folder: Path, shot: Path):
    class Other(Counting):
        name = "another 1.0"

    asked(folder, shot)
    pixels = Other()
    Pictures(PictureCache(folder), pixels).encoded(shot, VIEW)
    assert pixels.decoded_files == 1


def test_another_pipeline_is_another_picture(folder: Path, shot: Path, monkeypatch: pytest.MonkeyPatch):
    asked(folder, shot)
    monkeypatch.setattr("agenthorizon.evidence.pictures.PIPELINE", "next")
    assert asked(folder, shot)[1] == 1


def test_changed_file_of_equal_size_and_time_is_seen(folder: Path, tmp_path: Path):
    shot = tmp_path / "a.bmp"  # uncompressed, so that another colour has the same size
    screenshot(shot, "red")
    os.utime(shot, ns=(LONG_AGO, LONG_AGO))
    red, _ = asked(folder, shot)
    before = shot.stat()
    with shot.open("r+b") as file:
        file.write(screenshot(tmp_path / "b.bmp", "blue").read_bytes())
    os.utime(shot, ns=(LONG_AGO, LONG_AGO))
    after = shot.stat()
    assert (before.st_ino, before.st_size, before.st_mtime_ns) == (after.st_ino, after.st_size, after.st_mtime_ns)
    blue, decoded = asked(folder, shot)
    assert decoded == 1
    assert colour_of(red) == (15, 0, 0)
    assert colour_of(blue) == (0, 0, 15)


def test_file_written_a_moment_ago_is_read_each_time(folder: Path, shot: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("agenthorizon.evidence.recorded_file._SETTLED", 3600)
    asked(folder, shot)
    with sqlite3.connect(folder / FILE) as database:
        assert database.execute("select count(*) from files").fetchone() == (0,)
    assert asked(folder, shot)[1] == 0


def test_failure_is_not_kept(folder: Path, tmp_path: Path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n")
    for _ in range(2):
        with pytest.raises(JudgeFailure, match=r"^broken\.png cannot be read as a picture"):
            asked(folder, broken)


def test_absent_file_is_a_failure_even_when_its_picture_is_kept(folder: Path, shot: Path):
    asked(folder, shot)
    shot.unlink()
    with pytest.raises(JudgeFailure, match=r"^step_1\.png cannot be read as a picture: No such file or directory"):
        asked(folder, shot)
    with pytest.raises(JudgeFailure):
        Pictures(PictureCache(folder)).digest(shot)


def damaged(folder: Path, statement: str) -> None:
    with sqlite3.connect(folder / FILE) as database:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    "statement",
    [
        "update blocks set data = zeroblob(length(data))",
        "update blocks set data = substr(data, 1, 100)",
        "update blocks set data = null",
        "update blocks set data = 'text'",
        "delete from blocks",
        "update pictures set checksum = 'text', start = 'text'",
        "update pictures set length = length - 1",
    ],
)
def test_damaged_picture_is_made_again(folder: Path, shot: Path, statement: str):
    first, _ = asked(folder, shot)
    damaged(folder, statement)
    assert asked(folder, shot) == (first, 1)
    assert asked(folder, shot) == (first, 0)


def test_picture_of_another_file_is_not_taken_for_it(folder: Path, shot: Path, tmp_path: Path):
    asked(folder, shot)
    other = screenshot(tmp_path / "other.png", "red")
    asked(folder, other)
    damaged(
        folder,
        "update pictures set (block, start, length, checksum) = "
        "(select block, start, length, checksum from pictures order by block desc limit 1)",
    )
    assert colour_of(asked(folder, shot)[0]) == (0, 8, 8)


@pytest.mark.parametrize("rubbish", [b"", b"no database " * 500, b"SQLite format 3\x00" + bytes(5000)])
def test_file_that_is_no_database_is_begun_anew(folder: Path, shot: Path, rubbish: bytes):
    folder.mkdir(parents=True)
    (folder / FILE).write_bytes(rubbish)
    assert asked(folder, shot)[1] == 1
    assert asked(folder, shot)[1] == 0


def test_folder_that_cannot_be_made_costs_only_time(tmp_path: Path, shot: Path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    assert asked(in_the_way / "images", shot)[1] == 1
    assert asked(in_the_way / "images", shot)[1] == 1


@pytest.mark.parametrize("limit", [0, 20_000])
def test_full_disk_costs_only_time(folder: Path, shot: Path, limit: int):
    """A process whose files may not grow beyond a limit fails to write as on a full disk."""
    program = f"""
import resource, signal, sys
from pathlib import Path
from agenthorizon.evidence.picture_cache import PictureCache
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.case import View
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
pictures = Pictures(PictureCache(Path({str(folder)!r})))
for quality in range(50, 60):
    picture = pictures.encoded(Path({str(shot)!r}), View(quality=quality))
sys.stdout.write(str(picture.size))
"""
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout == "(512, 320)"


def test_two_processes_write_at_once_and_both_are_served(folder: Path, tmp_path: Path):
    shots = [screenshot(tmp_path / f"{number}.png", size=(64 + number, 48)) for number in range(40)]
    program = f"""
from pathlib import Path
from agenthorizon.evidence.picture_cache import PictureCache
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.evidence.pixels import Pixels
from agenthorizon.case import View
import agenthorizon.evidence.recorded_file as recorded_file
recorded_file._SETTLED = -60
pictures = Pictures(PictureCache(Path({str(folder)!r})), Pixels())
for number in range(40):
    assert pictures.encoded(Path({str(tmp_path)!r}) / f"{{number}}.png", View()).size == (64 + number, 48)
"""
    both = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert [asked(folder, shot)[1] for shot in shots] == [0] * 40


def test_cache_keeps_to_its_limit_and_drops_what_was_unused_for_longest(folder: Path):
    cache = PictureCache(folder, limit=3_000_000)
    day = {"now": 20_000}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agenthorizon.evidence.picture_cache._today", lambda: day["now"])
        for number in range(800):
            day["now"] += number % 10 == 0
            cache.put({number.to_bytes(4, "big"): Encoded(os.urandom(10_000), (1, 1))}, b"how")
            if number % 20 == 0:
                assert cache.pictures([(0).to_bytes(4, "big")], b"how")  # in use all the time
    kept = [number for number in range(800) if cache.pictures([number.to_bytes(4, "big")], b"how")]
    cache.close()
    assert 100 < len(kept) < 620
    assert kept[0] == 0
    assert kept[1] > 150
    assert sum(path.stat().st_size for path in folder.iterdir()) < 12_000_000


def test_few_are_decoded_at_once_however_many_ask(tmp_path: Path):
    shots = [screenshot(tmp_path / f"{number}.png") for number in range(12)]
    pixels = Counting()
    pictures = Pictures(None, pixels)
    with ThreadPoolExecutor(12) as many:
        sizes = list(many.map(lambda shot: pictures.image(shot, VIEW).size, shots))
    assert sizes == [(512, 320)] * 12
    assert 1 <= pixels.most_at_once <= MOST_THREADS


def test_composed_picture_is_kept_by_its_parts_and_their_order(folder: Path):
    pictures = Pictures(PictureCache(folder), Pixels())
    made: list[str] = []

    def ask(*parts: bytes, how: str = "2×2") -> Encoded:
        def make() -> Encoded:
            made.append(how)
            return Encoded(b"-".join(parts), (len(made), 1))

        return pictures.composed(parts, how, make)

    first = ask(b"a", b"b")
    assert ask(b"a", b"b") == first
    assert [ask(b"b", b"a").data, ask(b"ab").data, ask(b"a", b"b", how="3×3").data] == [b"b-a", b"ab", b"a-b"]
    assert len(made) == 4
