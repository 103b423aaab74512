"""Prepares screenshots as judges ask for them: looks into the cache, else decodes on a few threads of its own."""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from PIL.Image import Image

from agenthorizon.case import View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence import images
from agenthorizon.evidence.decoding import decoding_pool
from agenthorizon.evidence.images import PIPELINE, Encoded
from agenthorizon.evidence.picture_cache import PictureCache
from agenthorizon.evidence.pixels import Pixels, best
from agenthorizon.evidence.recorded_file import FileState, RecordedFile
from agenthorizon.files.caches import cache_folder

_Made = TypeVar("_Made")


class NamedFile(NamedTuple):
    """A screenshot's file."""

    path: str | Path
    name: str
    """What failures call it."""
    stat: os.stat_result | None = None
    """What the system said of it, where somebody asked already; the picture is of the file in that state or later."""


class Pictures:
    """Screenshot files as pictures to send. A run has one, shared by its judges and tasks; threads may use it."""

    def __init__(self, cache: PictureCache | None = None, pixels: Pixels | None = None) -> None:
        """Take where to keep what is made (nowhere if not given), and how to decode (the fastest way installed)."""
        self._cache = cache
        self._pixels = pixels or best()
        self._threads = decoding_pool()

    @classmethod
    def kept(cls) -> "Pictures":
        """Return one with the user's cache."""
        return cls(PictureCache(cache_folder("images")))

    def encoded(self, path: str | Path, view: View, name: str = "") -> Encoded:
        """Return a file's picture as a View asks for it. Raises JudgeFailure (class evidence).

        Failures call it by `name`, or by the file's own if not given.
        """
        return self.several([NamedFile(path, name or Path(path).name)], view)[0]

    def several(self, files: Sequence[NamedFile], view: View) -> list[Encoded]:
        """Return the pictures of files as a View asks for them; those that are not kept are made on all threads.

        Raises JudgeFailure (class evidence) for the first that fails; what was made of the others is kept.
        """
        if self._cache is None:
            return _all(
                self._on_threads(lambda file: self._made(images.file_bytes(file.path, file.name), file, view), files)
            )
        how = self._how(view)
        states = [_state_of(file) for file in files]
        stretch = _stretch_key(how, states)
        if stretch and (found := self._cache.stretch(stretch)):
            return found
        digests = _all(self._digests(files, states))
        made = self._by_digest(dict(zip(digests, files, strict=True)), how, view)
        if stretch and self._noted(states) == digests:  # not so where one may change without that showing
            self._cache.note_stretch(stretch, digests, how)
        return [made[digest] for digest in digests]

    def image(self, path: str | Path, view: View, name: str = "") -> Image:
        """Return a file's pixels, RGB, fitted as a View asks. Raises what `encoded` raises."""
        name = name or Path(path).name
        data = images.file_bytes(path, name)
        return self._threads.submit(images.fitted, data, view.fit, name, self._pixels).result()

    def digest(self, path: str | Path, name: str = "") -> bytes:
        """Return the SHA-256 of a file. Raises what `encoded` raises."""
        file = NamedFile(path, name or Path(path).name)
        return _all(self._digests([file], [_state_of(file)]))[0]

    def composed(self, of: Iterable[bytes], manner: str, make: Callable[[], Encoded]) -> Encoded:
        """Return a picture made of others: the one kept, or what `make` returns.

        Args:
            of: The digests of their files, in order.
            manner: Everything else that decides what it looks like.
            make: Called where none is kept, in the caller's thread; may use `image`.
        """
        digest, how = _digest(*of), _digest(PIPELINE, self._pixels.name, manner)
        if self._cache and (found := self._cache.pictures([digest], how)):
            return found[digest]
        made = make()
        if self._cache:
            self._cache.put({digest: made}, how)
        return made

    def close(self) -> None:
        """Let go of threads and cache, for good; a picture in the making is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._cache:
            self._cache.close()

    def _digests(self, files: Sequence[NamedFile], states: Sequence[FileState | None]) -> list[bytes | JudgeFailure]:
        """Return the SHA-256 of files: those noted of their states; the others are read."""
        noted = self._noted(states)
        unknown = [file for file, digest in zip(files, noted, strict=True) if digest is None]
        read = iter(self._on_threads(self._read, unknown) if unknown else ())
        return [digest or next(read) for digest in noted]

    def _noted(self, states: Sequence[FileState | None]) -> list[bytes | None]:
        keys = [state.key if state else b"" for state in states]
        known = self._cache.digests([key for key in keys if key]) if self._cache else {}
        return [known.get(key) for key in keys]

    def _read(self, file: NamedFile) -> bytes:
        with images.failing_as_evidence(file.name):
            read = RecordedFile.read(file.path, file.name)
        if self._cache and read.state:
            self._cache.note_digest(read.state.key, read.digest)
        return read.digest  # and not the data: a stretch of screenshots is dozens of megabytes

    def _by_digest(self, files: Mapping[bytes, NamedFile], how: bytes, view: View) -> dict[bytes, Encoded]:
        """Return the pictures of files with these digests; what has to be made is kept together."""
        kept = self._cache.pictures(files, how) if self._cache else {}
        missing = {digest: file for digest, file in files.items() if digest not in kept}
        if not missing:
            return kept

        def make(file: NamedFile) -> tuple[bytes, Encoded]:
            data = images.file_bytes(file.path, file.name)
            return hashlib.sha256(data).digest(), self._made(data, file, view)

        made = self._on_threads(make, missing.values())
        # Under what the file held when it was decoded, should another program just have written it anew.
        good = dict(one for one in made if not isinstance(one, JudgeFailure))
        if self._cache and good:
            self._cache.put(good, how)
        return kept | dict(zip(missing, (picture for _, picture in _all(made)), strict=True))

    def _made(self, data: bytes, file: NamedFile, view: View) -> Encoded:
        image = images.fitted(data, view.fit, file.name, self._pixels)
        return Encoded(images.encode(image, view, file.name), image.size)

    def _on_threads(self, make: Callable[[NamedFile], _Made], files: Iterable[NamedFile]) -> list[_Made | JudgeFailure]:
        """Return what is made of files, or why it cannot be, in order."""

        def tried(file: NamedFile) -> _Made | JudgeFailure:
            try:
                return make(file)
            except JudgeFailure as failure:
                return failure

        return list(self._threads.map(tried, files))

    def _how(self, view: View) -> bytes:
        """Return a digest of all that is done to a picture."""
        return _how(PIPELINE, self._pixels.name, view)


def _all(made: Sequence[_Made | JudgeFailure]) -> list[_Made]:
    """Return what was made. Raises the first failure."""
    good: list[_Made] = []
    for one in made:
        if isinstance(one, JudgeFailure):
            raise one
        good.append(one)
    return good


def _state_of(file: NamedFile) -> FileState | None:
    """Return what a file is known by; None where it cannot be looked at."""
    try:
        return FileState.of(file.path, file.stat)
    except OSError:
        return None


def _stretch_key(how: bytes, states: Sequence[FileState | None]) -> bytes | None:
    """Return what stands for several files in these states; None for one, and where one could not be looked at."""
    seen = [tuple(state) for state in states if state]
    return _digest(how, repr(seen)) if len(seen) == len(states) > 1 else None


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
