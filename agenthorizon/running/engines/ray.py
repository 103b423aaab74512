"""Asks on a Ray cluster: processes there show, ask and read; this process alone schedules, pays and writes.

A judge says by `resources` what one process of it needs, e.g. {"GPU": 1}; as many are started as the cluster has room
for. One that dies costs the attempts it had in hand: they are written as failed in passing and asked again.
"""

import asyncio
import math
import os
import time
from dataclasses import dataclass, field, replace
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import MissingExtra, RunStopped, UsageError
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.outcome import Outcome, OutcomeError
from agenthorizon.running.attempt import Ask, Attempt
from agenthorizon.running.engines.local import LocalEngine
from agenthorizon.source import load

USUAL_NEED = {"CPU": 1.0}
_MOST_WAITING = 600.0  # seconds for a process that died to be started again
_LOOKING = 0.2
_NAMED = {"CPU": "num_cpus", "GPU": "num_gpus", "memory": "memory"}


@dataclass(frozen=True)
class _Stopped:
    """A reason to stop, as it travels; the exception itself does not."""

    code: str
    message: str


class _Asker:
    """Makes attempts with one judge, in a process of the cluster."""

    def __init__(self, location: str, fingerprint: str, judge: Any) -> None:
        bench = load(location)
        if bench.fingerprint != fingerprint:
            raise ValueError(f"{location} holds other data on this machine")
        self._judge = judge
        self._engine = LocalEngine(bench)

    async def attempt(self, ask: Ask) -> Attempt | _Stopped:
        """Make one attempt; `ask` comes without its judge."""
        try:
            return await self._engine.attempt(replace(ask, judge=self._judge))
        except RunStopped as reason:
            return _Stopped(reason.code, str(reason))

    async def process(self) -> int:
        """Return the id of the process."""
        return os.getpid()


@dataclass
class _Place:
    """One process of the cluster."""

    actor: Any
    in_hand: int = 0
    is_down: bool = False
    """Whether it was lost, and has not been heard of since."""


@dataclass
class RayEngine:
    """Makes attempts on the cluster that RAY_ADDRESS names or that runs here, else on one started for it.

    Raises MissingExtra without the extra `ray`, UsageError for data that has no place to be opened from.
    """

    bench: Bench
    workers: int
    places: dict[int, list[_Place]] = field(default_factory=dict)
    """Processes by judge."""

    def __post_init__(self) -> None:
        self._ray = _ray()
        if not self.bench.location:
            raise UsageError("--engine ray needs data that every machine can open by its name or path")
        self._is_ours = not self._ray.is_initialized()
        if self._is_ours:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
            self._ray.init(log_to_driver=False, include_dashboard=False, configure_logging=False)

    async def attempt(self, ask: Ask) -> Attempt:
        """Make one attempt. Raises RunStopped when no task could succeed after what happened."""
        places = self.places.get(id(ask.judge)) or self._start(ask.judge)
        place = min(places, key=lambda each: (each.is_down, each.in_hand))
        place.in_hand += 1
        try:
            if place.is_down:
                await self._started_again(place)
            made = await place.actor.attempt.remote(replace(ask, judge=None))
        except self._ray.exceptions.RayActorError as error:
            place.is_down = True
            return _lost(ask, error)
        finally:
            place.in_hand -= 1
        if isinstance(made, _Stopped):
            raise RunStopped(made.code, made.message)
        return Attempt(*made)

    async def _started_again(self, place: _Place) -> None:
        """Wait until a process that was lost answers: what is sent to it before that is lost too."""
        given_up = time.monotonic() + _MOST_WAITING
        while place.is_down:
            try:
                await place.actor.process.remote()
                place.is_down = False
            except self._ray.exceptions.RayActorError:
                if time.monotonic() > given_up:
                    raise
                await asyncio.sleep(_LOOKING)

    def close(self) -> None:
        """End the processes, and the cluster where it was started for this run."""
        for places in self.places.values():
            for place in places:
                self._ray.kill(place.actor)
        if self._is_ours:
            self._ray.shutdown()

    def _start(self, judge: Any) -> list[_Place]:
        need = dict(traits_of(judge).resources or USUAL_NEED)
        room = self._ray.cluster_resources()
        fits = min(int(room.get(name, 0) // amount) for name, amount in need.items() if amount > 0)
        if fits < 1:
            has = ", ".join(
                f"{name} {amount:g}" for name, amount in sorted(room.items()) if not name.startswith("node:")
            )
            raise RunStopped("resources", f"the judge needs {need}, the cluster has {has}")
        count = min(fits, self.workers)
        each = math.ceil(self.workers / count)
        own = {name: amount for name, amount in need.items() if name not in _NAMED}
        options = {_NAMED[name]: amount for name, amount in need.items() if name in _NAMED}
        remote = self._ray.remote(_Asker).options(
            max_restarts=-1, max_task_retries=0, max_concurrency=each + 1, resources=own, **{"num_cpus": 0} | options
        )
        arguments = (self.bench.location, self.bench.fingerprint, judge)
        self.places[id(judge)] = [_Place(remote.remote(*arguments)) for _ in range(count)]
        return self.places[id(judge)]


def _lost(ask: Ask, error: Exception) -> Attempt:
    """Return the attempt that a process had in hand when it died."""
    message = f"the process that asked was lost: {str(error)[:1000]}"
    told = OutcomeError.model_validate({"class": "worker_lost", "message": message, "passing": True})
    return Attempt(
        Outcome(task_id=ask.task_id, repeat=ask.repeat, attempt=ask.attempt, status="failed", error=told), None
    )


def _ray() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise MissingExtra("--engine ray", "ray", str(error)) from error
    return ray
