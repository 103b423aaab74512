"""Keeps what models said, on disk, so that no answer that will be needed again is paid for twice.

One SQLite file, safe between threads and processes. It may be deleted at any time. Where it cannot be read or written
it is done without: that costs money, but fails no task.
"""

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from agenthorizon.files.caches import cache_folder

LIMIT = 256 << 20
"""Bytes on disk, beyond which the texts unused for longest make room: some 200,000 descriptions."""
FILE = "texts-1.sqlite"
"""Its name; the number is that of the table's form."""

_TABLE = "create table if not exists texts (key blob primary key, said text, used real)"
_GET = "select said from texts where key = ?"
_TOUCH = "update texts set used = ? where key = ? and used < ?"
_PUT = "insert or replace into texts values (?, ?, ?)"
_TAKE = "delete from texts where key = ? returning said"
_MAKE_ROOM = (
    "delete from texts where key in (select key from texts order by used limit (select count(*) / 8 + 1 from texts))"
)
_DAY = 86_400
_WAIT = 2.0  # seconds for another process's write


class KeptTexts:
    """Lists of texts by a key, which is a digest of all that they came from. No connection stays open."""

    def __init__(self, part: str, limit: int = LIMIT) -> None:
        self._part = part
        self._limit = limit

    def get(self, key: bytes) -> list[str] | None:
        """Return what is kept under a key; None where nothing is."""
        now = time.time()
        self._ask(_TOUCH, (now, key, now - _DAY))  # once a day: writing costs ten times what reading does
        return _read(self._ask(_GET, (key,)))

    def put(self, key: bytes, texts: Sequence[str]) -> None:
        """Keep texts. When this returns they are on disk, unless nothing can be kept there."""
        self._ask(_PUT, (key, json.dumps(list(texts)), time.time()))  # in ASCII: a model may say half a character

    def take(self, key: bytes) -> list[str] | None:
        """Return what is kept under a key and keep it no longer: of several who ask, one gets it."""
        return _read(self._ask(_TAKE, (key,)))

    def _ask(self, statement: str, values: tuple[object, ...]) -> str | None:
        path = cache_folder(self._part) / FILE
        for _ in range(2):
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with closing(sqlite3.connect(path, timeout=_WAIT, isolation_level=None)) as database:
                    database.execute(_TABLE)
                    rows = database.execute(statement, values).fetchall()
                    if statement == _PUT:
                        self._make_room(database)
                    return rows[0][0] if rows else None
            except OSError:
                return None
            except sqlite3.DatabaseError as error:
                # A full disk, a lock, a folder that is not ours stay so; a damaged file, or a table of another form,
                # is begun anew.
                is_damaged = not isinstance(error, sqlite3.OperationalError)
                if not is_damaged and error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_ERROR:
                    return None
                _throw_away(path)
        return None

    def _make_room(self, database: sqlite3.Connection) -> None:
        while _size(database) > self._limit:
            database.execute(_MAKE_ROOM)


def _read(said: str | None) -> list[str] | None:
    try:
        texts = json.loads(said or "null")
    except (ValueError, TypeError, RecursionError):
        return None
    is_good = isinstance(texts, list) and all(isinstance(text, str) for text in texts)
    return texts if is_good else None


def _size(database: sqlite3.Connection) -> int:
    pages, free, size = (
        database.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _throw_away(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
