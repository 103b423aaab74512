"""`agenthorizon data audit`: could anything but the work itself tell a judge the answer?"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agenthorizon.cli.options import AsJson, Data

if TYPE_CHECKING:
    from agenthorizon.construction.audit import AuditReport
    from agenthorizon.construction.guessing import Guess


def audit(
    data: Data,
    labels: Annotated[Path | None, typer.Option(help="A label file to audit it with.", metavar="FILE")] = None,
    ignore: Annotated[list[str] | None, typer.Option(metavar="CODE", help="Leave out a kind; repeatable.")] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Print every finding, however many of a code.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look for what gives answers away but the work itself.

    In ids, names, folders, file times, picture texts, order, fields and wording. Simple classifiers guess the labels
    from one narrow view each, cross-validated by pair group; a view from which they guess better than chance leaks.
    Exit code: 0 no leak, 1 leaks, 2 no labels or broken data.

    \b
    Examples:
      agenthorizon data audit demo
      agenthorizon data audit mine/ --json
    """
    from agenthorizon.cli import DONE, SOME_FAILED
    from agenthorizon.cli.findings import finding_lines
    from agenthorizon.cli.progress_bar import ProgressBar
    from agenthorizon.construction.audit import audit_data

    with ProgressBar("records") as bar:
        report = audit_data(data, labels, progress=bar.at)
    left_out = set(ignore or ())
    leaks = [leak for leak in report.leaks if leak.code not in left_out]
    if as_json:
        typer.echo(json.dumps(_as_json(report, left_out), indent=1))
    else:
        found = [*finding_lines("leak", leaks, show_all), *finding_lines("note", report.notes, show_all)]
        for line in [*found, "", *_table(report.guesses)]:
            typer.echo(line)
        typer.echo(f"\n{_conclusion(report, len(leaks))}")
    raise typer.Exit(SOME_FAILED if leaks else DONE)


def _conclusion(report: "AuditReport", leaks: int) -> str:
    """Say what was found of how much; that nothing was found where nothing could be is no finding."""
    from agenthorizon.construction.guessing import NEEDED

    of_tasks = f"{report.tasks} task{'s'[: report.tasks != 1]} in {report.groups} pair group{'s'[: report.groups != 1]}"
    found = f"{of_tasks}: {leaks} leak{'s'[: leaks != 1]}"
    if report.is_testable:
        return found
    said = found if leaks else f"{of_tasks}: nothing in words gives an answer away"
    return f"{said}; whether labels can be guessed is not testable ({NEEDED})"


def _table(guesses: "tuple[Guess, ...]") -> list[str]:
    lines = [f"{'guessed from':20} {'balanced accuracy':>17}   95 % interval"]
    for guess in guesses:
        if guess.balanced_accuracy is None or guess.interval is None:
            lines.append(f"{guess.view:20} {'–':>17}   {guess.why}")
            continue
        low, high = guess.interval
        said = "better than chance" if guess.leaks else "chance"
        lines.append(f"{guess.view:20} {guess.balanced_accuracy:>16.1%}   {low:.1%} to {high:.1%}  {said}")
    return lines


def _as_json(report: "AuditReport", left_out: set[str]) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "tasks": report.tasks,
        "pair_groups": report.groups,
        "testable": report.is_testable,
        "guesses": [
            {
                "view": guess.view,
                "balanced_accuracy": guess.balanced_accuracy,
                "low": guess.interval and guess.interval.low,
                "high": guess.interval and guess.interval.high,
                "leaks": guess.leaks,
                "why_not": guess.why or None,
            }
            for guess in report.guesses
        ],
        "leaks": [asdict(leak) for leak in report.leaks if leak.code not in left_out],
        "notes": [asdict(note) for note in report.notes],
    }
