"""The door: a small proxy between one CLI and its model, outside the sandbox. It holds the key, counts and caps.

It sends on only what asks the one model for an answer, to the one endpoint. Subscription logins cannot pass it: they
belong to the CLI, and the CLI has nothing but a stand-in for a key. The stand-in is another one for each task, and only
who sends it may pass: without a sandbox the door is open to every process of the machine.
"""

import asyncio
import secrets
import socket
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from io import BytesIO
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from agenthorizon.errors import JudgeFailure
from agenthorizon.isolation.record import DoorRecord, UpstreamFailure, parse
from agenthorizon.isolation.routes import Asked, Endpoint, address, asking, headers_from, headers_to, keys_of, model_of
from agenthorizon.isolation.usage import ModelAnswer
from agenthorizon.usage import Usage

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.web import BaseRequest, ServerRunner, StreamResponse

LARGEST_REQUEST = 512 * 2**20
"""Bytes; three hundred screenshots in full size fit."""

_CONNECT_SECONDS = 30.0
_CLOSING_SECONDS = 2.0
_QUOTED = 2000


@dataclass(frozen=True)
class Caps:
    """What one task may take at the door."""

    requests: int
    dollars: float | None = None
    price: Callable[[Usage], float | None] = lambda usage: None
    """Says what tokens cost, in US dollars."""


