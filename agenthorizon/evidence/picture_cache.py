"""Keeps prepared pictures on disk, so that the swapped task, the next judge and the next run pay nothing for them.

One SQLite file, safe between threads and processes. A picture stands under the content of its file and all that is done
to it; a file is known again by its path, place on disk, size and times, or else by being read. Pictures that were made
together lie together, in one block, and are read together. The cache may be deleted at any time, and where it cannot be
read or written it is done without: it never fails a task.
"""

import sqlite3
import struct
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import xxhash

from agenthorizon.evidence.images import Encoded
from agenthorizon.files.cache_file import CacheFile

LIMIT = 4 << 30
"""Bytes on disk, beyond which the pictures unused for longest make room. The whole benchmark has about half of it."""

FILE = "pictures-4.sqlite"
"""Its name; the number is that of the tables' form."""

# Pages of 16 KB: a block of half a megabyte is read a page at a time. What a power cut takes can be made again.
_SETTINGS = ("page_size = 16384", "journal_mode = wal", "synchronous = normal")
_TABLES = """
create table if not exists files (state blob primary key, digest blob, used integer) without rowid;
create table if not exists pictures
  (digest blob, how blob, block integer, start integer, length integer, width integer, height integer,
   checksum integer, primary key (digest, how)) without rowid;
create table if not exists blocks (id integer primary key, data blob, used integer);
create table if not exists stretches (key blob primary key, block integer, places blob, checksum integer) without rowid;
create index if not exists files_used on files (used);
create index if not exists blocks_used on blocks (used);
"""
_DIGESTS = "select state, digest, used from files where state in ({})"
_PLACES = "select digest, block, start, length, width, height, checksum from pictures where how = ? and digest in ({})"
_BLOCK = "select data, used from blocks where id = ?"
_PIECE = "select substr(data, ? + 1, ?), used from blocks where id = ?"
_STRETCH = """
select block, data, places, checksum, used from stretches join blocks on blocks.id = stretches.block where key = ?
"""
_KEEP = "insert or replace into pictures values (?, ?, ?, ?, ?, ?, ?, ?)"
_MAKE_ROOM = "delete from {0} where {1} in (select {1} from {0} order by used limit (select count(*) / 8 + 1 from {0}))"
_LOST = "delete from {0} where block not in (select id from blocks)"
_PACKED = struct.Struct("<4q")
"""Start, length, width and height of a picture in a stretch."""
_BETWEEN_LOOKS = 256  # pictures written between two looks at the size
_DAY = 86_400


class _Place(NamedTuple):
    """Where a picture lies."""

    digest: bytes
    block: int
    start: int
    length: int
    width: int
    height: int
    checksum: int


class PictureCache:
    """The prepared pictures below a folder. Threads may share it; nothing is opened before it is used."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        """Take where it lies, and the bytes on disk that it keeps to."""
        self._file = CacheFile(folder / FILE, _TABLES, limit, _SETTINGS)
        self._written = 0

    def digests(self, states: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the digests that were noted of files in these states, see `FileState.key`; of those that were."""
        return self._file.ask(lambda database: _digests(database, states)) or {}

    def note_digest(self, state: bytes, digest: bytes) -> None:
        """Note the digest of a file in a state."""
        new = (state, digest, _today())
        self._file.ask(lambda database: database.execute("insert or replace into files values (?, ?, ?)", new))

    def pictures(self, digests: Iterable[bytes], how: bytes) -> dict[bytes, Encoded]:
        """Return the pictures kept of files with these digests; of those that are kept and whole.

        `how` is a digest of all that is done to them.
        """
        wanted = tuple(dict.fromkeys(digests))
        return self._file.ask(lambda database: _pictures(database, wanted, how)) or {}

    def stretch(self, key: bytes) -> list[Encoded] | None:
        """Return the pictures noted under a key, in order, in one look; None where they are not, or not whole."""
        return self._file.ask(lambda database: _stretch(database, key))

    def note_stretch(self, key: bytes, digests: Sequence[bytes], how: bytes) -> None:
        """Note under a key the pictures of files with these digests, where they lie together."""
        self._file.ask(lambda database: _note_stretch(database, key, digests, how))

    def put(self, pictures: Mapping[bytes, Encoded], how: bytes) -> None:
        """Keep pictures together, each in the place of any other of the same digest and making."""
        self._file.ask(lambda database: _put(database, pictures, how))
        before, self._written = self._written, self._written + len(pictures)
        if before == 0 or before // _BETWEEN_LOOKS < self._written // _BETWEEN_LOOKS:
            self._file.make_room(_drop_unused)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._file.close()


