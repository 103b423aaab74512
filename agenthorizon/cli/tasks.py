"""`agenthorizon tasks`: what is in a data set."""

import json
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agenthorizon.cli.options import AsJson, Data, Splits, split_names

if TYPE_CHECKING:
    from agenthorizon.case import Limits
    from agenthorizon.dataset.bench import Bench
    from agenthorizon.task import Task

_NAMED = ("os", "app", "apps", "applications")


def tasks(
    data: Data,
    split: Splits = None,
    by: Annotated[
        str, typer.Option(metavar="FIELD", help="Count by os, app, or any field of the record's `task`.")
    ] = "os",
    show: Annotated[str | None, typer.Option(metavar="ID", help="Print one task as a judge reads it.")] = None,
    plan: Annotated[
        str | None, typer.Option(metavar="JUDGE", help="Say how this judge would be shown the tasks; nothing is asked.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what is in a data set, or what a judge would be sent.

    Which layout was found, how many tasks, steps and pair groups there are, and what is unusual. No screenshot is
    decoded. Warnings go to stderr, summed by kind.

    \b
    Examples:
      agenthorizon tasks demo
      agenthorizon tasks demo --split AH --by app
      agenthorizon tasks demo --plan direct:gpt-5.5
      agenthorizon tasks demo --show 9d596cdf-fe9d-47ea-ad78-2b768f468bc3
    """
    from agenthorizon.source import load

    bench = load(data)
    if show is not None:
        typer.echo(_rendered(bench, show))
        return
    names = split_names(split) or list(bench.splits)
    if plan is not None:
        typer.echo(_planned(bench, plan, bench.select(names), as_json))
        return
    summary = _summary(bench, names, by)
    _print_warnings(bench)
    if as_json:
        typer.echo(json.dumps(summary, indent=1))
    else:
        typer.echo(_text(summary, by))


def _rendered(bench: "Bench", task_id: str) -> str:
    from agenthorizon.case import FULL_SIZE
    from agenthorizon.evidence.blind import build_case
    from agenthorizon.evidence.markdown import render
    from agenthorizon.evidence.pictures import Pictures
    from agenthorizon.prompts import guide

    task = bench[task_id]
    with closing(Pictures()) as pictures:
        return render(build_case(task, bench.verified_screenshots(task), FULL_SIZE, guide().text, pictures).case)


def _planned(bench: "Bench", spec: str, ids: list[str], as_json: bool) -> str:
    from agenthorizon.cli import printable
    from agenthorizon.cli.plan_words import summary
    from agenthorizon.judging.judge_traits import traits_of
    from agenthorizon.plugins import make_judge
    from agenthorizon.running.planning import plans

    judge = make_judge(spec)
    planned = plans(bench, judge, ids)
    if as_json:
        return json.dumps([{"task_id": e.task_id, "evidence": e.evidence, "fault": e.fault} for e in planned], indent=1)
    packing = traits_of(judge).packing
    whose = f", limits of {packing.provider}: {_said(packing.limits)}" if packing else _without_plan(judge)
    return printable("\n".join([f"{bench.name} for {spec}{whose}", *(f"  {line}" for line in summary(planned))]))


def _without_plan(judge: object) -> str:
    from agenthorizon.judging.judge_traits import traits_of

    return ", which plans its requests itself" if traits_of(judge).may_cost else ", which sends no request"


def _said(limits: "Limits") -> str:
    known = limits.model_dump(exclude_none=True, exclude={"image_tokens", "pixels_per_token"})
    return ", ".join(f"{name} {value:,}" for name, value in known.items()) or "none known"


def _print_warnings(bench: "Bench") -> None:
    from agenthorizon.cli.findings import summed

    for line in summed(bench.check()):
        typer.echo(line, err=True)


def _summary(bench: "Bench", names: list[str], by: str) -> dict[str, Any]:
    bench.select(names)  # names a split that is not there
    _refuse_unknown_field(bench, by)
    splits = {name: _split(bench, [bench[task_id] for task_id in bench.splits[name]], by) for name in names}
    return {"data": bench.name, "form": bench.form, "location": bench.location, "splits": splits}


def _split(bench: "Bench", found: "list[Task]", by: str) -> dict[str, Any]:
    steps = sorted(len(task.trajectory.steps) for task in found)
    shots = sum(shot.file is not None for task in found for shot in bench.screenshots(task))
    return {
        "tasks": len(found),
        "pair_groups": len({bench.group_of(task.id) for task in found}),
        "steps": {"median": steps[len(steps) // 2], "max": steps[-1]} if steps else None,
        "screenshots": shots,
        "by": dict(Counter(value for task in found for value in _values(task, by)).most_common()),
    }


def _refuse_unknown_field(bench: "Bench", by: str) -> None:
    """Raise UsageError for a field to count by that no task has."""
    from agenthorizon.errors import UsageError, did_you_mean

    if by in _NAMED or not len(bench) or any(task.field(by) is not None for task in bench):
        return
    nested = (task.metadata.get("task") for task in bench)
    known = dict.fromkeys([*_NAMED[:2], *(name for each in nested if isinstance(each, dict) for name in each)])
    raise UsageError(f"no task has a field {by!r}{did_you_mean(by, known) or ';'} there are {', '.join(known)}")


def _values(task: "Task", by: str) -> list[str]:
    if by == "os":
        return [task.trajectory.os or "unknown"]
    if by in _NAMED:
        return list(task.applications) or ["unknown"]
    value = task.field(by)
    return [str(item) for item in value] if isinstance(value, list) else ["unknown" if value is None else str(value)]


def _text(summary: dict[str, Any], by: str) -> str:
    from agenthorizon.cli import printable

    lines = [f"{printable(summary['data'])} ({printable(summary['form'])}), {printable(summary['location'])}"]
    for name, split in summary["splits"].items():
        steps = split["steps"] or {"median": 0, "max": 0}
        counts = ", ".join(f"{printable(value)} {count}" for value, count in split["by"].items())
        lines += [
            f"  {printable(name)}: {split['tasks']} tasks in {split['pair_groups']} pair groups, "
            f"{split['screenshots']} screenshots, steps median {steps['median']}, most {steps['max']}",
            f"    by {by}: {counts}",
        ]
    return "\n".join(lines)
