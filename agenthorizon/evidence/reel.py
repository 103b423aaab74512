"""The screenshots of one task, prepared a stretch at a time for whoever asks for them one after the other.

To look up each by itself in the cache would cost more than to send it, and a stretch that is not kept is made by all
threads at once. Who begins elsewhere, at the last one say, gets that one alone.
"""

import threading
from collections.abc import Sequence

from PIL.Image import Image

from agenthorizon.case import View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence import images
from agenthorizon.evidence.images import Encoded
from agenthorizon.evidence.pictures import NamedFile, Pictures

LONGEST = 32
"""Screenshots in a stretch."""
_LARGEST = 5_500_000
"""Pixels in a stretch of more than a few: some 800 KB as JPEG of quality 60."""
_FEW = 4
"""Screenshots in a stretch of large ones: as many as are decoded at a time."""


class Reel:
    """A task's screenshots, by their place in it, from 0. Threads may share it; it holds one stretch at most."""

    def __init__(self, files: Sequence[NamedFile], pictures: Pictures) -> None:
        self._files = files
        self._pictures = pictures
        self._lock = threading.Lock()
        self._view: View | None = None
        self._first = self._end = 0
        """The stretch last prepared: its first place, and the one behind it."""
        self._held: list[Encoded] = []
        self._singly = 0
        """Where stretches begin again behind a screenshot that cannot be read."""

    def encoded(self, place: int, view: View) -> bytes:
        """Return the bytes to send. Raises JudgeFailure (class evidence)."""
        with self._lock:
            if not (self._held and self._first <= place < self._end and self._is_as(view)):
                self._take(place, view)
            data = self._held[place - self._first].data
            if place == self._end - 1:
                self._held = []
            return data

    def digest(self, place: int) -> str:
        """Return the SHA-256 of the recorded file. Raises JudgeFailure (class evidence)."""
        file = self._files[place]
        return self._pictures.digest(file.path, file.name).hex()

    def image(self, place: int, view: View) -> Image:
        """Return the pixels, RGB, fitted as a View asks. Raises JudgeFailure (class evidence)."""
        file = self._files[place]
        return self._pictures.image(file.path, view, file.name)

    def size(self, place: int) -> tuple[int, int]:
        """Return the recorded width and height. Raises JudgeFailure (class evidence)."""
        file = self._files[place]
        return images.recorded_size(file.path, file.name)

    def _is_as(self, view: View) -> bool:
        """Whether the stretch is prepared as a View asks; nearly always it is the same object."""
        return view is self._view or view == self._view

    def _take(self, place: int, view: View) -> None:
        """Prepare the stretch that begins at a place; one screenshot where nobody came from the one before."""
        follows = place >= self._singly and (place == 0 or (place == self._end and self._is_as(view)))
        self._held = []  # before the next one is there
        self._view, self._first = view, place
        self._end = min(place + _length(view), len(self._files)) if follows else place + 1
        try:
            self._held = self._pictures.several(self._files[place : self._end], view)
        except JudgeFailure:
            # It may be another one that cannot be read: that is said when it is asked for, and until then each is
            # prepared by itself.
            self._singly = self._end
            self._end = place + 1
            self._held = self._pictures.several(self._files[place : self._end], view)


def _length(view: View) -> int:
    """Return how many screenshots a stretch has."""
    if view.fit is None:
        return _FEW
    return max(_FEW, min(LONGEST, _LARGEST // (view.fit[0] * view.fit[1])))
