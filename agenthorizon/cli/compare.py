"""`agenthorizon compare`: which judge is better, by how much, and whether that can be told."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import AsJson, Labels, split_names

if TYPE_CHECKING:
    from agenthorizon.scoring.scorecard import Scorecard


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN...", help="Run folders of one data set.")],
    split: Annotated[str | None, typer.Option(help="The split; AH without it, or the only one.", metavar="S")] = None,
    labels: Labels = None,
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
    from agenthorizon.cli.leaving_out import of_one_data_set
    from agenthorizon.scorecards import find_labels, score_runs
    from agenthorizon.scoring.comparing import compare as compare_cards

    split_names(split)  # an empty one is refused
    known = find_labels(labels) if labels else None
    scored = score_runs(of_one_data_set(runs, split, known), known, [split] if split else None)
    cards = [card for _, card in scored]
    found = compare_cards(cards, split or common_split(cards))
    if as_json:
        import json

        typer.echo(json.dumps(found.to_json(), indent=1))
    else:
        from agenthorizon.report.comparison_tables import comparisons_to_markdown

        typer.echo(comparisons_to_markdown(found, cards[0].conditions.title, points / 100), nl=False)


def common_split(cards: "list[Scorecard]") -> str:
    """Return AH, or the only split that all have, saying on stderr why it is not AH. Raises UsageError for several."""
    from agenthorizon.cli import printable
    from agenthorizon.errors import UsageError
    from agenthorizon.splits import MAIN

    shared = [name for name in cards[0].splits if all(name in card.splits for card in cards)]
    if MAIN in shared:
        return MAIN
    without = ", ".join(card.judge for card in cards if MAIN not in card.splits)
    why = f"{MAIN} was not asked of {without}"
    if len(shared) != 1:
        raise UsageError(f"{why}; choose with --split one that all were asked: {', '.join(shared) or 'there is none'}")
    typer.echo(printable(f"on {shared[0]}, the one split that all were asked: {why}"), err=True)
    return shared[0]
