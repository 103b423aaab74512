"""Tries a harness out: one shipped task, the scripted model, no key. Says what worked and what did not."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agenthorizon.dataset.splits import DEVELOPMENT
from agenthorizon.isolation import installs
from agenthorizon.judge import Judge
from agenthorizon.outcome import Outcome
from agenthorizon.plugins import make_judge
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner
from agenthorizon.running.tried import Tried
from agenthorizon.scripted.acting import VERDICT
from agenthorizon.scripted.server import ScriptedServer
from agenthorizon.source import load

MODEL = "scripted-model"

_NO_KEY = "AGENTHORIZON_NO_KEY"
"""A variable that nobody sets: a trial sends no key anywhere."""


def try_out(name: str, isolation: str) -> Iterator[Tried]:
    """Yield what was found, in the order of an episode. Raises UsageError when the CLI is not there."""
    wanted, version = installs.wanted(name)
    with ScriptedServer() as server:
        offered = {"base_url": server.url, "isolation": isolation, "seconds": 120, "key_env": _NO_KEY}
        offered["version"] = version
        judge = make_judge(f"{wanted}:{MODEL}", offered)
        outcome = _ask(judge, wanted)
        yield from _tried(outcome, server)


def _ask(judge: Judge, name: str) -> Outcome:
    bench = load("demo")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(bench, Options(out=Path(folder), attempts=1))
        (run,) = asyncio.run(runner.run([NamedJudge(name, judge)], bench.select(DEVELOPMENT)[:1]))
    return run.outcomes[-1]


def _tried(outcome: Outcome, server: ScriptedServer) -> Iterator[Tried]:
    telemetry, agent = outcome.telemetry, _agent(outcome)
    error = f"{outcome.error.kind}: {outcome.error.message}" if outcome.error else ""
    yield Tried(bool(server.seen), f"started, and asked its model {telemetry.requests} times")
    read = any("# Goal" in str(seen.body) for seen in server.seen)
    yield Tried(read, "read the task from its folder")
    yield Tried(bool(server.pictures), f"{len(server.pictures)} screenshot reached the model")
    answered = outcome.verdict is not None and outcome.verdict.reasoning == VERDICT["reasoning"]
    yield Tried(answered, f"answered with the verdict it was given {error}".rstrip())
    left = agent.get("left_behind") or []
    yield Tried(not left, "left no process behind" if not left else f"left {', '.join(left)} behind")


def _agent(outcome: Outcome) -> dict[str, Any]:
    return dict((outcome.model_extra or {}).get("agent") or {})
