"""Runs judges over tasks: shows, asks, writes, goes on. One failing task never ends the run."""

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import AsyncExitStack, chdir
from dataclasses import dataclass, field, replace

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import RunStopped
from agenthorizon.judging.describing import without_secrets
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.outcome import Outcome
from agenthorizon.prices import Prices
from agenthorizon.running.attempt import Ask
from agenthorizon.running.before_asking import checked_ids
from agenthorizon.running.breaker import Breaker
from agenthorizon.running.clock import Clock
from agenthorizon.running.config import describe
from agenthorizon.running.dispatch import Dispatcher, Made
from agenthorizon.running.endpoints import endpoint_of
from agenthorizon.running.engines import Engine, engine_of
from agenthorizon.running.estimate import Estimate
from agenthorizon.running.failure_classes import RETRIED
from agenthorizon.running.lanes import Lane, Work
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.pacing import Pace, Pacer
from agenthorizon.running.planning import unsendable
from agenthorizon.running.price_table import prices_of
from agenthorizon.running.run_folder import RunFolder, Unwritable, failure_of_writing
from agenthorizon.running.run_path import path_of
from agenthorizon.running.sharing import recordings, shares_prefixes
from agenthorizon.running.spending import Purse
from agenthorizon.running.store import Run, pending, read_run
from agenthorizon.running.verdicts_asked import as_asked
from agenthorizon.running.watching import Halt, Silent, Watcher

Key = tuple[str, int]
"""A task and a repeat."""


@dataclass(frozen=True)
class _Opened:
    """A judge whose run folder is open."""

    named: NamedJudge
    folder: RunFolder
    prices: Prices | None
    breaker: Breaker = field(default_factory=Breaker)


