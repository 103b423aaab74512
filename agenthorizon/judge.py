"""The contract of a judge: its settings, and one method that turns a Case into a Reply.

A judge never parses, retries, sleeps, logs or writes: the reply is read by `verdict.read_verdict`, everything else is
the runner's. What a class says that is no `Judge` is read by `judge_traits` alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from agenthorizon.case import FULL_SIZE, Case, Limits, Packing, Picture, RequestSize, Sheet, ShownStep, View
from agenthorizon.prices import Prices
from agenthorizon.usage import Usage

__all__ = [
    "FULL_SIZE",
    "Case",
    "Judge",
    "Limits",
    "Packing",
    "Picture",
    "Reply",
    "RequestSize",
    "Sheet",
    "ShownStep",
    "Usage",
    "View",
    "answer",
]
"""All that a judge's file needs stands here, whichever module it lives in."""


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
    answers_kept: int = 0
    """Answers of a model that were paid for before and found on disk: without them it would have cost more."""
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
    unusable: tuple[str, ...] = ()
    """Answers of a judge's members that cannot be used although it has one itself, in a sentence each: whose, and why.
    `judges check` names them."""


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

    @property
    def deviations(self) -> tuple[str, ...]:
        """What of its settings departs from the published protocol, in a few words each, beside its view."""
        return ()

    def facts(self) -> Mapping[str, Any]:
        """Return what else makes its answers what they are (versions of outside parts), for the run's config.json.

        Raises UsageError when it cannot work here, before anything is spent.
        """
        return {}

    @property
    def packing(self) -> Packing | None:
        """What its requests may hold; None for a judge that makes no use of `Case.sheets`."""
        return None

    def one_request(self, case: Case) -> Iterable[str | Sheet] | None:
        """Return what its only request says beside the guide, in order; None for a judge that asks in another way.

        Training data is made of it.
        """
        return None

    @property
    def asks_one_model(self) -> bool:
        """Whether all its tokens are one model's, so that a table of prices may be asked by that model's name."""
        return True

    @property
    def dearest(self) -> Prices | None:
        """What none of its tokens costs more than: estimates and caps go by it; None is unknown."""
        return self.prices

    def planned_requests(self, case: Case) -> Sequence[RequestSize] | None:
        """Return what it asks at most about a case; None for one request that holds the case as it is shown.

        Raises JudgeFailure where the case fits into no request.
        """
        return None

    def see_from(self, folder: Path) -> None:
        """Take note of the folder of the file that set it up, where relative paths of its settings are looked up."""

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
