"""What `agenthorizon run` alone takes: whom to ask, how, how much, and what not to show."""

from pathlib import Path
from typing import Annotated

import typer

Judges = Annotated[
    list[str],
    typer.Option(
        "--judge", "-j", metavar="J", help="KIND, KIND:MODEL, HARNESS:MODEL, module:Class or FILE.toml; repeatable."
    ),
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where the run folders go.")]
Limit = Annotated[
    int | None, typer.Option(metavar="N", help="At least N tasks: whole pair groups, drawn from the splits chosen.")
]
SplitsFrom = Annotated[Path | None, typer.Option(metavar="FILE", help="A label file to take splits from.")]
Repeats = Annotated[int, typer.Option(metavar="N", help="Verdicts asked for each task.")]
BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="Endpoint of the judges that have one.")]
Shard = Annotated[str | None, typer.Option(metavar="i/n", help="Only the i-th of n parts; put together by `merge`.")]
Engine = Annotated[str, typer.Option(metavar="E", help="local, or ray: a Ray cluster (an extra).")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be asked and what it may cost.")]
Timeout = Annotated[
    float | None,
    typer.Option(metavar="S", help="Seconds to wait for one answer: 600; for agents 1800, which they are told."),
]
Isolation = Annotated[str | None, typer.Option(metavar="HOW", help="How agents are shut in: bubblewrap, or none.")]
Reask = Annotated[int, typer.Option(metavar="N", help="Times to ask again after an invalid reply; shown in tables.")]
Retry = Annotated[
    list[str] | None, typer.Option(metavar="CLASS", help="Also ask settled failures of this class; repeatable.")
]
Without = Annotated[
    list[str] | None,
    typer.Option(metavar="PART", help="Leave out instruction, screenshots or actions; by comma, repeatable."),
]
Only = Annotated[str | None, typer.Option(metavar="final", help="Show the final screenshot alone.")]
DropDuplicates = Annotated[
    bool, typer.Option("--drop-duplicates", help="Name a screenshot equal to the one before; do not repeat it.")
]
PromptOrder = Annotated[
    str | None, typer.Option(metavar="O", help="instruction-first (published) or trajectory-first.")
]
