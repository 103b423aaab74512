"""`agenthorizon data import`: other projects' recordings as a data set of the standard layout."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import AsJson

if TYPE_CHECKING:
    from collections import Counter

    from agenthorizon.importing.report import ImportReport


def import_data(
    format: Annotated[str, typer.Argument(metavar="FORMAT", help="A format's name; `list` names them all.")],
    sources: Annotated[list[Path] | None, typer.Argument(metavar="[SOURCE...]", help="Folders or files.")] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="DIR", help="A new or empty folder.")] = None,
    instructions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON: recording → instruction, where the source has none.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="SECRET", help="Secret that fixes the ids; drawn anew without it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Convert other projects' recordings to the standard layout.

    Writes trajectories.jsonl and media/, which every other command opens. Nothing read is executed or followed out of
    its SOURCE. What has no translation is kept and counted; what the source says about success goes into labels.jsonl
    alone, its names into sources.jsonl. Exit code: 0 everything was taken, 1 something could not be, 2 nothing.

    \b
    Examples:
      agenthorizon data import list
      agenthorizon data import screenagent sessions/ -o imported/
      agenthorizon data import osworld results/ evaluation_examples/ -o imported/
      agenthorizon data import openadapt_flow runs/ -o imported/ --instructions words.json
    """
    from agenthorizon.cli import BAD_INPUT, DONE, SOME_FAILED

    if format == "list":
        _list_formats()
        return
    report = _converted(format, sources or [], out, instructions, seed)
    if as_json:
        typer.echo(json.dumps(report.as_json(), indent=1))
    else:
        _print(report)
    raise typer.Exit(BAD_INPUT if not report.recordings else SOME_FAILED if report.lost else DONE)


def _list_formats() -> None:
    import sys

    from agenthorizon import plugins

    for name, importer in plugins.implementations("data.importers").found.items():
        about = (sys.modules[importer.__module__].__doc__ or "").strip().splitlines()
        typer.echo(f"{name:16} {about[0] if about else ''}")


def _converted(
    format: str, sources: list[Path], out: Path | None, instructions: Path | None, seed: str | None
) -> "ImportReport":
    from agenthorizon.cli.progress_bar import ProgressBar
    from agenthorizon.errors import UsageError
    from agenthorizon.importing.convert import convert
    from agenthorizon.importing.writer import Settings

    if not sources or out is None:
        raise UsageError("name at least one SOURCE and, with -o, a folder for the data set")
    settings = Settings(format.replace("-", "_"), seed, _instructions(instructions) if instructions else {})
    with ProgressBar("recordings") as bar:
        return convert(sources, out, settings, lambda done: bar.at(done, done))


def _instructions(path: Path) -> dict[str, str]:
    from agenthorizon.errors import UsageError
    from agenthorizon.files.jsonlines import parse_json
    from agenthorizon.files.regular_file import read_regular

    try:
        value = parse_json(read_regular(path))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read --instructions {path}: {error}") from error
    if not isinstance(value, dict) or not all(isinstance(words, str) for words in value.values()):
        raise UsageError(f'{path} must be one JSON object of texts, such as {{"runs/a": "Open the settings"}}')
    return value


def _print(report: "ImportReport") -> None:
    from agenthorizon.cli import printable
    from agenthorizon.cli.findings import summed

    typer.echo(
        f"{report.format}: {report.recordings} recordings, {report.steps} steps, {report.actions} actions, "
        f"{report.screenshots} screenshots"
    )
    for name, counts in (
        ("labels", report.labels),
        ("kept outside the schema", report.unmapped),
        ("keys kept as recorded", report.unknown_keys),
        ("screenshots that are not there", report.missing),
    ):
        if counts:
            typer.echo(f"  {name}: {printable(_counted(counts))}")
    for line in summed(report.findings):
        typer.echo(line, err=True)
    if not report.recordings:
        typer.echo(f"nothing was written: no recording of {report.format} could be taken", err=True)


def _counted(counts: "Counter[str]") -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())
