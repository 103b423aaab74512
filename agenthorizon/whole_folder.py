"""A folder that appears complete or not at all: it is written beside its place and moved there."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def beside(out: Path) -> Iterator[Path]:
    """Give a new folder beside `out` to write into; the caller renames it to `out` when it is whole.

    Whatever of it is left at the end is removed. Raises OSError where it cannot be made.
    """
    folder = out.with_name(f".{out.name}.{os.getpid()}.partial")
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
