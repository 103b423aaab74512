"""Recall of each mistake type as a table that is exported: one grid per split, one record per judge, split and type."""

from collections.abc import Sequence
from typing import Any

from agenthorizon.dataset.splits import in_order
from agenthorizon.report.grid import IN_PERCENT, Cell, Column, Grid, figure
from agenthorizon.report.tabled import Tabled
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.verdict import MISTAKE_TYPES


def mistake_table(cards: Sequence[Scorecard]) -> Tabled:
    """Return recall of each mistake type, and for reading over all typed negatives too."""
    return Tabled(_grids(cards), _records(cards))


def _grids(cards: Sequence[Scorecard]) -> list[Grid]:
    columns = (Column("Judge", False), *(Column(kind) for kind in MISTAKE_TYPES), Column("All typed"))
    grids = []
    for split in in_order(name for card in cards for name in card.splits):
        recalls = {card.judge: card.splits[split].mistake_type_recall for card in cards if split in card.splits}
        rows = tuple(
            (Cell(judge), *(figure(recall.by_type.get(kind)) for kind in MISTAKE_TYPES), figure(recall.overall))
            for judge, recall in recalls.items()
        )
        caption = f"Mistake-type recall on {split}: judged a failure and for the labelled reason. {IN_PERCENT}"
        grids.append(Grid(cards[0].conditions.title, caption, columns, rows))
    return grids


def _records(cards: Sequence[Scorecard]) -> list[dict[str, Any]]:
    return [
        {"judge": card.judge, "split": split, "mistake_type": kind, **rate.flat("recall")}
        for card in cards
        for split, score in card.splits.items()
        for kind, rate in score.mistake_type_recall.by_type.items()
    ]
