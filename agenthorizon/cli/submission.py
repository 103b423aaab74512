"""`agenthorizon submission check`: every fault of a submission at once."""

import json
from pathlib import Path
from typing import Annotated

import typer

from agenthorizon.cli.options import AsJson, Splits, split_names
from agenthorizon.cli.words import WordedCommand

submission = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Check submissions; `export --format submission` writes one.\n\n\b\nExample:\n"
    "  agenthorizon submission check mine.jsonl --labels release/",
)


@submission.callback()
def _keep_subcommands() -> None:
    """Keep `check` a subcommand, although it is the only one."""


@submission.command(cls=WordedCommand)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A submission: JSONL, one row per task.")],
    labels: Annotated[list[str], typer.Option(help="A label file or a data set; may be repeated.", metavar="F")],
    split: Splits = None,
    as_json: AsJson = False,
) -> None:
    """Say every fault of a submission.

    Rows missing, unknown, repeated, out of order, or without a verdict. With --split, rows of other splits are passed
    over. Exit code: 0 none, 1 faults.

    \b
    Examples:
      agenthorizon submission check mine.jsonl --labels release/
      agenthorizon submission check mine.jsonl --labels release/AgentHorizon.jsonl --json
    """
    from dataclasses import asdict

    from agenthorizon.cli import DONE, SOME_FAILED, printable
    from agenthorizon.results.scorecards import find_labels, manifest_of
    from agenthorizon.scoring.submission_check import check_submission

    known = find_labels(labels)
    manifest = manifest_of(known, split_names(split))
    faults = check_submission(file, manifest, manifest_of(known) - manifest)
    if as_json:
        typer.echo(json.dumps({"tasks": len(manifest), "faults": [asdict(fault) for fault in faults]}, indent=1))
    else:
        for fault in faults:
            typer.echo(printable(str(fault)))
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        typer.echo(f"{file}: {count}" if faults else f"{file}: a submission of {len(manifest)} tasks")
    raise typer.Exit(SOME_FAILED if faults else DONE)
