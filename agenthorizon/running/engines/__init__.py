"""What makes attempts: the contract of an engine, and the one that options name."""

from typing import Protocol

from agenthorizon.dataset.bench import Bench
from agenthorizon.running.attempt import Ask, Attempt
from agenthorizon.running.engines.local import LocalEngine
from agenthorizon.running.options import Options


class Engine(Protocol):
    """Makes attempts, here or elsewhere. Writing, pacing and counting stay with the runner."""

    async def attempt(self, ask: Ask) -> Attempt:
        """Make one attempt. Raises RunStopped when no task could succeed after what happened."""

    def close(self) -> None:
        """Release what it holds."""


def engine_of(bench: Bench, options: Options) -> Engine:
    """Return the engine that options name. Raises UsageError where it cannot work here."""
    if options.engine == "ray":
        from agenthorizon.running.engines.ray import RayEngine

        return RayEngine(bench, options.workers)
    return LocalEngine(bench)
