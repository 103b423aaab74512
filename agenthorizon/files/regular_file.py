"""Opens what a user named, or what stands in a user's data: regular files, and nothing else.

A named pipe in the place of a file would be waited for for ever, a device may never end, and in a listing both look
like any other name. So a file is opened without waiting and looked at before anything is read.
"""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

WITHOUT_WAITING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""How a file is opened that may turn out to be a named pipe."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def open_regular(path: str | Path) -> BinaryIO:
    """Open a file for reading bytes. Raises OSError when it is absent, out of reach or no regular file."""
    descriptor = os.open(path, WITHOUT_WAITING)
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, f"is {_kind(mode)}, not a regular file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: str | Path, most: int | None = None) -> bytes:
    """Return a file's bytes. Raises what `open_regular` raises, and OSError for one of more than `most` bytes."""
    with open_regular(path) as file:
        if most is None:
            return file.read()
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"is larger than {most:,} bytes", str(path))
    return data


def _kind(mode: int) -> str:
    return next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")
