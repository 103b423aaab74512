"""A folder that appears complete or not at all: it is written beside its place and moved there."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from agenthorizon.errors import UsageError


@contextmanager
def new_folder(out: Path, advice: str) -> Iterator[Path]:
    """Give a draft to write into; it becomes `out` when the block ends well and something was written.

    `out` may be an empty folder, and those above it are made. Raises UsageError, with what to do about it, where
    something is at `out` or has come there meanwhile, which is left as it is; OSError where it cannot be written.
    """
    if not out.name or _is_taken(out):
        raise UsageError(f"{out} is not an empty folder of its own; {advice}")
    place = out.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    # Its own name even among threads, and beside what a killed process of the same id left.
    draft = place.with_name(f".{place.name}.{os.getpid()}.{secrets.token_hex(4)}.partial")
    draft.mkdir()
    try:
        yield draft
        if any(draft.iterdir()):
            _move(draft, place, out, advice)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _move(draft: Path, place: Path, out: Path, advice: str) -> None:
    """Move a draft to its place: of several processes that do so at once, one is the first."""
    try:
        with suppress(FileNotFoundError):
            place.rmdir()
        draft.rename(place)
    except OSError as error:
        if not _is_taken(place):
            raise
        message = (
            f"another process has written {out} meanwhile; that stays as it is, and what this one made is thrown away: "
            f"use what is there, or {advice}"
        )
        raise UsageError(message) from error


def _is_taken(place: Path) -> bool:
    """Whether something other than an empty folder is there."""
    return place.exists() and (not place.is_dir() or any(place.iterdir()))