def _digests(database: sqlite3.Connection, states: Sequence[bytes]) -> dict[bytes, bytes]:
    rows = database.execute(_DIGESTS.format(_marks(states)), states).fetchall()
    known = {state: digest for state, digest, _ in rows if isinstance(digest, bytes)}
    _mark_used(database, "files", "state", [state for state, _, used in rows if used != _today()])
    return known


def _places(database: sqlite3.Connection, digests: Sequence[bytes], how: bytes) -> list[_Place]:
    """Return where pictures lie, of those that are kept."""
    rows = database.execute(_PLACES.format(_marks(digests)), (how, *digests))
    return [_Place(*row) for row in rows if all(isinstance(number, int) for number in row[1:])]  # else others' writing


def _pictures(database: sqlite3.Connection, digests: Sequence[bytes], how: bytes) -> dict[bytes, Encoded]:
    by_block: dict[int, list[_Place]] = defaultdict(list)
    for place in _places(database, digests, how):
        by_block[place.block].append(place)
    found: dict[bytes, Encoded] = {}
    idle = []
    for block, places in by_block.items():
        first = places[0]
        alone = len(places) == 1
        query, values = (_PIECE, (first.start, first.length, block)) if alone else (_BLOCK, (block,))
        data, used = database.execute(query, values).fetchone() or (None, None)
        if not isinstance(data, bytes):
            continue
        for place in places:
            start = 0 if alone else place.start
            piece = data[start : start + place.length]
            if place.checksum == _checksum(place.digest, how, piece):
                found[place.digest] = Encoded(piece, (place.width, place.height))
        idle += [block] if used != _today() else []
    _mark_used(database, "blocks", "id", idle)
    return found


def _stretch(database: sqlite3.Connection, key: bytes) -> list[Encoded] | None:
    block, data, places, checksum, used = database.execute(_STRETCH, (key,)).fetchone() or (None,) * 5
    if not (isinstance(data, bytes) and isinstance(places, bytes)) or checksum != _checksum(
        key, xxhash.xxh3_64_digest(places), data
    ):
        return None
    _mark_used(database, "blocks", "id", [block] if used != _today() else [])
    return [
        Encoded(data[start : start + length], (width, height))
        for start, length, width, height in _PACKED.iter_unpack(places)
    ]


def _note_stretch(database: sqlite3.Connection, key: bytes, digests: Sequence[bytes], how: bytes) -> None:
    by_digest = {place.digest: place for place in _places(database, digests, how)}
    blocks = {place.block for place in by_digest.values()}
    if len(blocks) != 1 or len(by_digest) < len(set(digests)):
        return
    (block,) = blocks
    data, _ = database.execute(_BLOCK, (block,)).fetchone() or (None, None)
    if isinstance(data, bytes):
        places = b"".join(_PACKED.pack(*by_digest[digest][2:6]) for digest in digests)
        new = (key, block, places, _checksum(key, xxhash.xxh3_64_digest(places), data))
        database.execute("insert or replace into stretches values (?, ?, ?, ?)", new)


def _put(database: sqlite3.Connection, pictures: Mapping[bytes, Encoded], how: bytes) -> None:
    database.execute("begin immediate")
    try:
        data = b"".join(picture.data for picture in pictures.values())
        block = database.execute("insert into blocks (data, used) values (?, ?)", (data, _today())).lastrowid
        start = 0
        for digest, picture in pictures.items():
            length = len(picture.data)
            checksum = _checksum(digest, how, picture.data)
            database.execute(_KEEP, (digest, how, block, start, length, *picture.size, checksum))
            start += length
        database.execute("commit")
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("rollback")
        raise


def _drop_unused(database: sqlite3.Connection) -> None:
    for table, key in (("blocks", "id"), ("files", "state")):
        database.execute(_MAKE_ROOM.format(table, key))
    for table in ("pictures", "stretches"):
        database.execute(_LOST.format(table))


def _mark_used(database: sqlite3.Connection, table: str, key: str, idle: Sequence[Any]) -> None:
    """Mark rows as used today."""
    if idle:
        database.execute(f"update {table} set used = ? where {key} in ({_marks(idle)})", (_today(), *idle))


def _marks(values: Sequence[Any]) -> str:
    return ",".join("?" * len(values))


def _checksum(one: bytes, other: bytes, data: bytes) -> int:
    """Return a checksum that also says whose the data is, in the 63 bits that SQLite has for a positive number."""
    whose = int.from_bytes(one[:8], "big") ^ int.from_bytes(other[:8], "big")
    return xxhash.xxh3_64_intdigest(data, whose) >> 1


def _today() -> int:
    return int(time.time()) // _DAY
