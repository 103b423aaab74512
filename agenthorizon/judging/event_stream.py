"""Joins a streamed chat completion into the body it would have had in one piece.

Nobody asks for a stream here, but some servers send nothing else:
data: {"model": "m", "choices": [{"index": 0, "delta": {"content": "{\"suc"}, "finish_reason": null}]}
data: [DONE]
"""

import json
from typing import Any

from agenthorizon.errors import JudgeFailure

_DONE = "[DONE]"


def is_stream(body: str) -> bool:
    """Whether a body is a stream of events."""
    return body.lstrip().startswith(("data:", "event:", ": "))


def joined(body: str) -> dict[str, Any]:
    """Return the completion that a stream's events make up.

    Raises JudgeFailure (cut, passing) when the stream ends without saying so: what came may be half an answer, even if
    it reads like a whole one.
    """
    lines = body.replace("\r\n", "\n").split("\n")
    events = [line[5:].strip() for line in lines if line.startswith("data:")]
    chunks = [chunk for event in events if event and event != _DONE for chunk in _parsed(event)]
    texts: list[str] = []
    finish: Any = None
    record: dict[str, Any] = {}
    for chunk in chunks:
        record |= {name: value for name, value in chunk.items() if name != "choices" and value is not None}
        for choice in _objects(chunk.get("choices")):
            delta = choice.get("delta")
            if isinstance(delta, dict) and isinstance(text := delta.get("content"), str):
                texts.append(text)
            finish = choice.get("finish_reason") or finish
    if finish is None and _DONE not in events and "error" not in record:
        raise JudgeFailure("cut", "the stream ended before the answer did", passing=True)
    message = {"role": "assistant", "content": "".join(texts)}
    return record | {"choices": [{"index": 0, "finish_reason": finish, "message": message}]}


def _parsed(event: str) -> list[dict[str, Any]]:
    try:
        return _objects([json.loads(event)])
    except (ValueError, RecursionError) as error:
        raise JudgeFailure("cut", f"an event of the stream is not JSON: {event[:200]!a}", passing=True) from error


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
