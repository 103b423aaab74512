"""Keeps prepared pictures on disk, so that the swapped task, the next judge and the next run pay nothing for them.

One SQLite file, safe between threads and processes. A picture stands under a key made of the content of its file and
of all that is done to it; a file is known again by its path, place on disk, size and times, or else by being read. The
cache may be deleted at any time, and where it cannot be read or written it is done without: it never fails a task.
"""

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import xxhash

from agenthorizon.evidence.images import Encoded

LIMIT = 4 << 30
"""Bytes on disk, beyond which the pictures unused for longest make room. The whole benchmark has about half of it."""

FILE = "pictures-2.sqlite"
"""Its name; the number is that of the tables' form."""

_TABLES = """
create table if not exists files (state blob primary key, content blob, used integer) without rowid;
create table if not exists pictures
  (key blob primary key, width integer, height integer, checksum integer, data blob, used integer);
create index if not exists files_used on files (used);
create index if not exists pictures_used on pictures (used);
"""
_MAKE_ROOM = "delete from {0} where {1} in (select {1} from {0} order by used limit (select count(*) / 8 + 1 from {0}))"
_BETWEEN_LOOKS = 256  # pictures written between two looks at the size
_WAIT = 2.0  # seconds for another process's write; longer, and it is done without
_DAY = 86_400

_Answer = TypeVar("_Answer")


@dataclass
class PictureCache:
    """The prepared pictures below a folder. Threads may share it; nothing is opened before it is used."""

    folder: Path
    limit: int = LIMIT
    """Bytes on disk that it keeps to, give or take a few megabytes."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _database: sqlite3.Connection | None = field(default=None, repr=False)
    _is_given_up: bool = False
    _written: int = 0

    def content(self, state: bytes) -> bytes | None:
        """Return the digest that was noted of a file in a state, see `FileState.key`."""
        row = self._ask(lambda database: _found(database, "files", "state", state, "content"))
        return bytes(row[0]) if row else None

    def note_content(self, state: bytes, content: bytes) -> None:
        """Note the digest of a file in a state."""
        self._write("insert or replace into files values (?, ?, ?)", (state, content, _today()))

    def get(self, key: bytes) -> Encoded | None:
        """Return the picture kept under a key; None when there is none or it was damaged."""
        row = self._ask(lambda database: _found(database, "pictures", "key", key, "width, height, checksum, data"))
        if row is None:
            return None
        width, height, checksum, data = row
        is_whole = isinstance(data, bytes) and checksum == _checksum(key, data)
        return Encoded(data, (width, height)) if is_whole else None

    def put(self, key: bytes, picture: Encoded) -> None:
        """Keep a picture in the place of any other under its key."""
        new = (key, *picture.size, _checksum(key, picture.data), picture.data, _today())
        self._write("insert or replace into pictures values (?, ?, ?, ?, ?, ?)", new)
        self._written += 1
        if self._written % _BETWEEN_LOOKS == 1:
            self._ask(self._make_room)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            self._let_go()

    def _write(self, statement: str, values: tuple[Any, ...]) -> None:
        self._ask(lambda database: database.execute(statement, values))

    def _ask(self, question: Callable[[sqlite3.Connection], _Answer]) -> _Answer | None:
        """Return the answer, or None where there is none to be had; a damaged file is begun anew once."""
        with self._lock:
            for last in (False, True):
                if self._is_given_up:
                    break
                try:
                    return question(self._opened())
                except sqlite3.OperationalError as error:
                    # Another process may be writing. But a full disk or a folder that is not ours stays so.
                    busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                    self._is_given_up = not busy
                    break
                except (sqlite3.DatabaseError, OSError):
                    self._is_given_up = last or not self._is_thrown_away()
        return None

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self.folder / FILE
            self._database = sqlite3.connect(path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
            self._database.execute("pragma journal_mode = wal")
            self._database.execute("pragma synchronous = normal")
            self._database.executescript(_TABLES)
        return self._database

    def _let_go(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _is_thrown_away(self) -> bool:
        self._let_go()
        try:
            for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
                (self.folder / name).unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _make_room(self, database: sqlite3.Connection) -> None:
        while _size(database) > self.limit:
            for table, key in (("pictures", "key"), ("files", "state")):
                database.execute(_MAKE_ROOM.format(table, key))


def _found(database: sqlite3.Connection, table: str, key: str, value: bytes, columns: str) -> tuple[Any, ...] | None:
    """Return a row's columns, and mark it as used today."""
    row = database.execute(f"select {columns}, used from {table} where {key} = ?", (value,)).fetchone()
    if row is None:
        return None
    *found, used = row
    if used != _today():
        database.execute(f"update {table} set used = ? where {key} = ?", (_today(), value))
    return tuple(found)


def _size(database: sqlite3.Connection) -> int:
    """Return the bytes in use."""
    pages, free, size = (
        database.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _checksum(key: bytes, data: bytes) -> int:
    """Return a checksum that also says whose the data is, in the 63 bits that SQLite has for a positive number."""
    return xxhash.xxh3_64_intdigest(data, int.from_bytes(key[:8], "big")) >> 1


def _today() -> int:
    return int(time.time()) // _DAY
