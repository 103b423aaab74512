"""What `agenthorizon score` adds on request: slices, repeats, confidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agenthorizon.errors import UsageError
from agenthorizon.results.scorecards import find_labels, repeats_of
from agenthorizon.running.store import Run
from agenthorizon.scoring.marks import Marks
from agenthorizon.scoring.scorecard import Scorecard


@dataclass(frozen=True)
class Wanted:
    """What was asked for, and where the scorecards came from."""

    runs: Sequence[Run]
    labels: Sequence[str]
    splits: Sequence[str] | None
    fields: Sequence[str]
    repeats: bool
    confidence: bool


@dataclass(frozen=True)
class Section:
    """One addition."""

    name: str
    """Its key in the JSON of a run."""
    json: list[Any]
    """For each scorecard, in their order."""
    markdown: str


def sections(cards: Sequence[Scorecard], wanted: Wanted) -> list[Section]:
    """Return what was asked for. Raises UsageError for repeats of what has none."""
    if wanted.repeats and not wanted.runs:
        raise UsageError("--repeats is of run folders: verdict files and submissions have one verdict per task")
    found = [_slices(cards, wanted)] if wanted.fields else []
    if wanted.repeats or wanted.confidence:
        repeats = _repeats(cards, wanted)
        found += [_repeated(cards, repeats)] if wanted.repeats else []
        found += [_confidence(cards, repeats)] if wanted.confidence else []
    return found


def _repeats(cards: Sequence[Scorecard], wanted: Wanted) -> list[dict[str, list[Marks]]]:
    if not wanted.runs:
        return [{name: [marks] for name, marks in card.marks.items()} for card in cards]
    labels = find_labels(wanted.labels) if wanted.labels else None
    return [repeats_of(run, labels, wanted.splits) for run in wanted.runs]


def _slices(cards: Sequence[Scorecard], wanted: Wanted) -> Section:
    from agenthorizon.report.slice_tables import slices_to_markdown
    from agenthorizon.results.slicing import slice_answers, slice_run

    found = [
        slice_run(card, wanted.runs[place], wanted.fields)
        if wanted.runs
        else slice_answers(card, wanted.labels, wanted.fields)
        for place, card in enumerate(cards)
    ]
    by_judge = {card.judge: of_card for card, of_card in zip(cards, found, strict=True)}
    return Section("slices", [[one.to_json() for one in of_card] for of_card in found], slices_to_markdown(by_judge))


def _repeated(cards: Sequence[Scorecard], repeats: Sequence[dict[str, list[Marks]]]) -> Section:
    from agenthorizon.report.repeat_tables import repeats_to_markdown
    from agenthorizon.scoring.repeats import repeat_score

    found = [{name: repeat_score(marks) for name, marks in of_card.items()} for of_card in repeats]
    by_judge = {card.judge: of_card for card, of_card in zip(cards, found, strict=True)}
    json = [{name: one.to_json() for name, one in of_card.items()} for of_card in found]
    return Section("repeats", json, repeats_to_markdown(by_judge))


def _confidence(cards: Sequence[Scorecard], repeats: Sequence[dict[str, list[Marks]]]) -> Section:
    from agenthorizon.report.calibration_tables import calibration_to_markdown
    from agenthorizon.scoring.calibration import calibration

    found = [{name: calibration(marks) for name, marks in of_card.items()} for of_card in repeats]
    by_judge = {card.judge: of_card for card, of_card in zip(cards, found, strict=True)}
    json = [{name: one.to_json() for name, one in of_card.items()} for of_card in found]
    return Section("confidence", json, calibration_to_markdown(by_judge))
