"""A cache's file: begun anew where it is damaged, done without where it is locked or cannot be, bounded."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agenthorizon.files.cache_file import CacheFile

TABLE = "create table if not exists kept (number integer primary key, data blob)"


def opened(path: Path, limit: int = 1 << 20, **more) -> closing[CacheFile]:
    return closing(CacheFile(path, TABLE, limit, **more))


def put(file: CacheFile, number: int, data: bytes = b"data") -> object:
    return file.ask(lambda database: database.execute("insert into kept values (?, ?)", (number, data)))


def numbers(file: CacheFile) -> list[int] | None:
    rows = file.ask(lambda database: database.execute("select number from kept order by number").fetchall())
    return None if rows is None else [number for (number,) in rows]


def test_the_next_one_finds_what_was_kept(tmp_path):
    with opened(tmp_path / "a" / "b" / "file") as file:
        put(file, 7)
    with opened(tmp_path / "a" / "b" / "file") as file:
        assert numbers(file) == [7]


def test_nothing_is_made_before_it_is_used(tmp_path):
    with opened(tmp_path / "a" / "file"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("rubbish", [b"no database " * 500, b"SQLite format 3\x00" + bytes(5000)])
def test_a_damaged_file_is_begun_anew(tmp_path, rubbish):
    (tmp_path / "file").write_bytes(rubbish)
    with opened(tmp_path / "file") as file:
        put(file, 7)
        assert numbers(file) == [7]


def test_a_file_whose_damage_is_no_text_is_begun_anew(tmp_path):
    with opened(tmp_path / "file") as file:
        put(file, 1)
    data = bytearray((tmp_path / "file").read_bytes())
    data[data.index(b"CREATE TABLE kept") + 5] = 0xC6
    (tmp_path / "file").write_bytes(data)
    with opened(tmp_path / "file") as file:
        put(file, 7)
        assert numbers(file) == [7]


def test_tables_of_another_form_are_begun_anew(tmp_path):
    with closing(sqlite3.connect(tmp_path / "file")) as database:
        database.execute("create table kept (name text)")
    with opened(tmp_path / "file") as file:
        put(file, 7)
        assert numbers(file) == [7]


def test_while_another_writes_it_is_done_without_and_used_again_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr("agenthorizon.files.cache_file._WAIT", 0.05)
    with opened(tmp_path / "file") as file, closing(sqlite3.connect(tmp_path / "file", isolation_level=None)) as other:
        put(file, 1)
        other.execute("begin exclusive")
        assert put(file, 2) is None
        other.execute("rollback")
        put(file, 3)
        assert numbers(file) == [1, 3]


def test_where_a_file_stands_in_the_folders_place_it_is_done_without(tmp_path):
    (tmp_path / "a").write_text("")
    with opened(tmp_path / "a" / "file") as file:
        assert put(file, 1) is None
        assert numbers(file) is None
    assert (tmp_path / "a").read_text() == ""


def test_it_keeps_to_its_limit(tmp_path):
    with opened(tmp_path / "file", limit=200_000) as file:
        for number in range(100):
            put(file, number, bytes(5_000))
        file.make_room(
            lambda database: database.execute("delete from kept where number in (select min(number) from kept)")
        )
        assert numbers(file) == list(range(100 - len(numbers(file)), 100))
        assert 20 < len(numbers(file)) < 40


def test_settings_hold(tmp_path):
    with opened(tmp_path / "file", settings=["page_size = 8192", "journal_mode = wal"]) as file:
        asked = [
            file.ask(lambda db, name=name: db.execute(f"pragma {name}").fetchone()[0])
            for name in ("page_size", "journal_mode")
        ]
    assert asked == [8192, "wal"]
