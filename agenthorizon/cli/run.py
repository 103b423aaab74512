"""`agenthorizon run`: judges over tasks, into run folders."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from agenthorizon.cli import options as shared
from agenthorizon.cli import run_options as own

if TYPE_CHECKING:
    from agenthorizon.dataset.bench import Bench
    from agenthorizon.running.named_judges import NamedJudge
    from agenthorizon.running.options import Options


def run(
    data: shared.Data,
    judge: own.Judges,
    split: shared.Splits = None,
    out: own.Out = Path("runs"),
    limit: own.Limit = None,
    ids: shared.Ids = None,
    labels: own.SplitsFrom = None,
    workers: shared.Workers = 4,
    repeats: own.Repeats = 1,
    base_url: own.BaseUrl = None,
    shard: own.Shard = None,
    engine: own.Engine = "local",
    dry_run: own.DryRun = False,
    rpm: shared.Rpm = None,
    tpm: shared.Tpm = None,
    max_cost: shared.MaxCost = None,
    attempts: shared.Attempts = 4,
    timeout: own.Timeout = None,
    isolation: own.Isolation = None,
    reask: own.Reask = 0,
    retry: own.Retry = None,
    allow_missing: shared.AllowMissing = False,
    without: own.Without = None,
    only: own.Only = None,
    drop_duplicates: own.DropDuplicates = False,
    prompt_order: own.PromptOrder = None,
) -> None:
    """Judge tasks. The same command, or a wider one, goes on where it stopped.

    Prints the run folders. Exit code: 0 done, 1 some tasks failed, 2 bad input, 3 stopped (key, quota, disk, cap),
    130 interrupted.

    \b
    Examples:
      agenthorizon run demo --judge always_yes --judge coin --split AH
      agenthorizon run release/ --judge direct:gpt-5.5 --workers 16 --max-cost 40
      agenthorizon run release/ --judge direct:gpt-5.5 --dry-run
      agenthorizon run release/ --judge direct:my-model --base-url http://127.0.0.1:8000/v1
      agenthorizon run release/ --judge codex:gpt-5.5 --workers 4
      agenthorizon run release/ --judge mypackage.mine:MyJudge --limit 40
      agenthorizon run demo --judge ocr --without screenshots
      agenthorizon run release/ --judge direct:gpt-5.5 --without actions --only final
    """
    from agenthorizon.api import make_options
    from agenthorizon.running.sharding import read_shard

    pace = {"workers": workers, "rpm": rpm, "tpm": tpm, "max_cost": max_cost, "engine": engine}
    asked = {"repeats": repeats, "attempts": attempts, "reask": reask, "retry": retry or ()}
    shown = {"without": _parts(without), "only": only, "drop_duplicates": drop_duplicates}
    limits = {"shard": read_shard(shard) if shard else None, **({} if timeout is None else {"timeout": timeout})}
    options = make_options(out=out, allow_missing=allow_missing, **pace, **asked, **shown, **limits)
    offered = {"base_url": base_url, "isolation": isolation, "prompt_order": prompt_order}
    named = _judges(judge, offered, timeout)
    bench, chosen = _tasks(data, labels, split, ids, limit)
    _carry_out(bench, named, chosen, options, dry_run)


def _parts(without: Sequence[str] | None) -> list[str]:
    return [part for listed in without or () for part in listed.split(",")]


def _judges(specs: Sequence[str], offered: Mapping[str, Any], timeout: float | None) -> "list[NamedJudge]":
    """Make the judges. Raises UsageError for an option that none of them has."""
    from agenthorizon.errors import UsageError
    from agenthorizon.running.named_judges import named_judges

    named = named_judges(specs, {**offered, "seconds": timeout})
    for option, value in offered.items():
        if value and not any(hasattr(each.judge, option) for each in named):
            raise UsageError(f"--{option.replace('_', '-')} is of no use to {', '.join(specs)}")
    return named


def _tasks(
    data: str, labels: Path | None, split: str | None, ids: Path | None, limit: int | None
) -> "tuple[Bench, list[str]]":
    """Open the data set and choose its tasks, saying on stderr what a limit came to."""
    from agenthorizon.cli import printable
    from agenthorizon.cli.working import read_ids, said_of_limit
    from agenthorizon.source import load

    bench = load(data, labels)
    chosen = bench.select(shared.split_names(split), read_ids(ids), limit)
    if limit is not None:
        typer.echo(printable(said_of_limit(bench, chosen, limit)), err=True)
    return bench, chosen


def _carry_out(
    bench: "Bench", named: "list[NamedJudge]", chosen: list[str], options: "Options", only_forecast: bool
) -> None:
    from agenthorizon.cli.dry_run import dry_run
    from agenthorizon.cli.working import judge_tasks
    from agenthorizon.errors import RunStopped
    from agenthorizon.running.run_path import run_path

    if only_forecast:
        typer.echo(dry_run(bench, named, chosen, options))
        return
    try:
        done = judge_tasks(bench, named, chosen, options)
    except (RunStopped, KeyboardInterrupt):
        for folder in (run_path(bench, each, options) for each in named):
            if folder.is_dir():  # what was asked before the end stands there, and the same command goes on
                typer.echo(str(folder))
        raise
    for finished in done.runs:
        typer.echo(str(finished.folder))
    raise typer.Exit(done.exit_code)
