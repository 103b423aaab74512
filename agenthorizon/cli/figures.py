"""`agenthorizon figures`: figures for a paper."""

from enum import StrEnum
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import runs_argument

if TYPE_CHECKING:
    from agenthorizon.report.figures.drawing import Drawn


class Suffix(StrEnum):
    """What figures are written as."""

    pdf = "pdf"
    svg = "svg"
    png = "png"


def figures(
    out: Annotated[Path, typer.Option("--out", "-o", help="A folder.", metavar="DIR")],
    runs: Annotated[list[Path] | None, runs_argument("[RUN...]", "Run folders of one data set.")] = None,
    to: Annotated[Suffix, typer.Option("--format", "-f", help="What to write.")] = Suffix.pdf,
    split: Annotated[str | None, typer.Option(help="The split; AH without it, or the only one.", metavar="S")] = None,
    published: Annotated[
        bool,
        typer.Option("--published", help="The published results too, where the data are theirs; alone without RUN."),
    ] = False,
) -> None:
    """Draw the figures of a paper: rates, costs, agreement.

    Leaderboard, TPR against TNR, accuracy by steps, mistake-type recall, cost, agreement, reliability. Legible in grey
    and by the colour-blind. A figure with nothing to show is left out and named. Needs the extra `report`.

    \b
    Examples:
      agenthorizon figures runs/* -o figures
      agenthorizon figures runs/* -o figures --format svg --split AH-S
      agenthorizon figures --published -o figures
    """
    from agenthorizon.errors import UsageError
    from agenthorizon.report.figures.all_figures import write_figures

    if not runs and not published:
        raise UsageError("figures takes run folders, or --published")
    written, empty = write_figures(_drawn(runs or [], split, published), out, to.value)
    for path in written:
        typer.echo(str(path))
    if empty:
        typer.echo(f"nothing to show for: {', '.join(empty)}", err=True)


def _drawn(runs: list[Path], split: str | None, published: bool) -> "Drawn":
    from agenthorizon.cli.leaving_out import asked_of, said_split
    from agenthorizon.dataset.splits import MAIN
    from agenthorizon.report.figures.drawing import Drawn
    from agenthorizon.results.scorecards import repeats_of, score_runs
    from agenthorizon.results.slicing import slice_run
    from agenthorizon.running.taken import dollars_taken
    from agenthorizon.scoring.calibration import calibration
    from agenthorizon.scoring.comparing import compare
    from agenthorizon.scoring.published import with_published

    folders = asked_of(runs, [split or MAIN], None)
    scored = score_runs(folders, None, [split] if split else None)
    cards = [card for _, card in scored]
    shown = with_published(cards) if published else cards
    chosen = split or said_split(shown)
    costs = {card.judge: paid for run, card in scored if (paid := dollars_taken(run))}
    known = {card.judge: card.splits[chosen].balanced_accuracy.value for card in shown if chosen in card.splits}
    return Drawn(
        split=chosen,
        cards=sorted((c for c in shown if known.get(c.judge) is not None), key=lambda c: -(known[c.judge] or 0)),
        costs={judge: fmean(paid) for judge, paid in costs.items()},
        steps={card.judge: slice_run(card, run, ["steps"]) for run, card in scored},
        pairs=compare(cards, chosen).pairs if len(cards) > 1 else (),
        calibrations={card.judge: calibration(repeats_of(run)[chosen]) for run, card in scored},
    )
