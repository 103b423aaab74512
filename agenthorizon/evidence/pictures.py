"""Prepares screenshots as judges ask for them: looks into the cache, else decodes on a few threads of its own.

Few, because every decoded desktop is megabytes, however many tasks are in hand. Of its own, because such a thread uses
its memory again for the next picture instead of fetching it from the system each time, which costs up to a third.
"""

import ctypes
import hashlib
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from PIL.Image import Image

from agenthorizon.case import View
from agenthorizon.evidence import images
from agenthorizon.evidence.images import PIPELINE, Encoded
from agenthorizon.evidence.picture_cache import PictureCache
from agenthorizon.evidence.pixels import Pixels, best
from agenthorizon.evidence.recorded_file import FileState, RecordedFile
from agenthorizon.files.caches import cache_folder

MOST_THREADS = 4
"""Two decode 150 screenshots a second; more cores are better left to others."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # from malloc.h

_Made = TypeVar("_Made")


class Pictures:
    """Screenshot files as pictures to send. A run has one, shared by its judges and tasks; threads may use it."""

    def __init__(self, cache: PictureCache | None = None, pixels: Pixels | None = None) -> None:
        """Take where to keep what is made (nowhere if not given), and how to decode (the fastest way installed)."""
        self._cache = cache
        self._pixels = pixels or best()
        self._threads = ThreadPoolExecutor(decoding_threads(), thread_name_prefix="pictures", initializer=_keep_memory)

    @classmethod
    def kept(cls) -> "Pictures":
        """Return one with the user's cache."""
        return cls(PictureCache(cache_folder("images")))

    def encoded(self, path: Path, view: View, name: str = "") -> Encoded:
        """Return a file's picture as a View asks for it. Raises JudgeFailure (class evidence).

        Failures call it by `name`, or by the file's own if not given.
        """
        name = name or path.name
        if self._cache is None:
            return self._encoded(images.contents(path, name), view, name)
        how = self._how(view)
        if found := self._kept(path, how):
            return found
        with images.failing_as_evidence(name):
            file = self._read(path, name)
        return self._made_once(file.content, how, lambda: self._encoded(file.data, view, name))

    def image(self, path: Path, view: View, name: str = "") -> Image:
        """Return a file's pixels, RGB, fitted as a View asks. Raises what `encoded` raises."""
        name = name or path.name
        data = images.contents(path, name)
        return self._on_thread(lambda: images.fitted(data, view.fit, name, self._pixels))

    def content(self, path: Path, name: str = "") -> bytes:
        """Return the SHA-256 of a file. Raises what `encoded` raises."""
        with images.failing_as_evidence(name or path.name):
            return self._noted(path) or self._read(path, name).content

    def composed(self, of: Iterable[bytes], how: str, make: Callable[[], Encoded]) -> Encoded:
        """Return a picture made of others: the one kept, or what `make` returns.

        Args:
            of: The contents of their files, in order.
            how: Everything else that decides what it looks like.
            make: Called where none is kept, in the caller's thread; may use `image`.
        """
        return self._made_once(_digest(*of), _digest(PIPELINE, self._pixels.name, how), make)

    def close(self) -> None:
        """Let go of threads and cache, for good; a picture in the making is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._cache:
            self._cache.close()

    def _kept(self, path: Path, how: bytes) -> Encoded | None:
        """Return what is kept of a file that is known without reading it."""
        with suppress(OSError):
            return self._cache.of_file(FileState.of(path).key, how) if self._cache else None
        return None

    def _noted(self, path: Path) -> bytes | None:
        """Return a file's digest if it is known without reading it."""
        with suppress(OSError):
            return self._cache.content(FileState.of(path).key) if self._cache else None
        return None

    def _read(self, path: Path, name: str) -> RecordedFile:
        file = RecordedFile.read(path, name)
        if self._cache and file.state:
            self._cache.note_content(file.state.key, file.content)
        return file

    def _made_once(self, content: bytes, how: bytes, make: Callable[[], Encoded]) -> Encoded:
        if self._cache and (found := self._cache.of_content(content, how)):
            return found
        made = make()
        if self._cache:
            self._cache.put(content, how, made)
        return made

    def _encoded(self, data: bytes, view: View, name: str) -> Encoded:
        def make() -> Encoded:
            image = images.fitted(data, view.fit, name, self._pixels)
            return Encoded(images.encode(image, view, name), image.size)

        return self._on_thread(make)

    def _on_thread(self, make: Callable[[], _Made]) -> _Made:
        return self._threads.submit(make).result()

    def _how(self, view: View) -> bytes:
        """Return a digest of all that is done to a picture."""
        return _how(PIPELINE, self._pixels.name, view)


def _digest(*parts: str | bytes) -> bytes:
    """Return a digest that no other list of parts has."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.digest()


@lru_cache(maxsize=64)
def _how(pipeline: str, pixels: str, view: View) -> bytes:
    return _digest(pipeline, pixels, view.model_dump_json())


def _keep_memory() -> None:
    """Have glibc keep what a picture took for the next one, up to 64 MB a thread; elsewhere nothing is to be done.

    By itself it gives tens of megabytes back to the system and fetches them again, page by page, with each picture.
    """
    with suppress(OSError, AttributeError, TypeError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(_M_MMAP_THRESHOLD, 32 << 20)
        set_option(_M_TRIM_THRESHOLD, 64 << 20)


def decoding_threads() -> int:
    """Return how many screenshots are decoded at one time."""
    return min(MOST_THREADS, _cores())


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
