"""A chat server on 127.0.0.1 that answers after a while, or as fast as a token bucket lets it.

python benchmarks/slow_server.py PORT MILLISECONDS                   every request after so many milliseconds
python benchmarks/slow_server.py PORT MILLISECONDS RATE RESERVE      429 with Retry-After beyond RATE a second
"""

import asyncio
import math
import sys
import time

from aiohttp import web

VERDICT = '{"success": true, "reasoning": "ok", "confidence": "high", "mistake_type": null}'
BODY = {
    "id": "c1",
    "object": "chat.completion",
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": VERDICT}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010},
}


class Server:
    """A model that takes its time, and may let only so many requests through."""

    def __init__(self, seconds: float, rate: float | None = None, reserve: float = 0.0) -> None:
        self.seconds, self.rate, self.reserve = seconds, rate, reserve
        self.tokens, self.at = reserve, time.monotonic()
        self.first = self.last = 0.0
        self.counts = {"answered": 0, "refused": 0}

    async def chat(self, request: web.Request) -> web.Response:
        """Answer a request after a while, or refuse it with the wait until there is room."""
        async for _ in request.content.iter_chunked(1 << 18):
            pass
        now = time.monotonic()
        self.first = self.first or now
        wait = self._wait(now)
        if wait is not None:
            self.counts["refused"] += 1
            headers = {"retry-after": str(math.ceil(wait))}
            return web.json_response({"error": {"message": "slow down"}}, status=429, headers=headers)
        await asyncio.sleep(self.seconds)
        self.counts["answered"] += 1
        self.last = time.monotonic()
        return web.json_response(BODY)

    def _wait(self, now: float) -> float | None:
        """Return the seconds until the bucket has room; None when it has."""
        if self.rate is None:
            return None
        self.tokens = min(self.reserve, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return (1 - self.tokens) / self.rate
        self.tokens -= 1
        return None

    async def stats(self, _: web.Request) -> web.Response:
        """Say how many were answered and refused, and between which two moments."""
        return web.json_response({**self.counts, "seconds": self.last - self.first})


def main() -> None:
    """Serve on 127.0.0.1 until killed."""
    port, milliseconds, *bucket = (float(word) for word in sys.argv[1:])
    server = Server(milliseconds / 1000, *bucket)
    app = web.Application(client_max_size=1 << 30)
    app.router.add_post("/v1/chat/completions", server.chat)
    app.router.add_get("/stats", server.stats)
    web.run_app(app, host="127.0.0.1", port=int(port), print=None, access_log=None)


if __name__ == "__main__":
    main()
