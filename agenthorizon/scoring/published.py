"""The published results, 19 configurations, to stand in one table with a user's runs.

They are those of the main table of the AgentHorizon paper (arXiv 2610.11050): AH in percent of 227 positives and 301
negatives, so that whole counts and their intervals follow; AH-S as balanced accuracy alone. Which tasks were right is
not published: the intervals take tasks for independent, and such a row is never compared task by task.
"""

import csv
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.splits import CLASSES, MAIN, SIMPLE, THREE_SPLIT
from agenthorizon.errors import UsageError
from agenthorizon.scoring.answers import Answer
from agenthorizon.scoring.estimates import Estimate, Rate
from agenthorizon.scoring.marks import Mark, Marks
from agenthorizon.scoring.scorecard import Conditions, Scorecard
from agenthorizon.scoring.split_score import MistakeTypeRecall, SplitScore, split_score
from agenthorizon.verdict import MISTAKE_TYPES

_UNKNOWN = Rate(None, None, None, 0, 0)


@dataclass(frozen=True)
class PublishedRow:
    """One configuration of the published table."""

    model: str
    interface: str
    """The harness, or Direct."""
    has_open_weights: bool
    merged: bool
    """Whether four screenshots were merged into one picture."""
    true_positives: int
    true_negatives: int
    simple_balanced_accuracy: float
    resource_use: Mapping[str, float]
    """Means a trajectory: input_tokens, tool_calls, images_viewed, usd_per_trajectory; empty for direct judges."""

    @property
    def judge(self) -> str:
        """The configuration's name in tables."""
        return f"{self.model} ({self.interface})"


def published_rows() -> tuple[PublishedRow, ...]:
    """Return the configurations in the order of the published table."""
    use = {(row.pop("model"), row.pop("interface")): row for row in _rows("published_resource_use.csv")}
    positives, negatives = CLASSES[MAIN]
    return tuple(
        PublishedRow(
            model=row["model"],
            interface=row["interface"],
            has_open_weights=row["open_weights"] == "yes",
            merged=row["merged_2x2"] == "yes",
            true_positives=_count(row["ah_pos"], positives),
            true_negatives=_count(row["ah_neg"], negatives),
            simple_balanced_accuracy=float(row["ah_s_bal"]) / 100,
            resource_use={name: float(mean) for name, mean in use.get((row["model"], row["interface"]), {}).items()},
        )
        for row in _rows("published_leaderboard.csv")
    )


def with_published(cards: Sequence[Scorecard]) -> list[Scorecard]:
    """Add the published rows to scorecards of the data they are of; alone where there are no scorecards.

    Only splits that a scorecard has are added. Raises UsageError when none is of that data: the three-split form,
    with AH of 227 positives and 301 negatives.
    """
    origins = dict.fromkeys(replace(card.conditions, protocol="") for card in cards if _is_of_the_published_data(card))
    splits = {name for card in cards for name in card.splits} or CLASSES.keys()
    if cards and not origins:
        found = ", ".join(sorted({card.conditions.origin for card in cards}))
        positives, negatives = CLASSES[MAIN]
        raise UsageError(
            f"the published rows are of the {THREE_SPLIT} form, {MAIN} with {positives} positives and {negatives} "
            f"negatives; they do not stand beside {found}"
        )
    if not cards:
        origins = {Conditions("AgentHorizon", THREE_SPLIT): None}
    return [*cards, *(_card(row, conditions, splits) for conditions in origins for row in published_rows())]


def _is_of_the_published_data(card: Scorecard) -> bool:
    score = card.splits.get(MAIN)
    same_size = score is not None and (score.positives, score.negatives) == CLASSES[MAIN]
    return same_size and card.conditions.form in (THREE_SPLIT, None)


def _card(row: PublishedRow, conditions: Conditions, wanted: Collection[str]) -> Scorecard:
    protocol = "published result, screenshots merged 2×2" if row.merged else "published result"
    positives, negatives = CLASSES[SIMPLE]
    simple = replace(
        _of_marks(()),
        tasks=positives + negatives,
        positives=positives,
        negatives=negatives,
        asked=positives + negatives,
        balanced_accuracy=Estimate(row.simple_balanced_accuracy, None, None),
    )
    splits = {MAIN: _of_marks(tuple(_marks(row))), SIMPLE: simple}
    splits = {name: score for name, score in splits.items() if name in wanted}
    return Scorecard(row.judge, splits, "published", replace(conditions, protocol=protocol))


def _of_marks(marks: Marks) -> SplitScore:
    """Score what the counts say; what they do not say (failures, mistake types, recordings) is unknown."""
    known = split_score(marks)
    return replace(
        known,
        mistake_type_recall=MistakeTypeRecall(_UNKNOWN, dict.fromkeys(MISTAKE_TYPES, _UNKNOWN)),
        verdicts=None,
        malformed=None,
        failed=None,
        missing=None,
        coverage=_UNKNOWN,
        refusal_rate=_UNKNOWN,
        truncation_rate=_UNKNOWN,
        pairs=replace(known.pairs, yes_rate=_UNKNOWN),
    )


def _marks(row: PublishedRow) -> Iterable[Mark]:
    """Yield a task, in a group of its own, for each that was counted."""
    for positive, right, total in zip(
        (True, False), (row.true_positives, row.true_negatives), CLASSES[MAIN], strict=True
    ):
        for n in range(total):
            name = f"{positive}{n}"
            label = Label(trajectory_id=name, label="positive" if positive else "negative")
            yield Mark(label, name, Answer("verdict", positive is (n < right)))


def _count(percent: str, total: int) -> int:
    """Return the whole number that prints as a percentage of `total`."""
    return round(float(percent) * total / 100)


def _rows(name: str) -> list[dict[str, str]]:
    text = (files("agenthorizon.scoring") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
