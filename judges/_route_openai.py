"""OpenAI-compatible servers: OpenAI, vLLM, SGLang, OpenRouter, llama.cpp, LM Studio … through the openai client."""

import asyncio
import os
import ssl
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agenthorizon.errors import JudgeFailure, UsageError
from agenthorizon.judge import Reply
from agenthorizon.judging.beside_the_loop import prepared
from agenthorizon.judging.chat_reply import reply_of_body

from ._body import Body, Scratch
from ._request_fields import request_fields
from ._route import Asking
from ._secrets import hide, without
from ._settings import Settings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_OPENAI = "https://api.openai.com/v1"
_CONNECT_SECONDS = 30.0
LARGEST_REPLY = 16 << 20
"""Bytes of an answer, beside what it repeats of the request."""

_PLACEHOLDER_KEY = "none"  # the client insists on a key; a local server does not look at it

_PROVIDERS = {
    "api.openai.com": "openai",
    "openai.azure.com": "azure-openai",
    "openrouter.ai": "openrouter",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "gemini-inline",
    "aliyuncs.com": "dashscope",
}


class Route:
    """Sends requests through one client, opened when first used."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client: AsyncOpenAI | None = None
        self._scratch = Scratch()

    @staticmethod
    def provider(settings: Settings) -> str:
        """Return whose limits hold, by the server's address."""
        host = urlsplit(settings.base_url or _OPENAI).hostname or ""
        known = (name for suffix, name in _PROVIDERS.items() if host == suffix or host.endswith(f".{suffix}"))
        return next(known, "unknown")

    @staticmethod
    def address(settings: Settings) -> str:
        """Return where requests go."""
        return settings.base_url or _OPENAI

    @staticmethod
    def takes_cache_marker(settings: Settings) -> bool:
        """Whether the server caches what is marked, and only that: OpenRouter, for Claude."""
        return Route.provider(settings) == "openrouter" and "claude" in settings.model.lower()

    async def send(self, asking: Asking) -> Reply:
        """Send one request. Raises the client's errors, without the key in them."""
        import openai

        client = self._open()
        settings = self._settings if asking.is_verdict else self._settings.without_schema()
        fields = request_fields(settings, self.provider(self._settings))
        with Body(self._scratch) as body:
            await prepared(body.write, fields, asking.system, asking.content, asking.media_type)
            _refuse_too_large(body.length, body.pictures, asking)
            headers = {
                "Content-Type": "application/json",
                "Content-Length": str(body.length),
                # Servers of many makes answer here, and the client's types fit only some of their replies.
                "X-Stainless-Raw-Response": "stream",
            }
            try:
                response: Any = await client.post(
                    "/chat/completions", cast_to=object, content=body, options={"headers": headers}
                )
            except openai.APIStatusError as error:
                hide([client.api_key], error)
                raise
            text = (await _read(response.http_response, body.length)).decode("utf-8", "replace")
            return reply_of_body(without([client.api_key], text), images=body.pictures)

    async def aclose(self) -> None:
        """Close the connections."""
        self._scratch.close()
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _open(self) -> "AsyncOpenAI":
        if self._client is None:
            import openai

            # How long an answer may take is the runner's to say; here only an unreachable server is given up.
            timeout = openai.Timeout(None, connect=_CONNECT_SECONDS)
            url = self.address(self._settings)
            # aiohttp carries large bodies at half the cost of the default transport; tests name no proxy either way.
            # A redirect is never followed: it would take the key and the screenshots to an address nobody named.
            transport = openai.DefaultAioHttpClient(timeout=timeout, follow_redirects=False, verify=_trusted(url))
            self._client = openai.AsyncOpenAI(
                api_key=self._key(), base_url=url, max_retries=0, timeout=timeout, http_client=transport
            )
        return self._client

    def _key(self) -> str:
        name = self._settings.key_env
        key = os.environ.get(name, "").strip()
        if not key and self._settings.base_url:
            return _PLACEHOLDER_KEY
        if not key:
            raise UsageError(
                f"{_OPENAI} wants a key, and the variable {name} holds none: export {name}=…, or name a server that "
                "needs none with --base-url URL (base_url in a judge file)"
            )
        if not key.isascii() or not key.isprintable() or " " in key:
            raise UsageError(f"the key in {name} holds characters that no HTTP header can carry")
        return key


def _trusted(url: str) -> ssl.SSLContext | bool:
    """Return whose certificates are believed: the system's; nobody's, and none are read, where there is no TLS."""
    return True if url.lower().startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def _read(response: Any, sent: int) -> bytes:
    """Return a reply's body. Some servers repeat what was sent; beyond that no answer is as long as it may be."""
    import openai

    pieces: list[bytes] = []
    left = LARGEST_REPLY + sent
    try:
        async for piece in response.aiter_bytes():
            pieces.append(piece)
            left -= len(piece)
            if left < 0:
                message = f"the reply is longer than {LARGEST_REPLY >> 20} MB and the request; the rest was not read"
                raise JudgeFailure("unreadable", message, passing=True)
    except (JudgeFailure, asyncio.CancelledError):
        raise
    except Exception as error:  # whatever its transport raises: the answer is read off its connection
        raise openai.APIConnectionError(request=response.request) from error
    finally:
        await response.aclose()
    return b"".join(pieces)


def _refuse_too_large(length: int, pictures: int, asking: Asking) -> None:
    most = asking.limits.request_bytes
    if most is not None and length > most:
        mend = "set a smaller image_size or image_quality" if pictures else "its text alone is too long"
        message = (
            f"the request has {length / 1e6:.1f} MB and its provider takes {most / 1e6:g} MB; nothing was sent: {mend}"
        )
        raise JudgeFailure("too_large", message, passing=False)
