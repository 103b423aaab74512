"""A SQLite file of what can be made or had again: safe between threads and processes, and done without where it fails.

It may be deleted at any time. A damaged file, or one whose tables have another form, is begun anew once.
"""

import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

_WAIT = 2.0  # seconds for another process's write; longer, and it is done without

_Answer = TypeVar("_Answer")


class CacheFile:
    """One such file. Threads may share it; nothing is opened before it is used."""

    def __init__(self, path: Path, tables: str, limit: int, settings: Sequence[str] = ()) -> None:
        """Prepare; nothing is opened.

        Args:
            path: Its place.
            tables: The statements that make its tables where there are none.
            limit: Bytes on disk that it keeps to, give or take a few megabytes.
            settings: SQLite's, beside its own choices, which have what is written on disk before anyone goes on.
        """
        self._path = path
        self._tables = tables
        self._settings = settings
        self._limit = limit
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._is_given_up = False

    def ask(self, question: Callable[[sqlite3.Connection], _Answer]) -> _Answer | None:
        """Return what a question asked of the database returns; None where there is no answer to be had."""
        with self._lock:
            for is_last in (False, True):
                if self._is_given_up:
                    break
                try:
                    return question(self._opened())
                except OSError:
                    self._is_given_up = True
                except UnicodeDecodeError:  # SQLite's own message quotes what is damaged
                    self._is_given_up = is_last or not self._is_thrown_away()
                except sqlite3.DatabaseError as error:
                    if _is_busy(error):
                        break
                    # A full disk or a folder that is not ours stays so.
                    self._is_given_up = is_last or not _is_damage(error) or not self._is_thrown_away()
        return None

    def make_room(self, drop: Callable[[sqlite3.Connection], object]) -> None:
        """Have some of what was unused for longest dropped, until the file keeps to its limit."""

        def dropped(database: sqlite3.Connection) -> None:
            while _size(database) > self._limit:
                drop(database)

        self.ask(dropped)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            self._let_go()

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._database = sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
            for setting in self._settings:
                self._database.execute(f"pragma {setting}")
            self._database.executescript(self._tables)
        return self._database

    def _let_go(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _is_thrown_away(self) -> bool:
        self._let_go()
        try:
            for suffix in ("", "-wal", "-shm"):
                self._path.with_name(f"{self._path.name}{suffix}").unlink(missing_ok=True)
        except OSError:
            return False
        return True


def _is_busy(error: sqlite3.DatabaseError) -> bool:
    """Whether another process is writing."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is no such database, or has other tables."""
    return not isinstance(error, sqlite3.OperationalError) or _code(error) == sqlite3.SQLITE_ERROR


def _code(error: sqlite3.DatabaseError) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def _size(database: sqlite3.Connection) -> int:
    """Return the bytes in use."""
    pages, free, size = (
        database.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
