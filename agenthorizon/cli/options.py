"""Arguments and options that several commands take, worded once."""

from pathlib import Path
from typing import Annotated, Any

import typer

from agenthorizon.cli.leaving_out import runs_alone

Data = Annotated[str, typer.Argument(metavar="DATA", help="demo, desktop, a folder, a .jsonl, or hub:OWNER/NAME.")]


def runs_argument(metavar: str, what: str) -> Any:
    """Return the argument of a command that takes run folders: of `runs/*` it gets those alone."""
    return typer.Argument(metavar=metavar, help=what, callback=runs_alone)


Runs = Annotated[list[Path], runs_argument("RUN...", "Run folders.")]
Splits = Annotated[str | None, typer.Option("--split", metavar="S", help="Splits, by comma; all without it.")]
LabelsOption = Annotated[
    list[str] | None,
    typer.Option("--labels", metavar="F", help="A label file or a data set; repeatable. A run knows its own."),
]
Published = Annotated[bool, typer.Option("--published", help="The published results too, where the data are theirs.")]
AsJson = Annotated[bool, typer.Option("--json", help="For machines: unrounded.")]
Ids = Annotated[Path | None, typer.Option("--ids", metavar="FILE", help="A file with one task id a line.")]
Workers = Annotated[int, typer.Option("--workers", "-w", metavar="N", help="Most tasks in hand at once.")]
Attempts = Annotated[
    int, typer.Option("--attempts", metavar="N", help="Times a task is asked while its failures are passing.")
]
Rpm = Annotated[float | None, typer.Option(metavar="N", help="Most requests a minute to one endpoint.")]
Tpm = Annotated[float | None, typer.Option(metavar="N", help="Most tokens a minute to one endpoint.")]
AllowMissing = Annotated[bool, typer.Option("--allow-missing", help="Judge tasks whose screenshots are missing.")]
MaxCost = Annotated[
    float | None,
    typer.Option("--max-cost", metavar="USD", help="Most that the runs may have cost in the end; a hard cap."),
]
NewFolder = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="A folder that is empty or not there yet.")]
MovedData = Annotated[
    str | None, typer.Option("--data", metavar="DATA", help="Where the judged data set is now, if it was moved.")
]
STDOUT = Path("-")
"""What names stdout where a file is asked for."""


def split_names(split: str | None) -> list[str] | None:
    """Return the splits of --split, None for all. Raises UsageError where it is given and names none."""
    from agenthorizon.errors import UsageError

    if split is None:
        return None
    names = [name.strip() for name in split.split(",")]
    if not all(names):
        raise UsageError(f"--split takes names of splits by comma, not {split!r}; leave it out for all of them")
    return names
