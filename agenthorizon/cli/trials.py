"""What trying out a judge or a harness found, in lines, and the exit code that says whether all is well."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

import typer

from agenthorizon.cli import DONE, SOME_FAILED, printable

if TYPE_CHECKING:
    from agenthorizon.running.tried import Tried


def say_tried(found: "Iterable[Tried]") -> NoReturn:
    """Print each as it comes, and exit."""
    failed = False
    for tried in found:
        failed |= not tried.ok
        typer.echo(f"{'ok  ' if tried.ok else 'FAIL'} {printable(tried.what)}")
    raise typer.Exit(SOME_FAILED if failed else DONE)
