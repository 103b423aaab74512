"""Asks in this process: one event loop, and the pictures of all judges."""

from agenthorizon.dataset.bench import Bench
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.running.attempt import Ask, Attempt, attempt


class LocalEngine:
    """Makes attempts here."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._pictures = Pictures.kept()

    async def attempt(self, ask: Ask) -> Attempt:
        """Make one attempt. Raises RunStopped when no task could succeed after what happened."""
        return await attempt(self._bench, ask, self._pictures)

    def close(self) -> None:
        """Release the pictures."""
        self._pictures.close()
