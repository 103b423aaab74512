"""`agenthorizon harnesses`: coding-agent CLIs, installed in the versions they were tested with, and tried out."""

from typing import Annotated

import typer

from agenthorizon.cli.trials import say_tried
from agenthorizon.cli.words import WordedCommand

harnesses = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Coding-agent CLIs as judges.\n\n\b\nExamples:\n  agenthorizon harnesses list\n"
    "  agenthorizon harnesses install codex\n  agenthorizon harnesses check codex",
)

_NAME = typer.Argument(metavar="NAME", help="A harness; NAME@VERSION for another version than the tested one.")


@harnesses.command("list", cls=WordedCommand)
def list_harnesses() -> None:
    """List the harnesses: version tested with, whether installed.

    \b
    Example:
      agenthorizon harnesses list
    """
    from agenthorizon import plugins
    from agenthorizon.isolation import installs

    room = plugins.implementations("harnesses")
    for error in room.broken:
        typer.echo(f"left out: {error}", err=True)
    for name, cls in room.found.items():
        tested = cls.package.version if cls.package else "your own"
        is_there = cls.package is None or installs.find(name, cls.package) is not None
        lacks = (
            "not installed" if is_there or installs.has_python(cls.package) else f"needs Python {cls.package.python}"
        )
        what = (cls.__doc__ or "").strip().splitlines()[0]
        typer.echo(f"{name:16} {tested:10} {'installed' if is_there else lacks:17} {what}")


@harnesses.command(cls=WordedCommand)
def install(name: Annotated[str, _NAME]) -> None:
    """Install a CLI from its package registry.

    Into a folder of your own; the variable AGENTHORIZON_HARNESSES names another.

    \b
    Examples:
      agenthorizon harnesses install codex
      agenthorizon harnesses install codex@0.171.0
    """
    from agenthorizon import plugins
    from agenthorizon.errors import UsageError
    from agenthorizon.isolation import installs

    wanted, version = installs.wanted(name)
    package = plugins.implementation("harnesses", wanted).package
    if package is None:
        raise UsageError(f"{wanted} is an agent of your own, set up by a TOML file: there is nothing to install")
    typer.echo(f"installing {package.name} {version or package.version} into {installs.home()} …", err=True)
    found = installs.install(wanted, package, version)
    typer.echo(f"{wanted} {found.version} {found.program[0]}")


@harnesses.command(cls=WordedCommand)
def check(
    name: Annotated[str, _NAME],
    isolation: Annotated[str, typer.Option(metavar="HOW", help="bubblewrap, or none.")] = "bubblewrap",
) -> None:
    """Try a CLI out on one shipped task, without a key.

    A scripted model stands in for its own: does it start, read, see, answer, stop?

    \b
    Example:
      agenthorizon harnesses check codex
    """
    from agenthorizon.errors import UsageError
    from agenthorizon.plugins import OWN_AGENT
    from agenthorizon.running.trial import try_out

    if name == OWN_AGENT or name.endswith(".toml"):
        file = "FILE.toml" if name == OWN_AGENT else name
        raise UsageError(
            f"{name}: an agent of your own is a command in a TOML file (docs/agents.md); try it out with: agenthorizon "
            f"judges check {file}"
        )
    say_tried(try_out(name, isolation))
