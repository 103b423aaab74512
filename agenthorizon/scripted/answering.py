"""Writes the scripted model's acts as answers of the four protocols, streamed or whole."""

import json
import time
import uuid
from collections.abc import Callable

from agenthorizon.scripted.acting import Call, Say
from agenthorizon.scripted.asking import Asked, Json

TOKENS_IN, TOKENS_OUT, TOKENS_CACHED = 1200, 34, 200
"""Reported with every answer, so that sums are easy to check. The cached ones are among those that came in."""

Event = tuple[str | None, Json | str]
"""Name and data of a server-sent event."""


def whole(asked: Asked, act: Call | Say, is_cut: bool) -> Json:
    """Return an answer as one object; `is_cut` says that its token limit was reached."""
    return _WHOLE[asked.protocol](asked, act, is_cut)


def events(asked: Asked, act: Call | Say, is_cut: bool) -> list[Event]:
    """Return an answer as events."""
    return _EVENTS[asked.protocol](asked, act, is_cut)


def error(status: int, text: str) -> Json:
    """Return the body of a refusal, in a form that all protocols' clients read."""
    kind = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": text, "code": status, "status": kind.upper()}}


def counted(asked: Asked) -> Json:
    """Return how many tokens a request has."""
    return {"totalTokens": TOKENS_IN} if asked.protocol == "gemini" else {"input_tokens": TOKENS_IN}


def _name(prefix: str) -> str:
    return prefix + uuid.uuid4().hex[:20]


def _responses_item(act: Call | Say) -> Json:
    if isinstance(act, Call):
        call = {"type": "function_call", "id": _name("fc_"), "call_id": _name("call_"), "status": "completed"}
        return call | {"name": act.name, "arguments": json.dumps(act.arguments)}
    content = [{"type": "output_text", "text": act.text, "annotations": []}]
    return {"type": "message", "id": _name("msg_"), "role": "assistant", "status": "completed", "content": content}


def _responses(asked: Asked, act: Call | Say, is_cut: bool) -> Json:
    usage = {
        "input_tokens": TOKENS_IN,
        "input_tokens_details": {"cached_tokens": TOKENS_CACHED},
        "output_tokens": TOKENS_OUT,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": TOKENS_IN + TOKENS_OUT,
    }
    answer = {"id": _name("resp_"), "object": "response", "created_at": int(time.time()), "model": asked.model}
    answer |= {"status": "incomplete" if is_cut else "completed", "output": [_responses_item(act)], "usage": usage}
    return answer | ({"incomplete_details": {"reason": "max_output_tokens"}} if is_cut else {})


def _responses_events(asked: Asked, act: Call | Say, is_cut: bool) -> list[Event]:
    answer = _responses(asked, act, is_cut)
    item = answer["output"][0]
    begun = {**answer, "status": "in_progress", "output": [], "usage": None}
    at = {"item_id": item["id"], "output_index": 0}
    middle: list[Json] = [{"type": "response.output_item.added", "output_index": 0, "item": item}]
    if isinstance(act, Call):
        arguments = item["arguments"]
        middle.append({"type": "response.function_call_arguments.delta", **at, "delta": arguments})
        middle.append({"type": "response.function_call_arguments.done", **at, "arguments": arguments})
    else:
        middle.append({"type": "response.output_text.delta", **at, "content_index": 0, "delta": act.text})
    middle.append({"type": "response.output_item.done", "output_index": 0, "item": item})
    end = {"type": f"response.{answer['status']}", "response": answer}
    told = [{"type": "response.created", "response": begun}, *middle, end]
    return [(str(event["type"]), {**event, "sequence_number": number}) for number, event in enumerate(told)]


def _chat_parts(act: Call | Say, is_cut: bool) -> tuple[Json, str]:
    if isinstance(act, Say):
        return {"role": "assistant", "content": act.text}, "length" if is_cut else "stop"
    function = {"name": act.name, "arguments": json.dumps(act.arguments)}
    call = {"index": 0, "id": _name("call_"), "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"


def _chat_usage() -> Json:
    details = {"cached_tokens": TOKENS_CACHED}
    usage = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT}
    return usage | {"prompt_tokens_details": details}