@dataclass
class Runner:
    """One command's work: judges × tasks × repeats."""

    bench: Bench
    options: Options = field(default_factory=Options)
    watcher: Watcher = field(default_factory=Silent)
    halt: Halt = field(default_factory=Halt)
    clock: Clock = field(default_factory=Clock)
    engine: Engine | None = None
    """What makes the attempts; as the options say when None."""
    _opened: dict[str, _Opened] = field(default_factory=dict, init=False)
    _purse: Purse = field(default_factory=Purse, init=False)

    async def run(
        self, judges: Sequence[NamedJudge], ids: Sequence[str], chosen: Collection[Key] | None = None
    ) -> list[Run]:
        """Ask what is still to be asked and return the runs as they stand then.

        `chosen` tasks and repeats are asked instead, whatever stands there. Raises DataError when screenshots are
        missing and that is not allowed, or records are broken; RunStopped when a run cannot go on. What was written
        stays good, and the same call goes on.
        """
        ids = checked_ids(self.bench, judges, ids, self.options, self.watcher)
        self._purse = Purse(self.options.max_cost, counts_tokens=self.options.tpm is not None)
        self._opened = {}
        async with AsyncExitStack() as stack:
            stack.enter_context(chdir("."))  # a judge's own code may go elsewhere; we are here again afterwards
            for named in judges:
                stack.push_async_callback(traits_of(named.judge).aclose)
                prices = prices_of(named.judge)
                folder = stack.enter_context(self._folder(named, prices, ids))
                self._purse.add(
                    str(folder.path), prices, Estimate(self.bench, named.judge, named.name, ids, self.options.ablation)
                )
                self.watcher.checked(folder.warnings)
                self._purse.recall(str(folder.path), folder.outcomes)
                self._opened[str(folder.path)] = _Opened(named, folder, prices)
            engine = self.engine or engine_of(self.bench, self.options)
            stack.callback(engine.close)
            await self._work_off(engine, ids, chosen)
        folders = [opened.folder for opened in self._opened.values() if opened.folder.path.is_dir()]
        return [replace(read_run(folder.path), folder=folder.named) for folder in folders]  # none where none was asked

    def _folder(self, named: NamedJudge, prices: Prices | None, ids: Sequence[str]) -> RunFolder:
        config = describe(self.bench, named.judge, named.name, self.options.reask, self.options.ablation)
        config["remake"]["settings"] |= without_secrets(dict(named.given))
        config["prices"] = prices.model_dump(exclude_none=True) if prices else None
        asked = as_asked(dict.fromkeys(ids, self.options.repeats))
        return RunFolder(path_of(config, named, self.options), config | asked, keeps_empty=not ids)

    async def _work_off(self, engine: Engine, ids: Sequence[str], chosen: Collection[Key] | None) -> None:
        lanes = self._lanes(ids, chosen)
        for lane in lanes:
            await self._say_unsendable(lane)

        async def ask(work: Work) -> Made:
            return await self._ask(engine, work)

        if not lanes:
            return
        dispatcher = Dispatcher(lanes, self.options.workers, ask, self._purse, self.clock)
        await dispatcher.run(self.halt)
        if dispatcher.reasons:
            raise _all_of(dispatcher.reasons)

    def _lanes(self, ids: Sequence[str], chosen: Collection[Key] | None) -> list[Lane]:
        lanes: dict[str, Lane] = {}
        pace = Pace(self.options.workers, self.options.rpm, self.options.tpm)
        wanted = [(task_id, repeat) for repeat in range(self.options.repeats) for task_id in ids]
        for key, opened in self._opened.items():
            todo = pending(opened.folder.latest, wanted, self.options.retry) if chosen is None else list(chosen)
            self.watcher.opened(opened.named.name, opened.folder.named, max(0, len(wanted) - len(todo)), len(todo))
            lane = lanes.setdefault(endpoint_of(opened.named.judge), Lane(Pacer(pace)))
            shared = recordings(self.bench, ids) if shares_prefixes(opened.named.judge) else {}
            on_each = Counter(shared.get(task_id) for task_id, _ in todo)
            for task_id, repeat in todo:
                recording = shared.get(task_id)
                lane.add(Work(key, task_id, repeat, recording, is_shared=bool(recording) and on_each[recording] > 1))
        return list(lanes.values())

    async def _say_unsendable(self, lane: Lane) -> None:
        """Say before anything is spent which tasks fit into no request; beside the event loop, as it takes a while."""
        asked: dict[str, list[str]] = {}
        for work in lane.waiting:
            asked.setdefault(work.judge, []).append(work.task_id)
        for key, ids in asked.items():
            opened = self._opened[key]
            found = await asyncio.to_thread(unsendable, self.bench, opened.named.judge, ids, self.options.ablation)
            if found:
                self.watcher.cannot_send(opened.folder.named, found)

    async def _ask(self, engine: Engine, work: Work) -> Made:
        """Make one attempt, write it, and say whether the task is asked again."""
        opened = self._opened[work.judge]
        number = opened.folder.next_attempt(work.task_id, work.repeat)
        outcome: Outcome | None = None
        try:
            made = await engine.attempt(
                Ask(
                    judge=opened.named.judge,
                    task_id=work.task_id,
                    repeat=work.repeat,
                    attempt=number,
                    timeout=self.options.timeout,
                    prices=opened.prices,
                    ablation=self.options.ablation,
                    follows=work.follows,
                    is_shared=work.is_shared,
                    run=opened.folder.id,
                )
            )
            outcome = made.outcome
            work.failures += outcome.status == "failed"
            work.invalid += outcome.status == "malformed"
            again = not self.halt.asked and self._is_asked_again(outcome, work)
            try:
                await opened.folder.write(outcome, made.transcript)
            except Unwritable as error:
                outcome, again = failure_of_writing(outcome, str(error)), False
                await opened.folder.write(outcome, None)
        finally:
            self._purse.settle(work, outcome)
        self.watcher.wrote(opened.folder.named, outcome, last=not again)
        if not again:
            opened.breaker.note(outcome)
        kind = outcome.error.kind if outcome.status == "failed" and outcome.error else None
        said = outcome.error.message if outcome.error else ""
        return Made(again, kind, made.retry_after, _tokens(outcome), said)

    def _is_asked_again(self, outcome: Outcome, work: Work) -> bool:
        if outcome.status == "malformed":
            return work.invalid <= self.options.reask
        error = outcome.error
        return bool(error and error.passing and error.kind in RETRIED and work.failures < self.options.attempts)


def _tokens(outcome: Outcome) -> float | None:
    tokens = outcome.telemetry.tokens or {}
    known = [tokens.get("input"), tokens.get("output")]
    return float(sum(count or 0 for count in known)) if any(known) else None


def _all_of(reasons: Sequence[RunStopped]) -> RunStopped:
    """Return the first reason, with the others' words."""
    words = list(dict.fromkeys(str(reason) for reason in reasons))
    return RunStopped(reasons[0].code, "\n".join(words))
