"""A Case: all that a judge is given about one task, as plain data that `evidence` filled.

Nothing in it says whether the task succeeded.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from agenthorizon.task import Action

if TYPE_CHECKING:
    from PIL.Image import Image


class View(BaseModel):
    """How screenshots are shown: fitted into a box without enlarging, then encoded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fit: tuple[int, int] | None = (512, 332)
    """Width and height in pixels that a screenshot must fit into; null leaves its size as recorded."""
    format: Literal["jpeg", "png", "webp"] = "jpeg"
    quality: int = Field(default=60, ge=1, le=100)
    """JPEG or WebP quality."""


FULL_SIZE = View(fit=None, format="png")


class Limits(BaseModel):
    """What one request to a provider may hold; None is unknown or unlimited. The known ones: `evidence/limits.py`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    images: int | None = Field(default=None, ge=1)
    """Pictures."""
    side: int | None = Field(default=None, ge=1)
    """Width and height of a picture, in pixels."""
    many: int | None = Field(default=None, ge=1)
    """With more pictures than this, `many_side` holds instead of `side`."""
    many_side: int | None = Field(default=None, ge=1)
    image_bytes: int | None = Field(default=None, ge=1)
    """Bytes of one encoded picture."""
    request_bytes: int | None = Field(default=None, ge=1)
    """Bytes of the whole request, pictures in base64."""
    context: int | None = Field(default=None, ge=1)
    """Tokens of the model's context; the answer's are set aside when planning."""
    image_tokens: float = Field(default=85, ge=0)
    """Tokens of a picture, whatever its size."""
    pixels_per_token: float | None = Field(default=170, gt=0)
    """Further tokens of a picture by its area; None when the size does not matter."""
    most_image_tokens: float | None = Field(default=None, gt=0)
    """Tokens of the largest picture, where a provider shrinks larger ones itself."""

    @property
    def hold_back(self) -> bool:
        """Whether any of them is known: else everything fits into one request."""
        known = (self.images, self.side, self.many_side, self.image_bytes, self.request_bytes, self.context)
        return any(limit is not None for limit in known)

    def tokens_of(self, width: int, height: int) -> float:
        """Return what a picture of so many pixels takes, in tokens."""
        by_area = width * height / self.pixels_per_token if self.pixels_per_token else 0.0
        return min(self.image_tokens + by_area, self.most_image_tokens or math.inf)


class Packing(BaseModel):
    """How a judge's screenshots are fitted into its requests."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: str = "unknown"
    """Whose limits they are."""
    limits: Limits = Limits()
    merge: Literal["auto", "always", "never"] = "auto"
    """Whether screenshots are merged into grids: when the number of pictures is the limit, 2×2 always, never."""
    number_tiles: bool = False
    """Whether its step's number is drawn on every screenshot of a grid."""


@dataclass(frozen=True)
class RequestSize:
    """What one request of a judge holds at most, said before anything is asked."""

    characters: int
    """Of all texts but earlier answers."""
    screenshots: int = 0
    answers: int = 0
    """Earlier answers of the model that it repeats."""
    answer_tokens: int | None = None
    """Most tokens of its answer; None where it is the judge's own setting that limits it, if one does."""


class Picture(Protocol):
    """A screenshot as a judge may see it; opened only when asked, and not kept."""

    @property
    def digest(self) -> str:
        """SHA-256 of the recorded file: equal pictures have equal digests. For caches, not for prompts."""

    def encoded(self) -> bytes:
        """Return the bytes to send, as the judge's View asks. Raises JudgeFailure (class evidence)."""

    def image(self) -> "Image":
        """Return the pixels, RGB, fitted as the View asks. Raises JudgeFailure (class evidence)."""

    def seen(self, view: View) -> "Picture":
        """Return the same screenshot as another View asks."""

    def recorded_size(self) -> tuple[int, int]:
        """Return width and height of the recorded file, from its header. Raises JudgeFailure (class evidence)."""


@dataclass(frozen=True)
class ShownStep:
    """One step as a judge sees it: the screenshot, then the action taken on it."""

    number: int
    """Position in the trajectory, from 1."""
    action: Action | None
    wording: str
    """The action in the one wording used everywhere; safe to print."""
    picture: Picture | None
    note: str | None = None
    """What to say in the place of a picture: that none was taken, or that it is missing."""


class Sheet(Protocol):
    """One picture of a request: a screenshot, or several merged into a grid that is read row by row."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the steps whose screenshots it holds, in reading order."""

    @property
    def across(self) -> int:
        """Screenshots in a row and in a column; 1 for a screenshot alone."""

    @property
    def size(self) -> tuple[int, int] | None:
        """Box of width and height in pixels that it fits into; None: as recorded."""

    def encoded(self) -> bytes:
        """Return the bytes to send. Raises JudgeFailure (class evidence)."""


@dataclass(frozen=True)
class Case:
    """All that a judge is given about one task."""

    id: str
    """Opaque: made from the task's id, which it does not reveal."""
    instruction: str
    steps: tuple[ShownStep, ...]
    media_type: str
    """MIME type of the encoded pictures, e.g. image/jpeg."""
    guide: str
    """The judging guide and the reply contract."""
    sheets: tuple[Sheet, ...] = ()
    """The pictures of a request, in order, for a judge that says by its Packing what its requests may hold."""
    packing: Packing | None = None
    """What the sheets were planned by."""
    withheld: frozenset[str] = frozenset()
    """What was left out on purpose: instruction, screenshots, actions. A withheld instruction is an empty one."""
    resume_key: str | None = None
    """The same for every attempt at this task and repeat in one run folder, and for nothing else; opaque. By it a judge
    keeps what a later attempt may go on with. None: nothing may be. For no prompt."""

    is_shared: bool = False
    """Whether another verdict on the same recording is asked for right before or after. For no prompt."""

    @property
    def pictures(self) -> int:
        """Number of screenshots shown."""
        return sum(step.picture is not None for step in self.steps)
