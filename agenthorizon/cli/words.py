"""The class of every command: its help says what an argument is in the user's words, not by its type in Python.

Contexts and formatters are click's, or those of the copy of it that a newer typer carries: hence Any.
"""

from typing import Any

from typer.core import TyperArgument, TyperCommand


class WordedCommand(TyperCommand):
    """A command whose arguments stand in usage and help as their metavar says: RUN..., not {RUN...}... <list[Path]>."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what the usage line says behind the command's name."""
        return ["[OPTIONS]", *(_name(argument) for argument in _arguments(self, ctx))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options."""
        arguments = [(_name(argument), str(argument.help or "")) for argument in _arguments(self, ctx)]
        options = [param.get_help_record(ctx) for param in self.get_params(ctx) if not _is_argument(param)]
        for title, rows in (("Arguments", arguments), ("Options", [row for row in options if row])):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _arguments(command: TyperCommand, ctx: Any) -> list[Any]:
    return [param for param in command.get_params(ctx) if _is_argument(param)]


def _is_argument(param: Any) -> bool:
    return isinstance(param, TyperArgument)


def _name(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())
