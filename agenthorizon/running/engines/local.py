"""Asks in this process: one event loop, threads for judges that are plain functions, and the pictures of them all."""

from concurrent.futures import ThreadPoolExecutor

from agenthorizon.dataset.bench import Bench
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.running.attempt import Ask, Attempt, attempt


class LocalEngine:
    """Makes attempts here."""

    def __init__(self, bench: Bench, workers: int) -> None:
        self._bench = bench
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="judge")
        self._pictures = Pictures.kept()

    async def attempt(self, ask: Ask) -> Attempt:
        """Make one attempt. Raises RunStopped when no task could succeed after what happened."""
        return await attempt(self._bench, ask, self._threads, self._pictures)

    def close(self) -> None:
        """Release the threads; one that still runs is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._pictures.close()
