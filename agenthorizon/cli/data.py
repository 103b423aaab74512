"""`agenthorizon data`: the commands that build, check and divide data sets, each in its own file."""

import typer

from agenthorizon.cli.data_audit import audit
from agenthorizon.cli.data_build import build
from agenthorizon.cli.data_check import check
from agenthorizon.cli.data_import import import_data
from agenthorizon.cli.data_partition import partition
from agenthorizon.cli.data_record import record
from agenthorizon.cli.words import WordedCommand

EXAMPLES = """
\b
Examples:
  agenthorizon data check demo
  agenthorizon data import screenagent sessions/ -o imported
  agenthorizon data audit demo
  agenthorizon data build recordings.jsonl --pairs pairs.jsonl --split AH-D=162 -o mine
  agenthorizon data record -o recordings --pair
  agenthorizon data partition runs/a.* runs/b.* runs/c.* -o splits
"""

data = typer.Typer(
    rich_markup_mode=None, no_args_is_help=True, help=f"Record, build, check, audit and divide data sets.\n{EXAMPLES}"
)

for command in (build, check, audit, partition, record):
    data.command(cls=WordedCommand)(command)
data.command("import", cls=WordedCommand)(import_data)
