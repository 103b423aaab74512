"""Keeps what models said and what it cost, on disk, so that nothing that will be needed again is paid for twice.

Where nothing can be kept it is done without: that costs money, but fails no task.
"""

import hashlib
import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import Any

from agenthorizon.files.cache_file import CacheFile
from agenthorizon.files.caches import cache_folder
from agenthorizon.judge import Case

LIMIT = 256 << 20
"""Bytes on disk, beyond which the texts unused for longest make room: some 200,000 descriptions."""
FILE = "texts-1.sqlite"
"""Its name; the number is that of the table's form."""

_TABLE = "create table if not exists texts (key blob primary key, said text, used real)"
_GET = "select said from texts where key = ?"
_SEVERAL = "select key, said from texts where key in ({})"
_TOUCH = "update texts set used = ? where key = ? and used < ?"
_PUT = "insert or replace into texts values (?, ?, ?)"
_TAKE = "delete from texts where key = ? returning said"
_MAKE_ROOM = (
    "delete from texts where key in (select key from texts order by used limit (select count(*) / 8 + 1 from texts))"
)
_DAY = 86_400
_AT_ONCE = 500


class KeptTexts:
    """Lists of texts by a key, which is a digest of all that they came from. No connection stays open."""

    def __init__(self, part: str, limit: int = LIMIT) -> None:
        self._part = part
        self._limit = limit

    def get(self, key: bytes) -> list[str] | None:
        """Return what is kept under a key; None where nothing is."""
        now = time.time()
        with self._opened() as file:
            # Once a day: writing costs ten times what reading does.
            file.ask(lambda database: database.execute(_TOUCH, (now, key, now - _DAY)))
            return _read(file.ask(lambda database: database.execute(_GET, (key,)).fetchone()))

    def several(self, keys: Sequence[bytes]) -> dict[bytes, list[str]]:
        """Return what is kept under keys, of those that have anything. Writes nothing, and makes no file."""
        if not (cache_folder(self._part) / FILE).exists():
            return {}
        rows: list[tuple[bytes, str]] = []
        with self._opened() as file:
            for start in range(0, len(keys), _AT_ONCE):
                rows += file.ask(partial(_several, keys[start : start + _AT_ONCE])) or []
        read = {key: _read((said,)) for key, said in rows}
        return {key: texts for key, texts in read.items() if texts is not None}

    def put(self, key: bytes, texts: Sequence[str]) -> None:
        """Keep texts. When this returns they are on disk, unless nothing can be kept there."""
        said = json.dumps(list(texts))  # in ASCII: a model may say half a character
        with self._opened() as file:
            file.ask(lambda database: database.execute(_PUT, (key, said, time.time())))
            file.make_room(lambda database: database.execute(_MAKE_ROOM))

    def take(self, key: bytes) -> list[str] | None:
        """Return what is kept under a key and keep it no longer: of several who ask, one gets it."""
        with self._opened() as file:
            return _read(file.ask(lambda database: database.execute(_TAKE, (key,)).fetchone()))

    def _opened(self) -> closing[CacheFile]:
        return closing(CacheFile(cache_folder(self._part) / FILE, _TABLE, self._limit))


def key_of(*made_of: Any) -> bytes:
    """Return what texts are kept under that come from these JSON values."""
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).digest()


def parts_of_case(case: Case) -> list[Any]:
    """Return what an answer about a whole case comes from, for `key_of`; it is of one run, task and repeat alone."""
    steps = [[step.picture and step.picture.digest, step.wording, step.note] for step in case.steps]
    return [case.resume_key, case.id, case.instruction, sorted(case.withheld), steps]


def _several(keys: Sequence[bytes], database: sqlite3.Connection) -> list[tuple[bytes, str]]:
    return database.execute(_SEVERAL.format(", ".join("?" * len(keys))), keys).fetchall()


def _read(row: tuple[str] | None) -> list[str] | None:
    try:
        texts = json.loads(row[0] if row else "null")
    except (ValueError, TypeError, RecursionError):
        return None
    is_good = isinstance(texts, list) and all(isinstance(text, str) for text in texts)
    return texts if is_good else None
