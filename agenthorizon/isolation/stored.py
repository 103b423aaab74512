"""How much a folder holds on the disk, counted while an agent writes into it: no more is looked at than is needed."""

import math
import os
from pathlib import Path

_LEAST = 4096
"""Bytes that any entry counts for, as an empty file takes room too."""


def stored_bytes(folder: Path, enough: float) -> float:
    """Return the bytes that a folder's files take on the disk, links not followed; counting ends once it is `enough`.

    A folder that cannot be read is without bound: what lies in it could not be counted.
    """
    total, waiting = 0, [str(folder)]
    while waiting and total <= enough:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    total += _size(entry)
                    if total > enough:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except PermissionError:
            return math.inf
        except OSError:  # it is gone, or no folder any more
            continue
    return total


def _size(entry: "os.DirEntry[str]") -> int:
    try:
        return max(entry.stat(follow_symlinks=False).st_blocks * 512, _LEAST)
    except OSError:  # it is gone
        return 0
