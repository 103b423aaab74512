"""Decides what is asked next: as much as the endpoints take and the workers allow, nothing that must wait.

A task that waits, for its endpoint or because it has just failed, holds neither
a worker nor its place in the endpoint's window; it is opened only when it is asked.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from agenthorizon.errors import RunStopped
from agenthorizon.running.clock import Clock
from agenthorizon.running.failure_classes import PUSHED_BACK
from agenthorizon.running.lanes import Lane, Work
from agenthorizon.running.pacing import OUTAGE, RequestEnded, Started, pause
from agenthorizon.running.watching import Halt


@dataclass(frozen=True)
class Made:
    """What became of an attempt, as far as going on is concerned."""

    again: bool
    """Whether the task is to be asked again."""
    kind: str | None = None
    """Class of its failure."""
    wait: float | None = None
    """Seconds the endpoint asked to wait."""
    tokens: float | None = None
    said: str = ""
    """What the failure says."""


class Gate(Protocol):
    """Says whether there is money for one more attempt."""

    def tokens(self, work: Work) -> float:
        """Return how many tokens an attempt is thought to take; 0 where nobody counts."""

    def admits(self, work: Work) -> bool:
        """Whether an attempt may start now, counting what is in flight; it is counted from then on."""

    def refuse(self, work: Work) -> RunStopped:
        """Return the reason when nothing is in flight and an attempt is still not admitted."""


class Dispatcher:
    """Runs the lanes dry."""

    WHOLE_RUN = frozenset({"disk", "cap", "closed"})
    """Reasons that stop every judge; the others stop the one concerned."""

    def __init__(
        self, lanes: list[Lane], workers: int, ask: Callable[[Work], Awaitable[Made]], gate: Gate, clock: Clock
    ) -> None:
        self._lanes = lanes
        self._workers = workers
        self._ask = ask
        self._gate = gate
        self._clock = clock
        self._wake = asyncio.Event()
        self._in_flight = 0
        self._stopped: set[str] = set()
        self.reasons: list[RunStopped] = []
        """Why judges were stopped."""

    async def run(self, halt: Halt) -> None:
        """Ask until nothing is left, or `halt` is asked for and what is in flight has ended."""
        halt.tell(self._wake.set)
        async with asyncio.TaskGroup() as group:
            while True:
                self._wake.clear()
                due = None if halt.asked else self._start(group)
                if not self._in_flight and (halt.asked or due is None):
                    return
                await self._clock.wait(self._wake, None if due is None else max(0.0, due - self._clock.now()))

    def _start(self, group: asyncio.TaskGroup) -> float | None:
        """Start all that may start; return when something may next by the clock, None when only an ending helps."""
        dues = [due for lane in self._lanes if (due := self._start_lane(lane, group)) is not None]
        self._lanes.append(self._lanes.pop(0))  # the next one goes first next time
        return None if self._in_flight >= self._workers else min(dues, default=None)

    def _start_lane(self, lane: Lane, group: asyncio.TaskGroup) -> float | None:
        while True:
            now = self._clock.now()
            lane.wake(now)
            if not lane.ready:
                return lane.next_due()
            opens = lane.pacer.opens_at(now)
            if self._in_flight >= self._workers or opens is None or opens > now:
                return opens
            if not self._gate.admits(lane.ready[0]):
                if not self._in_flight:
                    self._stop(self._gate.refuse(lane.ready[0]), lane.ready[0].judge)
                return None
            work = lane.ready.popleft()
            self._in_flight += 1
            # Counted here and not in the task, which begins only after this loop: the next round must know of it.
            began = lane.pacer.start(now, self._gate.tokens(work))
            group.create_task(self._one(lane, work, began))

    async def _one(self, lane: Lane, work: Work, began: Started) -> None:
        made = Made(again=False, kind="crashed")
        try:
            made = await self._ask(work)
        except RunStopped as reason:
            # The others finish what they have in hand: it may be paid for already.
            self._stop(reason, work.judge)
        except asyncio.CancelledError:
            # A group of tasks takes no notice of one that was cancelled alone; where all of them are, this is not read.
            self._stop(RunStopped("cancelled", "a judge's code cancelled the run's own work; mend it"), work.judge)
            raise
        finally:
            self._in_flight -= 1
            now = self._clock.now()
            lane.pacer.end(began, RequestEnded(now, made.kind, made.wait, made.tokens))
            self._wake.set()
        if lane.pacer.is_out(now):
            self._stop(_outage(made), work.judge)
        if made.again and not self._is_stopped(work.judge):
            waits_with_lane = made.kind in PUSHED_BACK or made.kind is None
            lane.again(work, now if waits_with_lane else now + pause(work.failures))
        else:
            lane.settled(work)

    def _stop(self, reason: RunStopped, judge: str) -> None:
        self.reasons.append(reason)
        for lane in self._lanes:
            lane.drop(None if reason.code in self.WHOLE_RUN else judge)
        self._stopped.add(judge)

    def _is_stopped(self, judge: str) -> bool:
        return judge in self._stopped or any(reason.code in self.WHOLE_RUN for reason in self.reasons)


def _outage(made: Made) -> RunStopped:
    why = f"{made.kind}: {made.said}" if made.said else made.kind
    message = f"nothing but failures for {OUTAGE / 60:.0f} minutes ({why}); the same command goes on"
    return RunStopped("outage", message)
