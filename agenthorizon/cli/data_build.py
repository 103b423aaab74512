"""`agenthorizon data build`: recordings and their pairs become tasks."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import NewFolder

if TYPE_CHECKING:
    from agenthorizon.construction.building import BuildPlan


class Identical(StrEnum):
    """What becomes of a pair whose two instructions are the same."""

    refuse = "refuse"
    drop = "drop"


def build(
    recordings: Annotated[
        str,
        typer.Argument(metavar="RECORDINGS", help="A trajectories .jsonl or folder; each with its own instruction."),
    ],
    out: NewFolder,
    pairs: Annotated[Path, typer.Option(help="Which recordings make a pair, a line each.", metavar="FILE")],
    review: Annotated[Path | None, typer.Option(help="Decisions on positives, a line each.", metavar="FILE")] = None,
    drop_from: Annotated[
        int | None,
        typer.Option(metavar="1-4", min=1, max=4, help="Drop positives of this severity and above, where undecided."),
    ] = None,
    identical: Annotated[
        Identical, typer.Option(help="A pair with one instruction twice: refuse, or drop its four candidates.")
    ] = Identical.refuse,
    split: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=N", help="Hold out N tasks in whole pair groups, e.g. AH-D=162; repeatable."),
    ] = None,
    rest: Annotated[str, typer.Option(help="Name of the split of all other tasks.", metavar="NAME")] = "evaluation",
    seed: Annotated[int, typer.Option(metavar="N", help="Decides ids, order and splits. Keep it with the labels.")] = 0,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the data set; the folder's without it.")
    ] = None,
) -> None:
    """Make candidate tasks of recordings and their pairs.

    Each recording's own task (positive) and both swaps of every pair (negative). Writes a release folder: opaque ids,
    labels in their own files, a manifest with fingerprints, and the construction table, which is printed too.
    docs/construction.md describes the files.

    \b
    Examples:
      agenthorizon data build recordings.jsonl --pairs pairs.jsonl --split AH-D=162 -o mine
      agenthorizon data build imported/ --pairs pairs.jsonl --review review.jsonl --drop-from 3 --identical drop -o mine
      agenthorizon data build imported/ --pairs pairs.jsonl --split train=800 --split test=200 --rest spare -o mine
    """
    from agenthorizon.construction.building import BuildPlan
    from agenthorizon.construction.links import read_links
    from agenthorizon.construction.review import read_review
    from agenthorizon.source import load

    bench = load(recordings)
    known = set(bench.files.ids())
    plan = BuildPlan(
        recordings=bench,
        links=read_links(pairs, known),
        decisions=read_review(review, known, drop_from) if review else {},
        identical="drop" if identical is Identical.drop else "refuse",
        sizes=_sizes(split or [], rest),
        rest=rest,
        seed=seed,
        name=name or out.name,
    )
    build_and_tell(plan, out)


def build_and_tell(plan: "BuildPlan", out: Path) -> None:
    """Build, with a count on stderr, and print the construction table and the folder."""
    from agenthorizon.cli.progress_bar import ProgressBar
    from agenthorizon.construction import accounting
    from agenthorizon.construction.building import build as build_data

    with ProgressBar("recordings") as bar:
        built = build_data(plan, out, bar.at)
    if built.embedded:
        typer.echo(f"warning: {built.embedded} screenshots carry texts; see agenthorizon data audit {out}", err=True)
    typer.echo(accounting.to_text(built.rows))
    typer.echo(str(built.folder))


def _sizes(given: list[str], rest: str) -> dict[str, int]:
    """Return the splits to draw. Raises UsageError for one that is not NAME=N, comes twice or cannot name a file."""
    from agenthorizon.dataset.schema import is_safe_id
    from agenthorizon.errors import UsageError

    sizes: dict[str, int] = {}
    for each in given:
        name, _, size = each.partition("=")
        if not is_safe_id(name) or not size.isdecimal() or name in sizes or name == rest:
            raise UsageError(f"--split takes NAME=N, each name once and other than --rest; found {each!r}")
        sizes[name] = int(size)
    if not is_safe_id(rest):
        raise UsageError(f"--rest {rest!r} cannot be a file name")
    return sizes
