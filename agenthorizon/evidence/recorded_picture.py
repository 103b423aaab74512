"""A recorded screenshot as a judge gets it: it can be looked at, and says nothing of where it lies.

Its path stands in no attribute: the function that prepares it knows it. What cannot be read is called by its step,
since a file's name and its folder tell which tasks share a recording; the outcome, which no judge sees, names the file.
"""

from collections.abc import Callable
from typing import Any, NoReturn

from PIL.Image import Image

from agenthorizon.case import View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.reel import Reel

_Prepare = Callable[[str, View], Any]


class RecordedPicture:
    """A screenshot on disk: prepared anew each time it is asked for, since a run holds thousands."""

    __slots__ = ("_prepare", "_view")

    def __init__(self, prepare: _Prepare, view: View) -> None:
        self._prepare = prepare
        self._view = view

    @property
    def digest(self) -> str:
        """SHA-256 of the recorded file."""
        digest: str = self._prepare("digest", self._view)
        return digest

    def image(self) -> Image:
        """Return the pixels, RGB, fitted as the View asks. Raises JudgeFailure (class evidence)."""
        image: Image = self._prepare("image", self._view)
        return image

    def encoded(self) -> bytes:
        """Return the bytes to send, as the View asks. Raises JudgeFailure (class evidence)."""
        data: bytes = self._prepare("encoded", self._view)
        return data

    def seen(self, view: View) -> "RecordedPicture":
        """Return the same screenshot as another View asks."""
        return self if view is self._view or view == self._view else RecordedPicture(self._prepare, view)

    def recorded_size(self) -> tuple[int, int]:
        """Return width and height of the recorded file. Raises JudgeFailure (class evidence)."""
        size: tuple[int, int] = self._prepare("size", self._view)
        return size

    def __copy__(self) -> "RecordedPicture":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "RecordedPicture":
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a picture cannot leave its process; take what encoded() returns")


def recorded_picture(reel: Reel, place: int, number: int, view: View) -> RecordedPicture:
    """Return a screenshot of a reel, at a place in it; `number` is its step's, counted from 1."""

    def prepare(what: str, view: View) -> Any:
        try:
            return _WAYS[what](reel, place, view)
        except JudgeFailure as error:
            message = str(error)
        # Outside of the handler, so that the error it came from, which holds the path, does not go along.
        raise JudgeFailure("evidence", message, passing=False, step=number)

    return RecordedPicture(prepare, view)


def called(number: int) -> str:
    """Return what failures call the screenshot of a step."""
    return f"the screenshot of step {number}"


# Not in each picture: a run of 32 workers holds ten thousand of them.
_WAYS: dict[str, Callable[[Reel, int, View], Any]] = {
    "digest": lambda reel, place, _: reel.digest(place),
    "image": lambda reel, place, view: reel.image(place, view),
    "encoded": lambda reel, place, view: reel.encoded(place, view),
    "size": lambda reel, place, _: reel.size(place),
}
