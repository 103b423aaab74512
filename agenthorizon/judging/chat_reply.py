"""Reads the body of a chat completion, as servers of many makes write it, into a Reply.

{"model": "…", "choices": [{"finish_reason": "stop", "message": {"content": "{\"success\": …}"}}],
 "usage": {"prompt_tokens": 1200, "completion_tokens": 40, "prompt_tokens_details": {"cached_tokens": 0}}}
Nothing but the form of the body is trusted: any field may be absent, null or of another type. What an error means is
said in `running.failures`.
"""

import json
import re
from typing import Any

from agenthorizon.errors import Complaint, JudgeFailure
from agenthorizon.judge import Reply
from agenthorizon.judging.event_stream import is_stream, joined
from agenthorizon.usage import of_chat

_PICTURE = re.compile(r"data:image[^,\"\s]{0,80},[A-Za-z0-9+/=\\]+")
_QUOTED = 500


def reply_of_body(body: str, images: int) -> Reply:
    """Return the reply that a body under status 200 holds; `images` is how many were sent.

    Raises Complaint when it reports an error instead, JudgeFailure when it is no chat completion at all.
    """
    record = _parsed(body.removeprefix("\ufeff"))
    choices = record.get("choices")
    choice = _object(choices[0]) if isinstance(choices, list) and choices else {}
    if error := record.get("error") or choice.get("error"):
        raise _reported(error)
    if not isinstance(choices, list):
        raise JudgeFailure("unreadable", "the server's reply has no list of choices", passing=True)
    message = _object(choice.get("message"))
    # An empty list, or a refusal in a field of its own, is how some servers say that they will not answer.
    is_refused = not choices or bool(message.get("refusal"))
    return Reply(
        text=_answer(message.get("content")),
        finish="content_filter" if is_refused else _string(choice.get("finish_reason")),
        usage=of_chat(_object(record.get("usage"))),
        model=_string(record.get("model")),
        requests=1,
        images=images,
        raw=record,
    )


def _parsed(body: str) -> dict[str, Any]:
    if is_stream(body):
        return joined(body)
    try:
        record = json.loads(_PICTURE.sub("(picture)", body))  # some servers repeat the request
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        start = f"{body[:_QUOTED]!a}" if body else "nothing"
        code = "cut" if body.lstrip().startswith("{") else "unreadable"
        raise JudgeFailure(code, f"expected a JSON object from the server, got {start}", passing=True)
    return record


def _reported(error: Any) -> Complaint:
    """Return the error that a server tells of under status 200; its `code` may be the real status, or a word."""
    message = _object(error).get("message") or error
    code = str(_object(error).get("code"))
    is_status = code.isascii() and code.isdecimal()
    named = "" if is_status or code == "None" else f" ({code[:_QUOTED]})"
    text = f"server error under status 200{named}: {str(message)[:_QUOTED]}"
    return Complaint(text, status_code=int(code[:9]) if is_status else None)


def _answer(content: Any) -> str | None:
    """Return the text of a message; some servers send it in parts, thoughts among them."""
    if isinstance(content, list):
        texts = [part.get("text") for part in map(_object, content) if part.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str)) or None
    return _string(content)


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
