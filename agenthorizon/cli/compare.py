"""`agenthorizon compare`: which judge is better, by how much, and whether that can be told."""

import json
from pathlib import Path
from typing import Annotated

import typer

from agenthorizon.cli.options import AsJson, LabelsOption, runs_argument, split_names


def compare(
    runs: Annotated[list[Path], runs_argument("RUN RUN...", "Run folders of one data set.")],
    split: Annotated[str | None, typer.Option(help="The split; AH without it, or the only one.", metavar="S")] = None,
    labels: LabelsOption = None,
    points: Annotated[
        float,
        typer.Option(
            metavar="N", min=0.1, max=100, help="Say how many tasks would show a difference of so many points."
        ),
    ] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Compare judges pair by pair on the tasks that both were asked.

    Differences with intervals, tests corrected for their number, ranks that stay open, agreement, shared errors, and
    what the judges would score together. Runs of different data sets or forms are refused; one that was asked nothing
    of the split is left out and named.

    \b
    Examples:
      agenthorizon compare runs/*
      agenthorizon compare runs/demo.ocr.* runs/demo.coin.* --split AH-S --json
    """
    from agenthorizon.cli.leaving_out import of_one_data_set, said_split
    from agenthorizon.results.scorecards import find_labels, score_runs
    from agenthorizon.scoring.comparing import compare as compare_cards

    split_names(split)  # an empty one is refused
    known = find_labels(labels) if labels else None
    scored = score_runs(of_one_data_set(runs, split, known), known, [split] if split else None)
    cards = [card for _, card in scored]
    found = compare_cards(cards, split or said_split(cards))
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=1))
    else:
        from agenthorizon.report.comparison_tables import comparisons_to_markdown

        typer.echo(comparisons_to_markdown(found, cards[0].conditions.title, points / 100), nl=False)
