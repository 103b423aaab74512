"""`agenthorizon judges`: which kinds of judge there are and what can be set."""

import inspect
import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agenthorizon.cli.trials import say_tried
from agenthorizon.cli.words import WordedCommand

if TYPE_CHECKING:
    from agenthorizon.judge import Judge

judges = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Kinds of judges, and the published configurations.\n\n\b\nExamples:\n  agenthorizon judges list\n"
    "  agenthorizon judges show direct\n  agenthorizon judges check gpt-5.5-direct:gpt-5.5",
)


@judges.command("list", cls=WordedCommand)
def list_judges() -> None:
    """List the kinds of judge and the published configurations.

    \b
    Example:
      agenthorizon judges list
    """
    from agenthorizon import plugins
    from agenthorizon.judging.judge_files import published, read_judge_file

    for name in plugins.names("judges"):
        cls = plugins.implementation("judges", name)
        typer.echo(f"{name:12} {(cls.__doc__ or '').strip().splitlines()[0]}")
    typer.echo("\npublished configurations, with :MODEL for your provider's id of the model:")
    for name, path in published().items():
        file = read_judge_file(path)
        typer.echo(f"{name:34} {file.about['model']} in {file.about['interface']}")


@judges.command(cls=WordedCommand)
def show(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="A kind, a published configuration, module:Class, or a TOML file."),
    ],
) -> None:
    """Show a judge's settings, or a published configuration's file.

    A class of your own shows what its docstring and its fields, or else its constructor, say; a TOML file the judge
    that it sets up, with every setting as it will be, those of the file marked.

    \b
    Examples:
      agenthorizon judges show direct
      agenthorizon judges show mypackage.mine:MyJudge
      agenthorizon judges show qwen-3.6-27b-direct > mine.toml
      agenthorizon judges show mine.toml
    """
    from agenthorizon.cli import printable
    from agenthorizon.judge import Judge
    from agenthorizon.judging.judge_files import published
    from agenthorizon.plugins import judge_class

    if name in published():
        typer.echo(published()[name].read_text("utf-8"), nl=False)
        return
    if name.endswith(".toml"):
        typer.echo(printable("\n".join(_set_up(name))))
        return
    cls = judge_class(name)
    about = inspect.cleandoc(cls.__doc__ or "(its class has no docstring)")
    lines = _settings(cls) if issubclass(cls, Judge) else _parameters(cls)
    typer.echo(printable("\n".join([f"{name}: {about}", "", *lines])))


@judges.command(cls=WordedCommand)
def check(
    judge: Annotated[str, typer.Argument(metavar="JUDGE", help="As in `run --judge`.")],
    base_url: Annotated[str | None, typer.Option(help="Endpoint of a judge that has one.", metavar="URL")] = None,
) -> None:
    """Ask a judge once, with one small picture: what is wrong?

    Says whether key, address, model, pictures and form of answers are right. A harness is tried out by `harnesses
    check`. Exit code: 0 all is well, 1 something is wrong.

    \b
    Examples:
      agenthorizon judges check direct:gpt-5.5
      agenthorizon judges check my-judge.toml
      agenthorizon judges check qwen-3.6-27b-direct:Qwen/Qwen3.6-27B --base-url http://127.0.0.1:8000/v1
    """
    import asyncio

    from agenthorizon.judging.judge_files import unstated
    from agenthorizon.plugins import make_judge
    from agenthorizon.running.checking import check as try_out

    for line in unstated(judge, {"base_url": base_url}):
        typer.echo(f"note {line}")
    say_tried(asyncio.run(try_out(make_judge(judge, {"base_url": base_url}))))


def _set_up(name: str) -> list[str]:
    """Return what a judge file sets up: its kind, and every setting as it will be."""
    import json
    from pathlib import Path

    from agenthorizon.judge import Judge
    from agenthorizon.judging.describing import described, without_secrets
    from agenthorizon.judging.judge_files import read_judge_file
    from agenthorizon.plugins import make_judge

    file, judge = read_judge_file(Path(name)), make_judge(name)
    about = inspect.cleandoc(type(judge).__doc__ or "(its class has no docstring)")
    known = judge.model_dump(mode="json") if isinstance(judge, Judge) else described(judge)["settings"]
    in_effect = {key: json.dumps(value, ensure_ascii=False) for key, value in without_secrets(known).items()}
    in_file = {*file.settings, *(["options"] if file.settings.keys() - known.keys() else [])}  # an agent's own ones
    lines = [f"  {key} = {value}{'    # in the file' * (key in in_file)}" for key, value in in_effect.items()]
    return [f'{name}, kind = "{file.kind}": {about}', "", "settings:", *lines]


def _settings(cls: "type[Judge]") -> list[str]:
    lines = ["settings:"]
    for key, field in cls.model_fields.items():
        lines.append(f"  {key} = {_default(field)}")
        if field.description:
            lines.append(textwrap.indent(textwrap.fill(" ".join(field.description.split()), 92), "      "))
    return lines


def _parameters(cls: type) -> list[str]:
    """Say what a plain class takes; it is made with nothing, so that all that it takes must have a default."""
    parameters = inspect.signature(cls).parameters.values()
    return ["parameters:", *(f"  {parameter}" for parameter in parameters)] if parameters else ["no parameters"]


def _default(field: Any) -> str:
    return "(required)" if field.is_required() else repr(field.get_default(call_default_factory=True))
