"""The floor under asking through the openai client: it is imported, and bodies that lie ready are streamed from disk.

Nothing is prepared, checked, read or written. What the product takes beyond this is its own; a target below this cannot
be met with this client.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

import openai

PIECE = 65_536


async def send(payloads: Path, url: str, workers: int) -> None:
    """Send every payload once, so many at a time."""
    timeout = openai.Timeout(None, connect=30)
    transport = openai.DefaultAioHttpClient(timeout=timeout)
    free = asyncio.Semaphore(workers)
    async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0, http_client=transport) as client:

        async def one(path: Path) -> None:
            async with free:
                with path.open("rb") as file:
                    headers = {
                        "Content-Type": "application/json",
                        "Content-Length": str(path.stat().st_size),
                        "X-Stainless-Raw-Response": "true",
                    }
                    options: openai.RequestOptions = {"headers": headers}
                    await client.post("/chat/completions", cast_to=object, content=_pieces(file), options=options)

        await asyncio.gather(*map(one, sorted(payloads.glob("*.json"))))


async def _pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


if __name__ == "__main__":
    asyncio.run(send(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
