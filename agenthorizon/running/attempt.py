"""One attempt at one task: show it, ask the judge, read the reply. It ends in an Outcome, unless the run must stop."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import JudgeFailure, RunStopped
from agenthorizon.evidence.ablation import COMPLETE, Ablation
from agenthorizon.evidence.blind import BlindCase
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.judge import Reply
from agenthorizon.judging.asking import ask as asked
from agenthorizon.judging.beside_the_loop import prepared
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.judging.patience import waiting
from agenthorizon.outcome import Outcome, Telemetry
from agenthorizon.prices import Prices
from agenthorizon.running.failure_classes import IN_OWN_CODE
from agenthorizon.running.failures import failure
from agenthorizon.running.measured import Measured
from agenthorizon.running.own_frames import own_line, whole_traceback
from agenthorizon.running.plain_json import json_safe
from agenthorizon.running.reading import Ending, failed, read_reply
from agenthorizon.running.resume_keys import resume_key
from agenthorizon.running.showing import show


@dataclass(frozen=True)
class Ask:
    """What is asked of whom, for which time."""

    judge: Any
    task_id: str
    repeat: int
    attempt: int
    timeout: float
    """Seconds to wait for its answer; what this machine takes to prepare the request is not counted."""
    prices: Prices | None = None
    """What its tokens cost; None is unknown."""
    ablation: Ablation = COMPLETE
    """What the judge is not shown."""
    follows: bool = False
    """Whether it is asked right after another task on the same recording."""
    is_shared: bool = False
    """Whether another verdict on its recording is asked for in the same command, right before or after."""
    run: str | None = None
    """What stands for the run folder; None where nothing is written to one."""

    @property
    def resume_key(self) -> str | None:
        """What stands for this task and repeat in this run, and tells nothing of them."""
        return None if self.run is None else resume_key(self.run, self.task_id, self.repeat)


class Attempt(NamedTuple):
    """What is written about an attempt."""

    outcome: Outcome
    transcript: dict[str, Any] | None
    """What was received, as it came; None when nothing was."""
    retry_after: float | None = None
    """The wait the server asked for, in seconds."""


async def attempt(bench: Bench, ask: Ask, pictures: Pictures) -> Attempt:
    """Make one attempt; `pictures` prepares the screenshots.

    Raises RunStopped when no task could succeed after what happened.
    """
    started = time.monotonic()
    shown: BlindCase | None = None
    reply: Reply | None = None
    try:
        shown = await prepared(_shown, bench, ask, pictures)
        limit = None if traits_of(ask.judge).keeps_time else ask.timeout
        async with asyncio.timeout(limit) as deadline:
            with waiting(deadline):
                # In a task of its own: a judge that cancels "its" task cancels this one alone, which is a failure.
                reply = await asyncio.create_task(asked(ask.judge, shown.case))
        return _made(ask, shown, reply, started, read_reply(reply))
    except BaseException as error:  # the one border: whatever a judge does ends in its outcome
        if _is_meant_for_us(error):
            raise
        cause = _failure(error, traits_of(ask.judge).base_url)
        line = own_line(error) if cause.code in IN_OWN_CODE else None
        message = f"{cause}{_recorded(bench, ask.task_id, cause.step)}{f' ({line})' if line else ''}"
        trace = whole_traceback(error) if line else None
        ending = failed(cause.code, message, passing=cause.passing)
    try:
        made = _made(ask, shown, reply, started, ending)
    except Exception:  # noqa: BLE001  what cannot be written is left out, the failure is not
        made = _made(ask, shown, None, started, ending)
    kept = {"text": None, "finish": None, "failure": cause.code, "traceback": trace} if trace else made.transcript
    return made._replace(retry_after=cause.retry_after, transcript=kept)


def _made(ask: Ask, shown: BlindCase | None, reply: Reply | None, started: float, ending: Ending) -> Attempt:
    """Put together what is written. Raises TypeError or ValueError for what no JSON line can hold."""
    measured, seconds = Measured(), time.monotonic() - started
    more: dict[str, Any] = {}
    telemetry = Telemetry(seconds=round(seconds, 3))
    if reply is not None:
        is_free = not traits_of(ask.judge).may_cost
        telemetry = measured.telemetry(reply, seconds, ask.prices, is_free=is_free)
        more = {"agent": agent} if (agent := measured.record("agent", reply.agent)) else {}
    evidence = _evidence(ask, shown, measured.record("evidence", reply.evidence) if reply else {})
    more |= {"warnings": measured.warnings} if measured.warnings else {}
    outcome = Outcome(
        task_id=ask.task_id,
        repeat=ask.repeat,
        attempt=ask.attempt,
        evidence=evidence,
        telemetry=telemetry,
        status=ending.status,
        verdict=ending.verdict,
        error=ending.error,
        **more,
    )
    outcome.to_line()
    return Attempt(outcome, _transcript(reply, outcome))


def _is_meant_for_us(error: BaseException) -> bool:
    """Whether an exception is the user's interruption or our own cancelling, and no doing of the judge's."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0
    return isinstance(error, KeyboardInterrupt)


def _failure(error: BaseException, address: str | None) -> JudgeFailure:
    """Return what an exception means, even of one that cannot say itself. Raises RunStopped."""
    try:
        return failure(error, address)
    except RunStopped:
        raise
    except Exception:  # noqa: BLE001  a judge's exception may fail in its own methods
        return JudgeFailure("crashed", f"{type(error).__name__}, which cannot be put into words", passing=True)


def _recorded(bench: Bench, task_id: str, number: int | None) -> str:
    """Return the screenshot of a step as recorded, in brackets: its judge is told the step alone."""
    steps = bench[task_id].trajectory.steps if isinstance(number, int) else ()
    found = [step.screenshot for position, step in enumerate(steps, start=1) if position == number]
    return f" ({found[0]})" if found and found[0] else ""


def _shown(bench: Bench, ask: Ask, pictures: Pictures) -> BlindCase:
    shown = show(bench, ask.task_id, ask.judge, ask.ablation, pictures)
    return shown._replace(case=replace(shown.case, resume_key=ask.resume_key, is_shared=ask.is_shared))


def _evidence(ask: Ask, shown: BlindCase | None, told: dict[str, Any]) -> dict[str, Any]:
    followed = {"follows": True} if ask.follows else {}
    return {**(shown.evidence if shown else {}), **told, **followed}


def _transcript(reply: Reply | None, outcome: Outcome) -> dict[str, Any] | None:
    """Return what is kept of a reply; with the class of the failure it came with, which its text does not tell."""
    if reply is None:
        return None
    kept = {"text": _text_or_none(reply.text), "finish": _text_or_none(reply.finish), "raw": reply.raw}
    return kept | ({"failure": outcome.error.kind} if reply.failure is not None and outcome.error else {})


def _text_or_none(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(json_safe(value))
