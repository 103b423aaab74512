"""`agenthorizon merge`: shards become one run."""

from pathlib import Path
from typing import Annotated

import typer

from agenthorizon.cli.options import runs_argument


def merge(
    runs: Annotated[list[Path], runs_argument("RUN...", "Run folders of one configuration.")],
    into: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The run folder to make.")],
) -> None:
    """Put run folders of one configuration together.

    For instance those of `run --shard 1/4` to `4/4`. Every attempt is kept, with its transcript; the last line of a
    task counts. Runs of different configurations are refused, naming the keys that differ. The folders merged are left
    as they are.

    \b
    Examples:
      agenthorizon merge runs/*of4 -o merged
      agenthorizon score merged
    """
    from agenthorizon.cli.run_states import state_text, warn_of
    from agenthorizon.running.merging import merge_runs
    from agenthorizon.running.run_state import state_of

    merged = merge_runs(runs, into)
    warn_of([merged])
    typer.echo(state_text(state_of(merged)))
