"""What the door saw of one task: requests, tokens, the pictures really sent, and what the model's side refused."""

import base64
import binascii
import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agenthorizon.errors import JudgeFailure
from agenthorizon.files.jsonlines import parse_json
from agenthorizon.harness import EndedBy
from agenthorizon.isolation.usage import ModelAnswer
from agenthorizon.usage import Usage

MOST_REFUSALS = 12
"""Failures of the model's side in a row after which a CLI that tries again and again is ended."""


@dataclass(frozen=True)
class SentPicture:
    """A picture whose bytes stood in a request."""

    sha256: str
    bytes: int
    media_type: str


class UpstreamFailure(Exception):
    """An HTTP status that the model's side answered instead of an answer; `running.failures` says what it means."""

    def __init__(self, status_code: int, body: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(body)
        self.status_code = status_code
        self.body = body
        self.headers = dict(headers or {})


Failure = UpstreamFailure | JudgeFailure
"""A failure of the model's side; what has no status (not reached, broken off, no answer) has its class already."""


@dataclass
class DoorRecord:
    """Grows while a task is judged."""

    requests: int = 0
    """Requests for an answer that were sent on."""
    answers: int = 0
    """Those that were answered to the end."""
    unmetered: int = 0
    """Answers that said nothing about tokens."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """US dollars, where prices are known."""
    pictures: dict[str, SentPicture] = field(default_factory=dict)
    """By their hash; a picture that is sent again with every request counts once."""
    turned_away: list[str] = field(default_factory=list)
    """What was asked of the door and is none of its business."""
    failures: list[Failure] = field(default_factory=list)
    last_failure: Failure | None = None
    """The failure nothing good came after."""
    in_a_row: int = 0
    """Failures since the last good answer."""
    finish: str | None = None
    model: str | None = None
    exceeded: EndedBy | None = None
    """The limit that was reached."""
    active: float = field(default_factory=time.monotonic)
    """When the model's side last sent a byte, on the monotonic clock."""
    _seen: dict[int, str] = field(default_factory=dict, repr=False)

    def failed(self, failure: Failure) -> None:
        """Note a failure of the model's side."""
        self.failures.append(failure)
        self.last_failure = failure
        self.in_a_row += 1
        if self.in_a_row >= MOST_REFUSALS:
            self.exceeded = self.exceeded or "refusals"

    def answered(self, answer: ModelAnswer) -> None:
        """Note an answer that came to its end."""
        self.metered(answer)
        if answer.error is not None:
            self.failed(_reported(answer.error, answer.error_status))
            return
        self.answers += 1
        self.last_failure, self.in_a_row = None, 0
        self.finish = answer.finish or self.finish

    def metered(self, answer: ModelAnswer) -> None:
        """Add the tokens of an answer, whole or not: they are paid for."""
        self.model = answer.model or self.model
        if answer.usage is None:
            self.unmetered += 1
        else:
            self.usage = Usage.known_total([self.usage, answer.usage])

    def look(self, body: Any) -> None:
        """Note the pictures in a request's body."""
        for media_type, data in _pictures(body):
            key = hash(data)
            if key not in self._seen:
                self._seen[key] = self._add(media_type, data)

    def _add(self, media_type: str, data: str) -> str:
        try:
            raw = base64.b64decode(data, validate=False)
        except (binascii.Error, ValueError):
            raw = data.encode()
        digest = hashlib.sha256(raw).hexdigest()
        self.pictures.setdefault(digest, SentPicture(digest, len(raw), media_type))
        return digest


def _reported(message: str, status: int | None) -> Failure:
    """Return the failure that an answer reports although its status was good."""
    return JudgeFailure("server", message, passing=True) if status is None else UpstreamFailure(status, message)


def parse(body: bytes) -> Any:
    """Return a request's JSON, or None when it is none, or says two things under one key."""
    try:
        return parse_json(body)
    except ValueError:
        return None


def _pictures(node: Any) -> Iterator[tuple[str, str]]:
    """Yield media type and base64 of every picture in a body, whatever the protocol.

    {"media_type": "image/png", "data": "…"} (messages), {"mimeType": "image/png", "data": "…"} (gemini),
    "data:image/png;base64,…" (responses, chat).
    """
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending += node
        elif isinstance(node, dict):
            media_type = node.get("media_type") or node.get("mimeType") or node.get("mime_type")
            data = node.get("data")
            if isinstance(media_type, str) and media_type.startswith("image/") and isinstance(data, str):
                yield media_type, data
            pending += node.values()
        elif isinstance(node, str) and node.startswith("data:image/"):
            head, _, data = node.partition(",")
            yield head[5:].partition(";")[0], data
