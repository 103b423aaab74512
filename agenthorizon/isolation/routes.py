"""Which requests may pass the door, where they lead, and which headers go with them: one table per protocol."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from agenthorizon.harness import Protocol

# The end of the paths that ask for an answer, and of those that ask about one.
_ASKING: dict[Protocol, str] = {
    "responses": r"/v1(/responses)$",
    "chat": r"/v1(/chat/completions)$",
    "messages": r"(/v1/messages)$",
    "gemini": r"(/v1(?:beta|alpha)?/models/[^/:]+:(?:generateContent|streamGenerateContent))$",
}
_HELPING: dict[Protocol, str] = {
    "responses": r"/v1(/models)$",
    "chat": r"/v1(/models)$",
    "messages": r"(/v1/(?:messages/count_tokens|models))$",
    "gemini": r"(/v1(?:beta|alpha)?/models(?:/[^/:]+(?::countTokens)?)?)$",
}
_KEY_HEADERS: dict[Protocol, tuple[str, str]] = {
    "responses": ("Authorization", "Bearer {}"),
    "chat": ("Authorization", "Bearer {}"),
    "messages": ("x-api-key", "{}"),
    "gemini": ("x-goog-api-key", "{}"),
}
# Headers that belong to one connection (RFC 9110, section 7.6.1), to a key, or to the body's coding.
_NOT_SENT_ON = {
    *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"),
    *("transfer-encoding", "upgrade", "host", "content-length", "content-encoding", "accept-encoding"),
    *("authorization", "x-api-key", "x-goog-api-key", "cookie", "set-cookie"),
}


@dataclass(frozen=True)
class Endpoint:
    """Where the model really answers."""

    protocol: Protocol
    base_url: str
    model: str
    key: str | None


class Asked(NamedTuple):
    """A request that may pass."""

    path: str
    """The part of its path that belongs to the protocol, e.g. /v1/messages."""
    is_answer: bool
    """Whether it asks for an answer, which is counted and capped."""


def asking(protocol: Protocol, method: str, path: str) -> Asked | None:
    """Return what a request asks, or None when it is none of the model's business."""
    if method == "POST" and (found := re.search(_ASKING[protocol], path)):
        return Asked(found[1], is_answer=True)
    if method in ("GET", "POST") and (found := re.search(_HELPING[protocol], path)):
        return Asked(found[1], is_answer=False)
    return None


def keys_of(headers: Mapping[str, str], query: Mapping[str, str]) -> list[str]:
    """Return every key that a request brings, whatever its protocol would have it put."""
    scheme, _, bearer = headers.get("Authorization", "").partition(" ")
    places = [headers.get("x-api-key"), headers.get("x-goog-api-key"), query.get("key")]
    return [key for key in [bearer.strip() if scheme.lower() == "bearer" else None, *places] if key]


def model_of(protocol: Protocol, path: str, body: Any) -> str | None:
    """Return the model that a request names, by the path that is sent on or by its body; None when it names none."""
    if protocol == "gemini":
        found = re.search(r"/models/([^/:]+)", path)
        return found[1] if found else None
    model = body.get("model") if isinstance(body, dict) else None
    return model if isinstance(model, str) else None


def address(endpoint: Endpoint, asked: Asked, query: Mapping[str, str]) -> str:
    """Return where a request is sent on to. An endpoint's address may end with its version or not."""
    base, path = endpoint.base_url.rstrip("/"), asked.path
    version = path.split("/")[1]
    if base.endswith(f"/{version}"):
        path = path.removeprefix(f"/{version}")
    kept = "&".join(f"{name}={value}" for name, value in query.items() if name != "key")
    return f"{base}{path}" + (f"?{kept}" if kept else "")


def headers_to(endpoint: Endpoint, headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers to send on: the CLI's own without its stand-in, with the real key."""
    kept = {name: value for name, value in headers.items() if name.lower() not in _NOT_SENT_ON}
    kept["Accept-Encoding"] = "identity"
    if endpoint.key:
        name, form = _KEY_HEADERS[endpoint.protocol]
        kept[name] = form.format(endpoint.key)
    return kept


def headers_from(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of an answer that the CLI gets."""
    return {name: value for name, value in headers.items() if name.lower() not in _NOT_SENT_ON}
