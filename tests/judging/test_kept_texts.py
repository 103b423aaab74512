"""Kept texts: what was said comes back as it was, bounded on disk, to every process, once where it is taken."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from agenthorizon.judging.kept_texts import FILE, KeptTexts


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTHORIZON_CACHE", str(tmp_path))


@pytest.mark.parametrize("said", [["plain"], ["a", "", "ü\n\x00"], ["half a character: \ud83d"], []], ids=ascii)
def test_texts_come_back_as_they_were_said(said):
    KeptTexts("x").put(b"key", said)
    assert KeptTexts("x").get(b"key") == said
    assert KeptTexts("x").get(b"another") is None
    assert KeptTexts("y").get(b"key") is None


def test_the_oldest_make_room_and_the_newest_stay(tmp_path):
    kept = KeptTexts("x", limit=200_000)
    for number in range(300):
        kept.put(bytes([number // 256, number % 256]), ["t" * 2000])
    found = [number for number in range(300) if kept.get(bytes([number // 256, number % 256]))]
    assert found == list(range(found[0], 300))
    assert 50 < len(found) < 100
    assert (tmp_path / "x" / FILE).stat().st_size < 300_000


def test_what_was_used_today_outlives_what_was_not(tmp_path):
    kept = KeptTexts("x", limit=200_000)
    kept.put(b"old but used", ["t" * 2000])
    database = sqlite3.connect(tmp_path / "x" / FILE)
    database.execute("update texts set used = 1")
    database.commit()
    database.close()
    for number in range(40):
        kept.put(bytes([number]), ["t" * 2000])
    kept.get(b"old but used")
    for number in range(40, 100):
        kept.put(bytes([number]), ["t" * 2000])
    assert kept.get(b"old but used")
    assert kept.get(bytes([0])) is None


def test_of_many_who_take_one_gets_it():
    KeptTexts("x").put(b"key", ["notes"])
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: KeptTexts("x").take(b"key"), range(32)))
    assert [each for each in found if each] == [["notes"]]


def test_processes_that_write_at_once_lose_nothing():
    code = (
        "import sys\nfrom agenthorizon.judging.kept_texts import KeptTexts\n"
        "for n in range(40): KeptTexts('x').put(f'{sys.argv[1]} {n}'.encode(), [str(n)])"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("a", "b", "c")]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    keys = [(f"{name} {n}".encode(), [str(n)]) for name in ("a", "b", "c") for n in range(40)]
    assert [key for key, said in keys if KeptTexts("x").get(key) != said] == []


def test_a_table_of_another_form_is_begun_anew(tmp_path):
    (tmp_path / "x").mkdir()
    with sqlite3.connect(tmp_path / "x" / FILE) as database:
        database.execute("create table texts (key)")
    database.close()
    for _ in range(2):
        KeptTexts("x").put(b"key", ["said"])
    assert KeptTexts("x").get(b"key") == ["said"]
