"""Reads the text of a screenshot with RapidOCR, whose models come inside its wheel, and remembers it by content."""

import asyncio
import importlib.metadata
import json
import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agenthorizon.errors import MissingExtra, UsageError
from agenthorizon.files.caches import cache_folder
from agenthorizon.judge import Picture

if TYPE_CHECKING:
    from PIL.Image import Image

PACKAGE = "rapidocr-onnxruntime"
_WAY_OF_READING = 1
"""Raised when the engine is asked otherwise than before, so that older readings are not taken for new ones."""

_READERS = tuple(ThreadPoolExecutor(1, thread_name_prefix="ocr") for _ in range(min(2, os.cpu_count() or 1)))
"""Threads that read, each with an engine of its own that keeps to one core and takes some 400 MB.

A picture always goes to the same one: asked for twice at once, it is read once and found in the cache. Measured, two
engines on one core each read more than one on two cores, and several times more while the machine has other work.
"""


@cache
def engine_version() -> str:
    """Name the OCR engine that is installed, without loading it. Raises MissingExtra when there is none."""
    try:
        return f"{PACKAGE} {importlib.metadata.version(PACKAGE)}"
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingExtra("the ocr judge", "ocr") from error


async def read(picture: Picture) -> tuple[str, ...]:
    """Return the lines of text in a picture, off the event loop.

    Raises JudgeFailure when the picture cannot be decoded, UsageError when the engine cannot be loaded.
    """
    loop = asyncio.get_running_loop()
    digest = await loop.run_in_executor(None, attrgetter("digest"), picture)
    reader = _READERS[int(digest[:8], 16) % len(_READERS)]
    return await loop.run_in_executor(reader, _read, picture, digest)


def _read(picture: Picture, digest: str) -> tuple[str, ...]:
    path = cache_folder("ocr") / f"{digest}-{engine_version().replace(' ', '-')}-{_WAY_OF_READING}.json"
    lines = _remembered(path)
    if lines is None:
        lines = _recognised(picture.image())
        _remember(path, lines)
    return lines


def _recognised(image: "Image") -> tuple[str, ...]:
    # Screens are upright: looking for lines that stand on their head costs time and finds nothing.
    found, _ = _engine(threading.get_ident())(image, use_cls=False)
    return tuple(str(text) for _, text, _ in found or ())


@cache
def _engine(thread: int) -> Any:
    """Load the engine of one thread."""
    try:
        from rapidocr_onnxruntime import RapidOCR
    except ImportError as error:  # installed, yet a part of it is not there
        mend = "where libGL is what is missing, install it (apt install libgl1) or use opencv-python-headless"
        raise UsageError(f"the ocr judge cannot load {PACKAGE}: {error}; {mend}") from error
    # Lines read together are padded to the longest of them, which costs more than it saves.
    return RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1, rec_batch_num=1)


def _remembered(path: Path) -> tuple[str, ...] | None:
    try:
        lines = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):  # never read, or left broken: read again
        return None
    is_good = isinstance(lines, list) and all(isinstance(line, str) for line in lines)
    return tuple(lines) if is_good else None


def _remember(path: Path, lines: tuple[str, ...]) -> None:
    """Write a reading whole or not at all; a cache that cannot be written only costs time."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                json.dump(lines, file)
            Path(unfinished).replace(path)
        except OSError:
            Path(unfinished).unlink(missing_ok=True)
            raise
