"""Reads what a CLI asks its model, in any of the four protocols, as far as a scripted model needs it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agenthorizon.harness import Protocol

_PATHS: list[tuple[str, Protocol]] = [
    (r"/responses$", "responses"),
    (r"/chat/completions$", "chat"),
    (r"/messages(/count_tokens)?$", "messages"),
    (r":(generateContent|streamGenerateContent|countTokens)$", "gemini"),
]

_FOLDER = re.compile(r"Your working folder, `([^`]+)`")
_VIEWER = re.compile(r"`sh (\S+/see\.sh)")
_SCREENSHOT = re.compile(r"screenshots/\d+\.(?:png|jpg|webp)")

Json = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """One request."""

    protocol: Protocol
    path: str
    body: Json

    @property
    def only_counts(self) -> bool:
        """Whether it asks how many tokens a request has."""
        return self.path.endswith(("/count_tokens", ":countTokens"))

    @property
    def is_streamed(self) -> bool:
        """Whether the answer is to come as events."""
        return bool(self.body.get("stream")) or ":streamGenerateContent" in self.path

    @property
    def model(self) -> str:
        """The model asked for."""
        found = re.search(r"/models/([^/:]+):", self.path)
        return str(self.body.get("model") or (found[1] if found else "scripted"))

    @cached_property
    def tools(self) -> dict[str, Json]:
        """The tools on offer: name to JSON schema of the arguments."""
        return dict(_TOOLS[self.protocol](self.body))

    @cached_property
    def calls(self) -> int:
        """Tool calls made so far."""
        return sum(1 for _ in _CALLS[self.protocol](self.body))

    @cached_property
    def text(self) -> str:
        """The whole body as JSON."""
        return json.dumps(self.body)

    @property
    def folder(self) -> str | None:
        """The task folder that the prompt names."""
        found = _FOLDER.search(self.text)
        return found[1] if found else None

    @property
    def viewer(self) -> str | None:
        """The script that shows pictures to an agent which has a shell alone."""
        found = _VIEWER.search(self.text)
        return found[1] if found else None

    @property
    def screenshots(self) -> list[str]:
        """Screenshots named anywhere in it, in order."""
        return _SCREENSHOT.findall(self.text)


def protocol_of(path: str) -> Protocol | None:
    """Return the protocol that a path belongs to."""
    return next((protocol for pattern, protocol in _PATHS if re.search(pattern, path)), None)


def _responses_tools(body: Json) -> Iterator[tuple[str, Json]]:
    for tool in _objects(body.get("tools")):
        if tool.get("type") == "function":
            yield str(tool["name"]), tool.get("parameters") or {}


def _chat_tools(body: Json) -> Iterator[tuple[str, Json]]:
    for tool in _objects(body.get("tools")):
        function = tool.get("function") or {}
        if function.get("name"):
            yield str(function["name"]), function.get("parameters") or {}


def _messages_tools(body: Json) -> Iterator[tuple[str, Json]]:
    for tool in _objects(body.get("tools")):
        if tool.get("name"):
            yield str(tool["name"]), tool.get("input_schema") or {}


def _gemini_tools(body: Json) -> Iterator[tuple[str, Json]]:
    for tool in _objects(body.get("tools")):
        for function in _objects(tool.get("functionDeclarations")):
            yield str(function["name"]), function.get("parametersJsonSchema") or function.get("parameters") or {}


def _responses_calls(body: Json) -> Iterator[Json]:
    return (item for item in _objects(body.get("input")) if str(item.get("type", "")).endswith("_call"))


def _chat_calls(body: Json) -> Iterator[Json]:
    return (call for message in _objects(body.get("messages")) for call in _objects(message.get("tool_calls")))


def _messages_calls(body: Json) -> Iterator[Json]:
    blocks = (block for message in _objects(body.get("messages")) for block in _objects(message.get("content")))
    return (block for block in blocks if block.get("type") == "tool_use")


def _gemini_calls(body: Json) -> Iterator[Json]:
    parts = (part for content in _objects(body.get("contents")) for part in _objects(content.get("parts")))
    return (part for part in parts if "functionCall" in part)


_TOOLS = {"responses": _responses_tools, "chat": _chat_tools, "messages": _messages_tools, "gemini": _gemini_tools}
_CALLS = {"responses": _responses_calls, "chat": _chat_calls, "messages": _messages_calls, "gemini": _gemini_calls}


def _objects(value: Any) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
