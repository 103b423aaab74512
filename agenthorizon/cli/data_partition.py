"""`agenthorizon data partition`: repeated verdicts of splitter judges become AH and AH-S."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import LabelsOption, NewFolder, runs_argument

if TYPE_CHECKING:
    from agenthorizon.dataset.labels import Labels
    from agenthorizon.scoring.marks import Marks


def partition(
    runs: Annotated[
        list[Path],
        runs_argument("RUN...", "One run of each splitter, on one data set."),
    ],
    out: NewFolder,
    repeats: Annotated[
        int | None,
        typer.Option(metavar="K", min=1, help="Verdicts of a splitter on a task; as many as there are without it."),
    ] = None,
    at_most: Annotated[
        int | None,
        typer.Option(metavar="N", help="Right verdicts up to which a task is of AH; three quarters without."),
    ] = None,
    development: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Set N tasks aside as AH-D, in whole pair groups; the AH-D there is without it."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides which pair groups AH-D takes.")] = 0,
    judge: Annotated[
        list[Path] | None, typer.Option(metavar="RUN", help="A judge whose rank is compared; repeatable.")
    ] = None,
    labels: LabelsOption = None,
) -> None:
    """Divide a data set by difficulty into AH and AH-S.

    What splitters often judge wrong is AH, the rest AH-S. The published rule: three splitters judge every task 8 times
    (run --repeats 8); at most 18 of 24 right → AH, an invalid verdict counts as wrong. Any number of splitters and
    repeats, and any limit, can stand in its place. Prints how far the result hangs on the splitters: each left out,
    each alone, and what that does to judges' ranks.

    \b
    Examples:
      agenthorizon data partition runs/demo.coin.* runs/demo.ocr.* runs/demo.always_yes.* -o splits
      agenthorizon data partition runs/a.* runs/b.* runs/c.* --development 162 --judge runs/d.* -o splits
    """
    from agenthorizon.construction.dividing import divide, set_aside, write_division
    from agenthorizon.construction.partition import Rule
    from agenthorizon.construction.splitters import count_of_repeats, verdicts_of
    from agenthorizon.report.division_tables import division_to_markdown
    from agenthorizon.results.scorecards import find_labels, labels_of, named_runs

    splitters = {run.judge: run for run in named_runs(runs)}
    manifest = find_labels(labels) if labels else labels_of(next(iter(splitters.values())))
    verdicts = verdicts_of(splitters)
    rule = Rule.like_published(len(verdicts), repeats or count_of_repeats(verdicts))
    if at_most is not None:
        rule = Rule(rule.splitters, rule.repeats, at_most)
    division = divide(verdicts, manifest, set_aside(manifest, development, seed), rule, _marks(judge or [], manifest))
    write_division(division, manifest, out)
    typer.echo(division_to_markdown(division, manifest), nl=False)
    typer.echo(f"label files and partition.json are in {out}", err=True)


def _marks(judges: list[Path], manifest: "Labels") -> "dict[str, Marks]":
    """Return what became of each task of the judges whose ranks are compared, over all splits."""
    from agenthorizon.results.scorecards import score_runs

    return {
        card.judge: tuple(mark for of_split in card.marks.values() for mark in of_split)
        for _, card in score_runs(judges, manifest)
    }
