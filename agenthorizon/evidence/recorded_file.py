"""Reads a screenshot's file, and knows an unchanged one again without reading it."""

import hashlib
import os
import time
from pathlib import Path
from typing import NamedTuple

from agenthorizon.evidence.images import file_bytes

_SETTLED = 2.0
"""Seconds; a file changed later than this could change again without its times showing it."""


class FileState(NamedTuple):
    """What tells that a file was not touched: equal states, equal bytes."""

    path: str
    device: int
    inode: int
    size: int
    modified: int
    """Nanoseconds, as the next."""
    changed: int
    """The system's own mark, which moves even when the time of modification is put back."""

    @classmethod
    def of(cls, path: str | Path, stat: os.stat_result | None = None) -> "FileState":
        """Look at a file, unless what the system said of it is given. Raises OSError."""
        name = str(path)
        stat = stat or os.stat(name)  # noqa: PTH116  for every screenshot of every request
        where = name if name.startswith(os.sep) else str(Path(path).absolute())
        return cls(where, stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)

    @property
    def key(self) -> bytes:
        """A digest of all of it."""
        return hashlib.sha256(repr(tuple(self)).encode("utf-8", "backslashreplace")).digest()

    def is_settled(self) -> bool:
        """Whether another change would show."""
        return time.time() - max(self.modified, self.changed) / 1e9 > _SETTLED


class RecordedFile(NamedTuple):
    """A file that was read."""

    data: bytes
    digest: bytes
    """SHA-256 of the data."""
    state: FileState | None
    """The state in which it holds this; None when it may change, or has, without that showing."""

    @classmethod
    def read(cls, path: str | Path, name: str = "") -> "RecordedFile":
        """Read a file. Raises JudgeFailure (class evidence), OSError."""
        before = FileState.of(path)
        data = file_bytes(path, name)
        is_certain = before.is_settled() and before == FileState.of(path)
        return cls(data, hashlib.sha256(data).digest(), before if is_certain else None)
