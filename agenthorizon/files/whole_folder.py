"""A folder that appears complete or not at all: it is written beside its place and moved there."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agenthorizon.errors import UsageError


@contextmanager
def new_folder(out: Path, advice: str) -> Iterator[Path]:
    """Give a draft to write into; it becomes `out` when the block ends well and something was written.

    `out` may be an empty folder, and those above it are made. Raises UsageError, with what to do about it, where
    something is at `out`; OSError where it cannot be written.
    """
    if not out.name or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise UsageError(f"{out} is not an empty folder of its own; {advice}")
    place = out.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_name(f".{place.name}.{os.getpid()}.partial")
    draft.mkdir()
    try:
        yield draft
        if any(draft.iterdir()):
            if place.exists():
                place.rmdir()
            draft.rename(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