class Door:
    """Open it as an async context manager, then let it listen."""

    def __init__(self, endpoint: Endpoint, caps: Caps) -> None:
        """Prepare; nothing is opened before `async with`."""
        self.record = DoorRecord()
        self.key = f"agenthorizon-{secrets.token_urlsafe(24)}"
        """What the CLI has instead of a key; it never begins with a dash, which a command line would take for an
        option."""
        self._endpoint = endpoint
        self._caps = caps
        self._runner: ServerRunner
        self._session: ClientSession
        self._listening: list[asyncio.Task[None]] = []
        self._handling: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Self:
        from aiohttp import ClientSession, ClientTimeout, TCPConnector, web

        timeout = ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS)
        self._session = ClientSession(timeout=timeout, connector=TCPConnector(limit=0), trust_env=True)
        server = web.Server(self._handle, access_log=None)
        self._runner = web.ServerRunner(server, shutdown_timeout=_CLOSING_SECONDS)
        await self._runner.setup()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*self._listening, return_exceptions=True)
        # What is in flight is of use to nobody: the CLI has ended. Left alone it would be waited for.
        for task in self._handling:
            task.cancel()
        await self._runner.cleanup()
        await self._session.close()

    def listen(self, sock: socket.socket) -> None:
        """Serve a socket that listens already."""
        self._listening.append(asyncio.ensure_future(self._serve(sock)))

    async def listen_here(self) -> int:
        """Listen on a free port of 127.0.0.1 and return it."""
        sock = socket.create_server(("127.0.0.1", 0))
        await self._serve(sock)
        return int(sock.getsockname()[1])

    async def _serve(self, sock: socket.socket) -> None:
        from aiohttp import web

        sock.setblocking(False)
        await web.SockSite(self._runner, sock).start()

    async def _handle(self, request: "BaseRequest") -> "StreamResponse":
        if task := asyncio.current_task():
            self._handling.add(task)
            task.add_done_callback(self._handling.discard)
        asked = asking(self._endpoint.protocol, request.method, request.path)
        if asked is None:
            return self._turn_away(404, f"{request.method} {request.path}")
        if not self._is_known(request):
            return self._turn_away(401, f"{request.path}: without the key of this task")
        body = await _read(request)
        if body is None:
            return self._turn_away(413, f"{request.path}: more than {LARGEST_REQUEST} bytes")
        parsed = await asyncio.to_thread(parse, body) if body else {}
        model = model_of(self._endpoint.protocol, asked.path, parsed)
        names_one = model is not None or request.method == "POST"
        if names_one and model != self._endpoint.model:
            return self._turn_away(403, f"{request.path}: model {model!r}, only {self._endpoint.model!r} is to be had")
        if asked.is_answer:
            if self._is_spent():
                return self._turn_away(403, "the limit of this task is reached")
            self.record.requests += 1
            await asyncio.to_thread(self.record.look, parsed)
        return await self._send_on(request, body, asked)

    def _is_known(self, request: "BaseRequest") -> bool:
        """Whether a request brings the stand-in, in any of the places where CLIs put a key."""
        ours = self.key.encode()
        brought = keys_of(request.headers, request.query)
        # A list: every key is compared to its end, so that the time taken says nothing of how near one came.
        return any([secrets.compare_digest(key.encode("utf-8", "surrogateescape"), ours) for key in brought])

    def _is_spent(self) -> bool:
        if self.record.requests >= self._caps.requests:
            self.record.exceeded = "requests"
        else:
            self._note_spending()
        return self.record.exceeded is not None

    def _turn_away(self, status: int, what: str) -> "StreamResponse":
        from aiohttp import web

        self.record.turned_away.append(what[:_QUOTED])
        error = {"type": "invalid_request_error", "message": f"not passed on: {what}"}
        return web.json_response({"type": "error", "error": error}, status=status)

    async def _send_on(self, request: "BaseRequest", body: bytes, asked: Asked) -> "StreamResponse":
        from aiohttp import ClientError, web

        try:
            async with self._session.request(
                request.method,
                address(self._endpoint, asked, request.query),
                data=BytesIO(body) if body else None,  # raw bytes of this size would hold up everybody else
                headers=headers_to(self._endpoint, request.headers),
                allow_redirects=False,
            ) as upstream:
                self.record.active = time.monotonic()
                if upstream.status >= 300:
                    return await self._refused(upstream, asked)
                return await self._stream(request, upstream, asked)
        except (ClientError, TimeoutError, OSError) as error:
            # Before the answer began: later, _stream has dealt with it.
            message = f"the endpoint cannot be reached: {error}"
            self.record.failed(JudgeFailure("connection", message, passing=True))
            return web.json_response({"type": "error", "error": {"type": "api_error", "message": message}}, status=502)

    async def _refused(self, upstream: "ClientResponse", asked: Asked) -> "StreamResponse":
        from aiohttp import web

        words = self._without_key(await upstream.text(errors="replace"))
        if asked.is_answer:
            self.record.failed(UpstreamFailure(upstream.status, words[:_QUOTED], upstream.headers))
        return web.Response(status=upstream.status, text=words, headers=headers_from(upstream.headers))

    async def _stream(self, request: "BaseRequest", upstream: "ClientResponse", asked: Asked) -> "StreamResponse":
        from aiohttp import ClientError, web

        answer = ModelAnswer(self._endpoint.protocol, "event-stream" in upstream.content_type)
        response = web.StreamResponse(status=upstream.status, headers=headers_from(upstream.headers))
        is_there = await _reaches(response.prepare(request))
        try:
            async for data in upstream.content.iter_any():
                self.record.active = time.monotonic()
                answer.feed(data)
                # Some CLIs hang up at the last event. What is still to come is paid for, and counted.
                is_there = is_there and await _reaches(response.write(data))
        except (ClientError, OSError) as error:
            self._broken_off(asked, answer, error)
            # The CLI must see what happened: an orderly end would make half an answer a whole one.
            if request.transport is not None:
                request.transport.abort()
            return response
        answer.end()
        if asked.is_answer:
            self.record.answered(answer)
            self._pay()
        if is_there:
            await _reaches(response.write_eof())
        return response

    def _broken_off(self, asked: Asked, answer: ModelAnswer, error: Exception) -> None:
        if asked.is_answer:
            self.record.metered(answer)
            self._pay()
            message = f"the answer broke off: {error or type(error).__name__}"
            self.record.failed(JudgeFailure("cut", message, passing=True))

    def _pay(self) -> None:
        self.record.cost = self._caps.price(self.record.usage)
        self._note_spending()

    def _note_spending(self) -> None:
        if self._caps.dollars is not None and (self.record.cost or 0) >= self._caps.dollars:
            self.record.exceeded = "spending"

    def _without_key(self, text: str) -> str:
        key = self._endpoint.key
        return text.replace(key, "***") if key and len(key) >= 8 else text


async def _reaches(writing: Awaitable[object]) -> bool:
    """Whether what is written to the CLI gets there; it may have hung up."""
    try:
        await writing
    except OSError:
        return False
    return True


async def _read(request: "BaseRequest") -> bytes | None:
    """Return a request's body, or None when it is too large."""
    body = bytearray()
    async for data in request.content.iter_any():
        body += data
        if len(body) > LARGEST_REQUEST:
            return None
    return bytes(body)
