"""The time and waiting, so that a run can be tested without either."""

import asyncio
import time


class Clock:
    """The machine's own."""

    def now(self) -> float:
        """Return seconds; only differences mean something."""
        return time.monotonic()

    async def wait(self, event: asyncio.Event, seconds: float | None) -> None:
        """Return when the event is set, or after so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return
