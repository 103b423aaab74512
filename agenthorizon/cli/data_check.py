"""`agenthorizon data check`: is a data set whole, and what it says?"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agenthorizon.cli.options import AsJson, Data

if TYPE_CHECKING:
    from agenthorizon.construction.checks import CheckReport
    from agenthorizon.errors import Finding


def check(
    data: Data,
    labels: Annotated[Path | None, typer.Option(help="A label file to check it with.", metavar="FILE")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Verify the checksums of PNG files instead of decoding them.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Notes count as faults.")] = False,
    ignore: Annotated[list[str] | None, typer.Option(metavar="CODE", help="Leave out a kind; repeatable.")] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Print every finding, however many of a code.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find every fault of a data set, with file, line and step.

    Reads every record and decodes every screenshot. Faults have to be mended; notes are unusual but sound. Exit code: 0
    no fault, 1 faults, 2 not a data set.

    \b
    Examples:
      agenthorizon data check demo
      agenthorizon data check release/ --quick
      agenthorizon data check mine.jsonl --labels labels.jsonl --strict --json
    """
    from agenthorizon.cli import DONE, SOME_FAILED
    from agenthorizon.cli.findings import finding_lines
    from agenthorizon.cli.progress_bar import ProgressBar
    from agenthorizon.construction.checks import check_data

    with ProgressBar("records") as bar:
        report = check_data(data, labels, decode=not quick, progress=bar.at)
    left_out = set(ignore or ())
    faults = [finding for finding in report.faults if finding.code not in left_out]
    notes = [finding for finding in report.notes if finding.code not in left_out]
    if as_json:
        typer.echo(json.dumps(_as_json(report, faults, notes), indent=1))
    else:
        for line in [
            *finding_lines("fault", faults, show_all),
            *finding_lines("note", notes, show_all),
            _summary(report),
        ]:
            typer.echo(line)
        typer.echo(f"{len(faults)} faults, {len(notes)} notes")
    raise typer.Exit(SOME_FAILED if faults or (strict and notes) else DONE)


def _summary(report: "CheckReport") -> str:
    how = "decoded" if report.decoded else "verified by checksum"
    return f"{report.tasks} tasks, {report.steps} steps, {report.screenshots} screenshot files {how}"


def _as_json(report: "CheckReport", faults: "list[Finding]", notes: "list[Finding]") -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "tasks": report.tasks,
        "steps": report.steps,
        "screenshots": report.screenshots,
        "decoded": report.decoded,
        "faults": [asdict(finding) for finding in faults],
        "notes": [asdict(finding) for finding in notes],
    }
