"""`agenthorizon report`: a static page of runs: leaderboard, slices, comparisons, every task with its screenshots."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agenthorizon.cli.options import MovedData, Published, runs_argument


class Images(StrEnum):
    """What becomes of screenshots."""

    thumbs = "thumbs"
    link = "link"
    none = "none"


def report(
    runs: Annotated[list[Path], runs_argument("RUN...", "Run folders of one data set.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="A new folder, or an older report's.", metavar="DIR")],
    images: Annotated[
        Images, typer.Option(help="Shrink screenshots, link to the data set's (for this machine), or leave them out.")
    ] = Images.thumbs,
    blind: Annotated[
        bool, typer.Option("--blind", help="Leave out labels and all made from them, for annotators.")
    ] = False,
    published: Published = False,
    by: Annotated[
        str | None,
        typer.Option(metavar="FIELDS", help="Fields to slice by, with commas; os, domain, steps and type without it."),
    ] = None,
    data: MovedData = None,
) -> None:
    """Write a page that opens from disk: DIR/index.html. It needs no network and no server.

    \b
    Examples:
      agenthorizon report demo-runs/demo.* -o report
      agenthorizon report runs/* -o report --images link
      agenthorizon report runs/* -o for-annotators --blind
    """
    from agenthorizon.cli.progress_bar import ProgressBar
    from agenthorizon.report.page.sites import Shown, bench_of, catalogue_of, site_of_runs
    from agenthorizon.report.page.writing import INDEX, write_site
    from agenthorizon.results.scorecards import named_runs

    found = named_runs(runs)
    with ProgressBar("reading the data") as bar:
        bench = bench_of(found, data, bar.at)
    catalogue = catalogue_of(bench, images.value)
    site = site_of_runs(catalogue, found, Shown(blind, published, by.split(",") if by else None))
    if images is Images.thumbs:
        typer.echo("screenshots are shrunk for the page; --images link is quicker, for this machine alone", err=True)
    with ProgressBar("tasks") as bar:
        write_site(site, out, images.value, bar.at)
    typer.echo(str(out / INDEX))
