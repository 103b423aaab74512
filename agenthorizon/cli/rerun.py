"""`agenthorizon rerun`: chosen tasks of a run are asked again."""

from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import AllowMissing, Attempts, Ids, MaxCost, Rpm, Runs, Tpm, Workers

if TYPE_CHECKING:
    from agenthorizon.running.store import Run


def rerun(
    runs: Runs,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--class", metavar="CLASS", help="verdict, malformed, failed, or a class of failure; repeatable."),
    ] = None,
    ids: Ids = None,
    workers: Workers = 4,
    attempts: Attempts = 4,
    timeout: Annotated[float, typer.Option(metavar="S", help="Seconds to wait for one answer.")] = 600.0,
    rpm: Rpm = None,
    tpm: Tpm = None,
    max_cost: MaxCost = None,
    allow_missing: AllowMissing = False,
) -> None:
    """Ask again what is chosen by class or id; judge and data stay.

    Chosen by both, a task must be both; whatever stands there is asked. The new attempts are appended and count from
    then on; the old ones stay. Exit code as for `run`.

    \b
    Examples:
      agenthorizon rerun runs/demo.direct-my-model.1a2b3c4d --class refused --class truncated
      agenthorizon rerun runs/* --ids doubtful.txt
    """
    from agenthorizon.api import make_options
    from agenthorizon.cli import DONE
    from agenthorizon.cli.working import judge_tasks, read_ids
    from agenthorizon.errors import RunStopped, UsageError
    from agenthorizon.running.chosen_classes import STATUSES, refuse_unknown_classes
    from agenthorizon.running.remaking import remade_judge, reopened_data
    from agenthorizon.running.store import read_run

    if not kinds and ids is None:
        raise UsageError("say what to ask again: --class CLASS, --ids FILE, or both")
    wanted = read_ids(ids)
    pace = {"workers": workers, "rpm": rpm, "tpm": tpm, "max_cost": max_cost}
    said = {**pace, "attempts": attempts, "timeout": timeout, "allow_missing": allow_missing}
    code = DONE
    found = [read_run(folder) for folder in runs]
    standing = (outcome for run in found for outcome in run.latest.values())
    refuse_unknown_classes("--class", kinds or (), standing, STATUSES)
    for run in found:
        chosen = _chosen(run, frozenset(kinds or ()), None if wanted is None else frozenset(wanted))
        fixed = {"reask": run.config.get("reask", 0), **run.config.get("evidence", {}).get("ablation", {})}
        options = make_options(**said, **fixed)
        asked = list(dict.fromkeys(task_id for task_id, _ in chosen))
        bench, judge = reopened_data(run), remade_judge(run)
        try:
            done = judge_tasks(bench, [judge], asked, options, chosen)
        except (RunStopped, KeyboardInterrupt):
            typer.echo(str(run.folder))
            raise
        typer.echo(str(run.folder))
        code = max(code, done.exit_code)
    raise typer.Exit(code)


def _chosen(run: "Run", kinds: frozenset[str], ids: frozenset[str] | None) -> list[tuple[str, int]]:
    return [
        key
        for key, outcome in run.latest.items()
        if (ids is None or key[0] in ids)
        and (not kinds or outcome.status in kinds or bool(outcome.error and outcome.error.kind in kinds))
    ]
