"""Reads what a model's answer says about itself, in each of the four protocols, while it streams past.

Server-sent events carry one JSON object after `data:`; an answer that is not streamed is one JSON object (Gemini
without `alt=sse`: a list of them). The fields, by protocol:

    responses  response.usage {input_tokens, input_tokens_details.cached_tokens, output_tokens,
               output_tokens_details.reasoning_tokens}
    chat       usage {prompt_tokens, prompt_tokens_details.cached_tokens, completion_tokens,
               completion_tokens_details.reasoning_tokens}
    messages   usage {input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens}; input_tokens
               leaves out what is cached
    gemini     usageMetadata {promptTokenCount, cachedContentTokenCount, candidatesTokenCount, thoughtsTokenCount};
               candidates leave out thoughts
"""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from agenthorizon.harness import Protocol
from agenthorizon.usage import Usage, known_total, of_chat, token_count

LONGEST = 32 * 2**20
"""Bytes of one event, or of an answer that is not streamed, that are looked at."""

_STATUS = {"overloaded_error": 529, "rate_limit_error": 429, "rate_limit_exceeded": 429, "insufficient_quota": 429}
_LENGTH = {"length", "max_tokens", "max_output_tokens", "MAX_TOKENS"}
_FILTERED = {"content_filter", "refusal", "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "IMAGE_SAFETY"}

_Json = dict[str, Any]


@dataclass
class ModelAnswer:
    """One answer of the model, as far as it came."""

    protocol: Protocol
    streamed: bool
    usage: Usage | None = None
    model: str | None = None
    finish: str | None = None
    """Why it stopped, in OpenAI's words: stop, length, content_filter; None while nobody said."""
    error: str | None = None
    """What it reports as an error although its status was good."""
    error_status: int | None = None
    """The HTTP status that error would have; None for an answer that is none."""
    _understood: bool = False
    _buffer: bytearray = field(default_factory=bytearray, repr=False)

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        if len(self._buffer) + len(data) > LONGEST:
            self._buffer.clear()  # too long to be looked at: it passes unmetered
            self._understood = True
            return
        self._buffer += data
        if self.streamed and b"\n" in data:
            *lines, rest = bytes(self._buffer).split(b"\n")
            self._buffer = bytearray(rest)
            for line in lines:
                self._line(line)

    def end(self) -> None:
        """Take the end of the answer."""
        rest, self._buffer = bytes(self._buffer), bytearray()
        if self.streamed:
            self._line(rest)
        else:
            self._read(rest)
        if not self._understood and self.error is None:
            self.error = "the endpoint's answer is neither JSON nor events"

    def _line(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._read(line[5:])

    def _read(self, data: bytes) -> None:
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                self._understood = True
                self._take(item)

    def _take(self, event: _Json) -> None:
        body = next((_object(event[key]) for key in ("response", "message") if key in event), event)
        self.model = _text(body.get("model")) or _text(body.get("modelVersion")) or self.model
        found = body.get("usage") or event.get("usage") or event.get("usageMetadata")
        if isinstance(found, dict):
            read = _READERS[self.protocol](found)
            self.usage = read if self.usage is None else _latest(self.usage, read)
        self.finish = _finish(event, body) or self.finish
        error = event.get("error") or body.get("error")
        if error:
            self._fail(_object(error) or {"message": str(error)})

    def _fail(self, error: _Json) -> None:
        code = error.get("code")
        self.error = str(error.get("message") or error)[:500]
        named = _STATUS.get(str(error.get("type")), _STATUS.get(str(code), 500))
        self.error_status = code if isinstance(code, int) and 400 <= code < 600 else named


def _finish(event: _Json, body: _Json) -> str | None:
    """Return why the model stopped, where this event says it."""
    choices = event.get("choices") or event.get("candidates") or [{}]
    choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
    reasons = [
        choice.get("finish_reason"),
        choice.get("finishReason"),
        _object(event.get("promptFeedback")).get("blockReason"),
        _object(event.get("delta")).get("stop_reason"),
        body.get("stop_reason"),
        _object(body.get("incomplete_details")).get("reason"),
        "stop" if body.get("status") == "completed" and body.get("object") == "response" else None,
    ]
    reason = next((reason for reason in reasons if isinstance(reason, str) and reason), None)
    if reason is None:
        return None
    return "length" if reason in _LENGTH else "content_filter" if reason in _FILTERED else "stop"


def _of_responses(usage: _Json) -> Usage:
    return Usage(
        input=token_count(usage.get("input_tokens")),
        output=token_count(usage.get("output_tokens")),
        cached_read=token_count(_object(usage.get("input_tokens_details")).get("cached_tokens")),
        reasoning=token_count(_object(usage.get("output_tokens_details")).get("reasoning_tokens")),
    )


def _of_messages(usage: _Json) -> Usage:
    read, written = (
        token_count(usage.get("cache_read_input_tokens")),
        token_count(usage.get("cache_creation_input_tokens")),
    )
    return Usage(
        input=known_total([token_count(usage.get("input_tokens")), read, written]),
        output=token_count(usage.get("output_tokens")),
        cached_read=read,
        cached_write=written,
    )


def _of_gemini(usage: _Json) -> Usage:
    thoughts = token_count(usage.get("thoughtsTokenCount"))
    return Usage(
        input=token_count(usage.get("promptTokenCount")),
        output=known_total([token_count(usage.get("candidatesTokenCount")), thoughts]),
        cached_read=token_count(usage.get("cachedContentTokenCount")),
        reasoning=thoughts,
    )


_READERS = {"responses": _of_responses, "chat": of_chat, "messages": _of_messages, "gemini": _of_gemini}


def _latest(before: Usage, now: Usage) -> Usage:
    """Return what one answer says in all: a later event counts anew, and may leave out what an earlier one said."""
    said = {kind: count for kind, count in now.by_kind.items() if count is not None}
    # Some end with an event by which the prompt took no tokens.
    return replace(before, **said | {"input": now.input or before.input})


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _object(value: Any) -> _Json:
    return value if isinstance(value, dict) else {}
