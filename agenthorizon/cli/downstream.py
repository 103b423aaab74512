"""`agenthorizon downstream`: what a judge's errors do to a success rate it graded, or to data it filtered."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import AsJson, LabelsOption, runs_argument

if TYPE_CHECKING:
    from agenthorizon.scoring.downstream import Grades


def downstream(
    run: Annotated[list[Path], runs_argument("RUN", "A run folder: the judge and its rates.")],
    graded: Annotated[
        str | None, typer.Option(metavar="X/N", help="The judge graded X of an agent's N trajectories successful.")
    ] = None,
    base_rates: Annotated[
        str, typer.Option(metavar="R,R", help="Shares of successes before a filter, from 0 to 1.")
    ] = "0.1,0.3,0.5,0.7,0.9",
    split: Annotated[str | None, typer.Option(help="The split of the rates; AH without it.", metavar="S")] = None,
    labels: LabelsOption = None,
    as_json: AsJson = False,
) -> None:
    """Say what a judge's errors do to what is built on its verdicts.

    The success rate behind a share that it graded successful, with its interval; and the share of failures in a
    training set of what it passed. Both take the judge to err elsewhere as on this split. A judge that is not shown
    to be better than chance corrects nothing: refused.

    \b
    Examples:
      agenthorizon downstream runs/release.direct-gpt-5.5.* --graded 63/100
      agenthorizon downstream RUN --split AH-S --base-rates 0.05,0.5
    """
    from agenthorizon.errors import UsageError
    from agenthorizon.report.downstream_tables import downstream_to_markdown
    from agenthorizon.results.scorecards import find_labels, score_runs
    from agenthorizon.scoring.downstream import downstream as work_out
    from agenthorizon.scoring.metrics import count

    if len(run) != 1:
        raise UsageError(f"downstream is of one run, that of the judge that graded; found {len(run)}")
    ((_, card),) = score_runs(run, find_labels(labels) if labels else None, [split] if split else None)
    counts = count(card.marks[card.main_split])
    found = work_out(counts.positives, counts.negatives, _grades(graded), _rates(base_rates))
    if as_json:
        typer.echo(json.dumps({"judge": card.judge, "split": card.main_split, **found.to_json()}, indent=1))
    else:
        typer.echo(downstream_to_markdown(found, card), nl=False)


def _grades(text: str | None) -> "Grades | None":
    from agenthorizon.errors import UsageError
    from agenthorizon.scoring.downstream import Grades

    if text is None:
        return None
    try:
        successes, total = map(int, text.split("/"))
    except ValueError as error:
        raise UsageError(f"--graded takes X/N, for example 63/100, not {text!r}") from error
    return Grades(successes, total)


def _rates(text: str) -> list[float]:
    from agenthorizon.errors import UsageError

    try:
        return [float(rate) for rate in text.split(",")]
    except ValueError as error:
        raise UsageError(f"--base-rates takes shares by comma, for example 0.1,0.5, not {text!r}") from error
