"""Keeps prepared pictures on disk, so that the swapped task, the next judge and the next run pay nothing for them.

One SQLite file, safe between threads and processes. A picture stands under the content of its file and all that is done
to it; a file is known again by its path, place on disk, size and times, or else by being read. The cache may be deleted
at any time, and where it cannot be read or written it is done without: it never fails a task.
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

FILE = "pictures-3.sqlite"
"""Its name; the number is that of the tables' form."""

_TABLES = """
create table if not exists files (state blob primary key, content blob, used integer) without rowid;
create table if not exists pictures
  (content blob, how blob, width integer, height integer, checksum integer, data blob, used integer,
   primary key (content, how));
create index if not exists files_used on files (used);
create index if not exists pictures_used on pictures (used);
"""
_OF_FILE = """
select picture.width, picture.height, picture.checksum, picture.data, picture.content, min(file.used, picture.used)
from files file join pictures picture on picture.content = file.content and picture.how = ? where file.state = ?
"""
_OF_CONTENT = "select width, height, checksum, data, content, used from pictures where how = ? and content = ?"
_MAKE_ROOM = "delete from {0} where {1} in (select {1} from {0} order by used limit (select count(*) / 8 + 1 from {0}))"
_CONTENT = "select content from files where state = ?"
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
        row = self._ask(lambda database: database.execute(_CONTENT, (state,)).fetchone())
        return row[0] if row and isinstance(row[0], bytes) else None

    def note_content(self, state: bytes, content: bytes) -> None:
        """Note the digest of a file in a state."""
        self._write("insert or replace into files values (?, ?, ?)", (state, content, _today()))

    def of_file(self, state: bytes, how: bytes) -> Encoded | None:
        """Return the picture kept of a file in a state, in one look; None when the file or the picture is not known.

        `how` is a digest of all that is done to it.
        """
        return self._ask(lambda database: _found(database, _OF_FILE, how, state))

    def of_content(self, content: bytes, how: bytes) -> Encoded | None:
        """Return the picture kept of a file's content; None when there is none or it was damaged."""
        return self._ask(lambda database: _found(database, _OF_CONTENT, how, content))

    def put(self, content: bytes, how: bytes, picture: Encoded) -> None:
        """Keep a picture in the place of any other of the same content and making."""
        new = (content, how, *picture.size, _checksum(content, how, picture.data), picture.data, _today())
        self._write("insert or replace into pictures values (?, ?, ?, ?, ?, ?, ?)", new)
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
            for table, key in (("pictures", "rowid"), ("files", "state")):
                database.execute(_MAKE_ROOM.format(table, key))


def _found(database: sqlite3.Connection, query: str, how: bytes, of: bytes) -> Encoded | None:
    """Return a picture if it is whole, and mark it, and the file it was found by, as used today."""
    row = database.execute(query, (how, of)).fetchone()
    if row is None:
        return None
    width, height, checksum, data, content, used = row
    if not (isinstance(content, bytes) and isinstance(data, bytes)):
        return None  # somebody else's writing
    if used != _today():
        database.execute("update pictures set used = ? where content = ? and how = ?", (_today(), content, how))
        database.execute("update files set used = ? where state = ?", (_today(), of))
    return Encoded(data, (width, height)) if checksum == _checksum(content, how, data) else None


def _size(database: sqlite3.Connection) -> int:
    """Return the bytes in use."""
    pages, free, size = (
        database.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _checksum(content: bytes, how: bytes, data: bytes) -> int:
    """Return a checksum that also says whose the data is, in the 63 bits that SQLite has for a positive number."""
    whose = int.from_bytes(content[:8], "big") ^ int.from_bytes(how[:8], "big")
    return xxhash.xxh3_64_intdigest(data, whose) >> 1


def _today() -> int:
    return int(time.time()) // _DAY
