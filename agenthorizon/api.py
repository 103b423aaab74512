"""Runs from Python: a judge over a data set, in one call, also where an event loop is running."""

import asyncio
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import UsageError, did_you_mean
from agenthorizon.evidence.ablation import make_ablation
from agenthorizon.running.named_judges import NamedJudge, named_judges
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner
from agenthorizon.running.store import Run
from agenthorizon.running.watching import Silent, Watcher
from agenthorizon.source import load

_CHOOSING = ("split", "ids", "limit", "watcher")
"""What `arun` takes beside its options."""
_NOT_SHOWN = ("without", "only", "drop_duplicates")
"""What a judge is not shown, as a user says it."""


async def arun(
    bench: Bench | str,
    judge: Any,
    *,
    split: str | Iterable[str] | None = None,
    ids: Iterable[str] | None = None,
    limit: int | None = None,
    watcher: Watcher | None = None,
    **options: Any,
) -> Run:
    """Run one judge over tasks and return the run; the same call goes on where an earlier one stopped.

    `judge` is a name (`direct:gpt-5.5`, `always_yes`, `package.module:Class`, a TOML file) or a judge itself.
    `split` is one name, or several by comma or as a list; all splits without it.
    `options` are the fields of `running.options.Options`: out, workers, repeats, attempts, timeout, reask, retry,
    allow_missing, shard, engine, rpm, tpm, max_cost; and what the judge is not shown: without (instruction,
    screenshots, actions), only ("final"), drop_duplicates. Raises UsageError, DataError, or RunStopped when the run
    cannot go on; what was written stays.
    """
    bench = load(bench) if isinstance(bench, str) else bench
    runner = Runner(bench, make_options(**options), watcher or Silent())
    named = [judge] if isinstance(judge, NamedJudge) else named_judges([judge], {"seconds": options.get("timeout")})
    (run,) = await runner.run(named, bench.select(split, ids, limit))
    return run


def run(bench: Bench | str, judge: Any, **settings: Any) -> Run:
    """Run one judge and wait for it; the arguments are those of `arun`.

    Raises UsageError inside a running event loop (a notebook): there, use `await arun(…)`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(arun(bench, judge, **settings))
    raise UsageError("an event loop is running already (a notebook?): use `await agenthorizon.arun(…)`")


def make_options(**options: Any) -> Options:
    """Return Options from keyword arguments. Raises UsageError for an unknown one or a value out of range."""
    left_out = {name: options.pop(name) for name in _NOT_SHOWN if name in options}
    if left_out:
        options["ablation"] = make_ablation(**left_out)
    known = {field.name for field in fields(Options)}
    if unknown := sorted(options.keys() - known):
        accepted = sorted({*known, *_NOT_SHOWN, *_CHOOSING} - {"ablation"})
        near = did_you_mean(unknown[0], accepted) or ";"
        raise UsageError(f"unknown option {', '.join(unknown)}{near} known: {', '.join(accepted)}")
    if "out" in options:
        options["out"] = Path(options["out"])
    if "retry" in options:
        options["retry"] = frozenset(options["retry"])
    return Options(**options)