def _chat(asked: Asked, act: Call | Say, is_cut: bool) -> Json:
    message, reason = _chat_parts(act, is_cut)
    choice = {"index": 0, "message": message, "finish_reason": reason}
    answer = {"id": _name("chatcmpl-"), "object": "chat.completion", "created": int(time.time())}
    return answer | {"model": asked.model, "choices": [choice], "usage": _chat_usage()}


def _chat_events(asked: Asked, act: Call | Say, is_cut: bool) -> list[Event]:
    message, reason = _chat_parts(act, is_cut)
    base = {"id": _name("chatcmpl-"), "object": "chat.completion.chunk", "created": int(time.time())}
    base |= {"model": asked.model}
    return [
        (None, {**base, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        (None, {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
        (None, {**base, "choices": [], "usage": _chat_usage()}),
        (None, "[DONE]"),
    ]


def _messages_block(act: Call | Say) -> Json:
    if isinstance(act, Say):
        return {"type": "text", "text": act.text}
    return {"type": "tool_use", "id": _name("toolu_"), "name": act.name, "input": act.arguments}


def _messages_reason(act: Call | Say, is_cut: bool) -> str:
    return "tool_use" if isinstance(act, Call) else "max_tokens" if is_cut else "end_turn"


def _messages(asked: Asked, act: Call | Say, is_cut: bool) -> Json:
    usage = {"input_tokens": TOKENS_IN - TOKENS_CACHED, "cache_read_input_tokens": TOKENS_CACHED}
    usage |= {"cache_creation_input_tokens": 0, "output_tokens": TOKENS_OUT}
    message = {"id": _name("msg_"), "type": "message", "role": "assistant", "model": asked.model, "usage": usage}
    reason = {"stop_reason": _messages_reason(act, is_cut), "stop_sequence": None}
    return message | {"content": [_messages_block(act)]} | reason


def _messages_events(asked: Asked, act: Call | Say, is_cut: bool) -> list[Event]:
    message = _messages(asked, act, is_cut)
    block = message["content"][0]
    if isinstance(act, Call):
        start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(act.arguments)}
    else:
        start, delta = {**block, "text": ""}, {"type": "text_delta", "text": act.text}
    begun = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    told: list[Json] = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": TOKENS_OUT}},
        {"type": "message_stop"},
    ]
    return [(str(event["type"]), event) for event in told]


def _gemini(asked: Asked, act: Call | Say, is_cut: bool) -> Json:
    part = {"functionCall": {"name": act.name, "args": act.arguments}} if isinstance(act, Call) else {"text": act.text}
    content = {"role": "model", "parts": [part]}
    reason = "MAX_TOKENS" if is_cut else "STOP"
    usage = {
        "promptTokenCount": TOKENS_IN,
        "candidatesTokenCount": TOKENS_OUT,
        "cachedContentTokenCount": TOKENS_CACHED,
    }
    usage |= {"totalTokenCount": TOKENS_IN + TOKENS_OUT}
    candidates = [{"index": 0, "content": content, "finishReason": reason}]
    return {"candidates": candidates, "usageMetadata": usage, "modelVersion": asked.model, "responseId": _name("r")}


def _gemini_events(asked: Asked, act: Call | Say, is_cut: bool) -> list[Event]:
    return [(None, _gemini(asked, act, is_cut))]


_WHOLE: dict[str, Callable[[Asked, Call | Say, bool], Json]] = {
    "responses": _responses,
    "chat": _chat,
    "messages": _messages,
    "gemini": _gemini,
}
_EVENTS: dict[str, Callable[[Asked, Call | Say, bool], list[Event]]] = {
    "responses": _responses_events,
    "chat": _chat_events,
    "messages": _messages_events,
    "gemini": _gemini_events,
}
