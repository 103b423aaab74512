"""The contract of a judge: its settings, and one method that turns a Case into a Reply.

A judge never parses, retries, sleeps, logs or writes: the reply is read by `verdict.read_verdict`, everything else is
the runner's. A Case carries plain data that `evidence` filled; nothing in it says whether the task succeeded.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from agenthorizon.prices import Prices
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

    @property
    def pictures(self) -> int:
        """Number of screenshots shown."""
        return sum(step.picture is not None for step in self.steps)


MOST_TOKENS = 10**12
"""No request takes as many; who says so, or says fewer than none, has not counted."""


def token_count(value: object) -> int | None:
    """Return a number of tokens as a provider says it; None where it is none, and so unknown."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < MOST_TOKENS else None


@dataclass(frozen=True)
class Usage:
    """Tokens by kind as the provider counts them; None is unknown, never 0."""

    input: int | None = None
    """All of the prompt, what was cached included."""
    output: int | None = None
    """All that was generated, reasoning included."""
    cached_read: int | None = None
    reasoning: int | None = None
    cached_write: int | None = None

    @classmethod
    def total(cls, parts: "Iterable[Usage]") -> "Usage":
        """Return the sum by kind; unknown as soon as one part is unknown."""
        listed = list(parts)
        columns = {one.name: [getattr(part, one.name) for part in listed] for one in fields(cls)}
        return cls(**{name: None if None in counts or not counts else sum(counts) for name, counts in columns.items()})


@dataclass(frozen=True)
class Reply:
    """What came back from a judge, unread."""

    text: str | None
    """The final answer, without thoughts; None when there is none."""
    finish: str | None = None
    """Why the model stopped, in OpenAI's words: stop, length, content_filter …; None where nobody said."""
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    """The model that answered, by its provider's account."""
    requests: int = 0
    images: int = 0
    """Pictures really sent or looked at."""
    tool_calls: int | None = None
    cost: float | None = None
    """US dollars; None where prices are unknown."""
    seconds: float | None = None
    """What the judge itself took, where setting it up is not judging; None leaves it to the runner's clock."""
    failure: Exception | None = None
    """Why this is no answer, although there is something to keep; classed like an error that is raised."""
    agent: Mapping[str, Any] | None = None
    """What an agent did, for the outcome's line: plain JSON."""
    raw: Mapping[str, Any] | None = None
    """The whole reply as received, for the transcript; never holds a picture."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """What the outcome's account of the evidence must add, e.g. which steps a judge chose to look at."""


class Judge(BaseModel, ABC):
    """Base of the judges in `judges/`: its fields are its settings, which go into the run's config.json."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, use_attribute_docstrings=True)

    looks_at_pictures: ClassVar[bool] = True
    """Whether missing screenshots matter to it."""
    sends_requests: ClassVar[bool] = False
    """Whether it asks a model over a protocol, so that the published protocol applies to it."""
    has_published_view: ClassVar[bool] = True
    """Whether the published protocol fixes how its screenshots are shown; agents get them as recorded."""
    keeps_time: ClassVar[bool] = False
    """Whether it ends in time by itself; the runner's --timeout is then offered to it as the setting `seconds`."""
    unrecorded: ClassVar[frozenset[str]] = frozenset()
    """Settings that do not change what the judge sees or how it is asked (e.g. where its key stands)."""

    resources: ClassVar[Mapping[str, float]] = {}
    """What one process of it needs on a Ray cluster: CPU, GPU, or a name of the cluster's own; one CPU if empty."""

    prices: Prices | None = None
    """Dollars per million tokens, by kind: input, output, cached_read, cached_write, reasoning. No part of a run's
    configuration."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the texts in `prompts` it is asked with."""
        return ("guide",)

    @property
    def view(self) -> View:
        """How it wants its screenshots."""
        return FULL_SIZE

    def facts(self) -> Mapping[str, Any]:
        """Return what else makes its answers what they are (versions of outside parts), for the run's config.json.

        Raises UsageError when it cannot work here, before anything is spent.
        """
        return {}

    @property
    def packing(self) -> Packing | None:
        """What its requests may hold; None for a judge that makes no use of `Case.sheets`."""
        return None

    @abstractmethod
    async def judge(self, case: Case) -> Reply:
        """Answer one case. Errors may be raised as they come; the runner classes them."""

    async def aclose(self) -> None:
        """Release connections; called once when the run ends."""


def answer(success: bool, reasoning: str, confidence: str | None = None) -> Reply:
    """Return a well-formed reply, for judges that decide without a model."""
    import json

    verdict = {"success": success, "reasoning": reasoning, "confidence": confidence, "mistake_type": None}
    return Reply(text=json.dumps(verdict))
