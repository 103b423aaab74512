"""`agenthorizon view`: the page of runs or of a data set, served on 127.0.0.1 straight from the data's folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import MovedData

if TYPE_CHECKING:
    from agenthorizon.report.page.live import LiveSite


def view(
    shown: Annotated[list[str], typer.Argument(metavar="DATA|RUN...", help="A data set, or run folders of one.")],
    port: Annotated[int, typer.Option(metavar="N", help="0 takes a free one.", min=0, max=65535)] = 8765,
    blind: Annotated[bool, typer.Option("--blind", help="Leave out labels and all made from them.")] = False,
    data: MovedData = None,
) -> None:
    """Serve the page until Ctrl-C. Nothing is copied; while a run goes on, the page follows it.

    \b
    Examples:
      agenthorizon view demo
      agenthorizon view runs/* --port 9000
    """
    from agenthorizon.errors import UsageError
    from agenthorizon.report.page.serving import HOST, server

    site = _site(shown, blind, data)
    site()  # what cannot be shown is said now, not in the browser
    try:
        serving = server(site, port)
    except OSError as error:
        raise UsageError(
            f"cannot serve on port {port} of {HOST}: {error.strerror}; name another with --port N, or take a free one "
            "with --port 0"
        ) from error
    typer.echo(f"http://{HOST}:{serving.server_address[1]}/")
    typer.echo("Ctrl-C ends it", err=True)
    with serving:
        serving.serve_forever()


def _site(shown: list[str], blind: bool, data: str | None) -> "LiveSite":
    from agenthorizon.cli.progress_bar import ProgressBar
    from agenthorizon.errors import UsageError
    from agenthorizon.report.page.live import LiveSite
    from agenthorizon.report.page.sites import Shown, bench_of, catalogue_of
    from agenthorizon.results.scorecards import named_runs
    from agenthorizon.running.config_file import CONFIG
    from agenthorizon.source import load

    folders = [Path(name) for name in shown if (Path(name) / CONFIG).is_file()]
    if folders and len(folders) < len(shown):
        others = ", ".join(name for name in shown if Path(name) not in folders)
        raise UsageError(f"{others}: no run folder; give run folders alone, or one data set")
    if len(shown) > 1 and not folders:
        raise UsageError(f"one data set at a time, or run folders of one; found {', '.join(shown)}")
    if folders:
        with ProgressBar("reading the data") as bar:
            bench = bench_of(named_runs(folders), data, bar.at)
    else:
        bench = load(shown[0])
    return LiveSite(catalogue_of(bench, "view"), folders, Shown(is_blind=blind))
