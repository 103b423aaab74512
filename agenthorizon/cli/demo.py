"""`agenthorizon demo`: the main job on the shipped data, without any key."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from agenthorizon.running.named_judges import NamedJudge

JUDGES = ("always_yes", "always_no", "coin", "ocr")


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where run folders and table go.")] = Path(
        "demo-runs"
    ),
) -> None:
    """Judge 41 tasks without a key, and rank the judges.

    The tasks are on 22 real recordings. Every judge that needs no key judges them; they are scored and a leaderboard is
    written.

    A second call goes on, and has nothing left to ask.

    \b
    Examples:
      agenthorizon demo
      agenthorizon demo --out /tmp/demo
    """
    from agenthorizon.api import make_options
    from agenthorizon.cli.working import judge_tasks
    from agenthorizon.cli.writing import write_text
    from agenthorizon.report.leaderboard_markdown import to_markdown
    from agenthorizon.results.scorecards import score_run
    from agenthorizon.source import load

    bench = load("demo")
    done = judge_tasks(bench, _judges(), bench.select(), make_options(out=out))
    cards = [score_run(run, bench.labels) for run in done.runs]
    write_text(out / "leaderboard.md", to_markdown(cards))
    typer.echo(to_markdown(cards, details=False), nl=False)
    typer.echo(f"in {out}: leaderboard.md, with a table for each split, and a run folder for each judge", err=True)
    raise typer.Exit(done.exit_code)


def _judges() -> "list[NamedJudge]":
    from agenthorizon.errors import MissingExtra
    from agenthorizon.running.named_judges import named_judges

    found = []
    for name in JUDGES:
        try:
            found += named_judges([name])
        except MissingExtra as error:
            typer.echo(f"left out: {error}", err=True)
    return found
