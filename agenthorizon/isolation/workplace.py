"""The temporary folder of one task before an agent: made, held while in use, and removed, by a later run if need be.

A run that is killed can remove nothing. Who uses a folder holds a lock inside it, which ends with the process, so that
a later run of the same user sees which folders nobody uses any more.
"""

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agenthorizon.evidence.folder import unseal
from agenthorizon.isolation.sandbox import Places

_PREFIX = "agenthorizon-"
_LOCK = "in-use"


@contextmanager
def workplace() -> Iterator[Places]:
    """Make the folder, hold it, and remove it at the end."""
    places = Places(Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve())
    try:
        # Locked before it has its name: nobody finds it there without its lock.
        with (places.root / f"{_LOCK}.new").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (places.root / f"{_LOCK}.new").rename(places.root / _LOCK)
            yield places
    finally:
        remove(places)


def remove_abandoned() -> int:
    """Remove the folders that runs of this user left when they were killed; return how many there were."""
    found = [path for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*") if _is_own_folder(path)]
    return sum(_removed(Places(path)) for path in found)


def remove(places: Places) -> None:
    """Remove a folder and all in it, as far as that can be."""
    if places.task.is_dir():
        with contextlib.suppress(OSError):
            unseal(places.task)
    shutil.rmtree(places.root, ignore_errors=True)


def _is_own_folder(path: Path) -> bool:
    try:
        facts = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid()


def _removed(places: Places) -> bool:
    """Remove a folder whose lock nobody holds; one without a lock is not known to be anybody's."""
    try:
        lock = os.open(places.root / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # in use
        return False
    else:
        remove(places)
        return True
    finally:
        os.close(lock)
