"""Outcome: what became of one attempt at one task: a verdict, a malformed reply, or a failure. One JSON line."""

import json
from datetime import UTC, datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from agenthorizon.dataset.schema import is_safe_id
from agenthorizon.surrogates import without_lone_surrogates
from agenthorizon.verdict import Verdict

MOST_REPEATS = 10_000
"""Verdicts asked for one task; more is a slip of the hand, and every repeat is scored."""


class OutcomeError(BaseModel):
    """Why there is no verdict."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    kind: str = Field(alias="class")
    """Class of the failure, e.g. rate_limited, refused, truncated, evidence; for a malformed reply the rule broken."""
    message: str
    passing: bool
    """Whether asking again can help; only such failures are asked again when a run goes on."""


class Telemetry(BaseModel):
    """What an attempt took. None is unknown, never 0."""

    model_config = ConfigDict(frozen=True, extra="allow")

    seconds: float | None = None
    tokens: dict[str, int | None] | None = None
    """By kind: input, output, cached_read, reasoning, cached_write; None when the provider reported nothing."""
    cost: float | None = Field(default=None, ge=0)
    """US dollars."""
    requests: int | None = None
    images: int | None = None
    tool_calls: int | None = None
    answers_kept: int | None = None
    """Answers of a model that were found on disk and cost nothing."""
    model: str | None = None
    """The model that answered, by its provider's account."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Outcome(BaseModel):
    """One attempt at one task, as appended to outcomes.jsonl."""

    model_config = ConfigDict(frozen=True, extra="allow")

    task_id: str
    """Safe as a file's name: transcripts are called by it."""
    repeat: int = Field(default=0, ge=0, lt=MOST_REPEATS)
    attempt: int = Field(default=1, ge=1)
    """1 for the first time this task and repeat was asked."""
    status: Literal["verdict", "malformed", "failed"]
    verdict: Verdict | None = None
    error: OutcomeError | None = None
    evidence: dict[str, Any] = Field(default_factory=dict)
    """How the task was shown: steps, pictures, sizes, what was missing."""
    telemetry: Telemetry = Telemetry()
    at: str = Field(default_factory=_now)
    """When it was written, UTC."""

    @field_validator("task_id")
    @classmethod
    def _is_safe(cls, task_id: str) -> str:
        if not is_safe_id(task_id):
            raise ValueError(f"{task_id[:80]!r} cannot be a file name")
        return task_id

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if (self.verdict is not None) != (self.status == "verdict"):
            has = "has one" if self.verdict else "has none"
            raise ValueError(f"status {self.status!r} contradicts verdict: the record {has}")
        return self

    @property
    def is_settled(self) -> bool:
        """Whether going on leaves it as it is: everything but a failure that may pass."""
        return self.status != "failed" or not (self.error and self.error.passing)

    def to_line(self) -> bytes:
        """Return one line of JSON, ASCII only; half a surrogate pair, which no reader takes, becomes U+FFFD.

        Raises TypeError or ValueError for values that JSON does not have, such as NaN.
        """
        record = _writable(self.model_dump(mode="python", by_alias=True))
        return json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _writable(value: Any) -> Any:
    if isinstance(value, str):
        return without_lone_surrogates(value)
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(item) for item in value]
    return value


def latest(outcomes: list[Outcome]) -> dict[tuple[str, int], Outcome]:
    """Return the outcome that counts for each task and repeat: the last one written."""
    return {(outcome.task_id, outcome.repeat): outcome for outcome in outcomes}
