"""A recorded screenshot as a judge gets it: it can be looked at, and says nothing of where it lies.

Its path stands in no attribute: the function that prepares it knows it. What cannot be read is called by its step,
since a file's name and its folder tell which tasks share a recording; the outcome, which no judge sees, names the file.
"""

from collections.abc import Callable
from typing import Any, NoReturn, Protocol, TypeVar

from PIL.Image import Image

from agenthorizon.case import View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.reel import Reel

_Made = TypeVar("_Made")


class _Shown(Protocol):
    """Has a way of looking at a screenshot go, and knows where that lies."""

    def __call__(self, way: Callable[[Reel, int], _Made]) -> _Made:
        """Return what the way makes of the reel and the screenshot's place in it. Raises JudgeFailure."""


class RecordedPicture:
    """A screenshot on disk: prepared anew each time it is asked for, since a run holds thousands."""

    __slots__ = ("_shown", "_view")

    def __init__(self, shown: _Shown, view: View) -> None:
        self._shown = shown
        self._view = view

    @property
    def digest(self) -> str:
        """SHA-256 of the recorded file."""
        return self._shown(Reel.digest)

    def image(self) -> Image:
        """Return the pixels, RGB, fitted as the View asks. Raises JudgeFailure (class evidence)."""
        return self._shown(lambda reel, place: reel.image(place, self._view))

    def encoded(self) -> bytes:
        """Return the bytes to send, as the View asks. Raises JudgeFailure (class evidence)."""
        return self._shown(lambda reel, place: reel.encoded(place, self._view))

    def seen(self, view: View) -> "RecordedPicture":
        """Return the same screenshot as another View asks."""
        return self if view is self._view or view == self._view else RecordedPicture(self._shown, view)

    def recorded_size(self) -> tuple[int, int]:
        """Return width and height of the recorded file. Raises JudgeFailure (class evidence)."""
        return self._shown(Reel.size)

    def __copy__(self) -> "RecordedPicture":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "RecordedPicture":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a picture cannot leave its process; take what encoded() returns")


def recorded_picture(reel: Reel, place: int, number: int, view: View) -> RecordedPicture:
    """Return a screenshot of a reel, at a place in it; `number` is its step's, counted from 1."""

    def shown(way: "Callable[[Reel, int], _Made]") -> _Made:  # as text: to evaluate it for each picture costs its half
        try:
            return way(reel, place)
        except JudgeFailure as error:
            message = str(error)
        # Outside of the handler, so that the error it came from, which holds the path, does not go along.
        raise JudgeFailure("evidence", message, passing=False, step=number)

    return RecordedPicture(shown, view)


def called(number: int) -> str:
    """Return what failures call the screenshot of a step."""
    return f"the screenshot of step {number}"
