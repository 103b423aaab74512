"""Puts the commands together. A command imports what it needs when it runs, so that --help answers at once."""

from typing import Annotated

import typer

from agenthorizon.cli.compare import compare
from agenthorizon.cli.data import data
from agenthorizon.cli.demo import demo
from agenthorizon.cli.downstream import downstream
from agenthorizon.cli.export import export
from agenthorizon.cli.figures import figures
from agenthorizon.cli.harnesses import harnesses
from agenthorizon.cli.judges import judges
from agenthorizon.cli.merge import merge
from agenthorizon.cli.report import report
from agenthorizon.cli.reread import reread
from agenthorizon.cli.rerun import rerun
from agenthorizon.cli.run import run
from agenthorizon.cli.score import score
from agenthorizon.cli.status import status
from agenthorizon.cli.submission import submission
from agenthorizon.cli.tasks import tasks
from agenthorizon.cli.view import view
from agenthorizon.cli.words import WordedCommand

EXAMPLES = """
\b
Examples:
  agenthorizon demo
  agenthorizon run demo --judge always_yes --judge coin
  agenthorizon run release/ --judge direct:gpt-5.5 --split AH,AH-S
  agenthorizon score runs/*
"""

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=f"How far can a judge of computer-use agents be trusted?\n{EXAMPLES}",
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"agenthorizon {version('agenthorizon')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Hold what stands before a command."""


for command in (
    demo,
    tasks,
    run,
    status,
    rerun,
    reread,
    merge,
    score,
    compare,
    downstream,
    export,
    figures,
    report,
    view,
):
    app.command(cls=WordedCommand)(command)
app.add_typer(judges, name="judges")
app.add_typer(harnesses, name="harnesses")
app.add_typer(data, name="data")
app.add_typer(submission, name="submission")
