"""Compares judges on the tasks that both were asked: by how much they differ, and whether that can be told at all."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from agenthorizon.errors import UsageError
from agenthorizon.scoring.agreement import cohen_kappa, error_overlap, fleiss_kappa
from agenthorizon.scoring.differences import Difference, difference
from agenthorizon.scoring.ensembles import ideal, majority
from agenthorizon.scoring.estimates import Rate
from agenthorizon.scoring.intervals import Tallies, tally
from agenthorizon.scoring.marks import Marks
from agenthorizon.scoring.metrics import count
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.significance import LEVEL, McNemar, holm, mcnemar
from agenthorizon.scoring.split_score import SplitScore, split_score
from agenthorizon.scoring.ties import Standing, standings


@dataclass(frozen=True)
class Comparison:
    """Two judges on the tasks of a split that both were asked; every difference is first minus second."""

    first: str
    second: str
    tasks: int
    positives: int
    negatives: int
    balanced_accuracy: Difference
    tpr: Difference
    tnr: Difference
    p_holm: float | None
    """Of the balanced accuracies' difference, corrected for all pairs compared."""
    positives_test: McNemar
    negatives_test: McNemar
    kappa: float | None
    """Cohen's, of the verdicts."""
    error_overlap: Rate

    @property
    def better(self) -> str | None:
        """The judge shown to be better, or None: the two cannot be told apart."""
        value = self.balanced_accuracy.value
        if self.p_holm is None or value is None or self.p_holm >= LEVEL:
            return None
        return self.first if value > 0 else self.second


@dataclass(frozen=True)
class Comparisons:
    """Every pair of some judges on one split."""

    split: str
    pairs: tuple[Comparison, ...]
    standings: Mapping[str, Standing]
    """By judge, best first."""
    common_tasks: int
    """Tasks that all judges were asked; the figures below are of these."""
    fleiss_kappa: float | None
    ideal: SplitScore
    """A judge that is right wherever one of these is."""
    majority: SplitScore
    """A judge that says what more than half of these say."""

    def __repr__(self) -> str:
        ranks = ", ".join(f"{each.judge} {each.best} to {each.worst}" for each in self.standings.values())
        return f"<Comparisons on {self.split}, {self.common_tasks} tasks in common, ranks: {ranks}>"

    def to_json(self) -> dict[str, Any]:
        """Return the comparisons as a JSON object."""
        pairs = [{**asdict(pair), "better": pair.better} for pair in self.pairs]
        return {**asdict(self), "pairs": pairs}


def compare(cards: Sequence[Scorecard], split: str) -> Comparisons:
    """Compare every two of some judges on one split.

    Raises UsageError for fewer than two judges, for two of one name, for judges of different data sets or forms, where
    a judge was not asked the split, and where two were asked no task in common.
    """
    _refuse_what_differs(cards, split)
    marks = {card.judge: card.marks[split] for card in cards}
    pairs = compared(marks)
    shared = common(list(marks.values()))
    if not shared[0]:
        raise UsageError(f"there is no task of {split} that all of {', '.join(marks)} were asked; compare fewer")
    return Comparisons(
        split=split,
        pairs=pairs,
        standings=standings_of(dict(zip(marks, shared, strict=True)), pairs),
        common_tasks=len(shared[0]),
        fleiss_kappa=fleiss_kappa(shared),
        ideal=split_score(ideal(shared)),
        majority=split_score(majority(shared)),
    )


def compared(marks: Mapping[str, Marks]) -> tuple[Comparison, ...]:
    """Compare every two judges by their marks on one split. Raises UsageError where two have no task in common."""
    pairs = [_compare_two(a, b, marks) for a, b in itertools.combinations(marks, 2)]
    corrected = holm([pair.balanced_accuracy.p for pair in pairs])
    return tuple(replace(pair, p_holm=p) for pair, p in zip(pairs, corrected, strict=True))


def standings_of(marks: Mapping[str, Marks], pairs: Sequence[Comparison]) -> dict[str, Standing]:
    """Return the standing of each judge by its marks on the same tasks, best balanced accuracy first."""
    is_better = {}
    for pair in pairs:
        is_better[pair.first, pair.second] = pair.better == pair.first
        is_better[pair.second, pair.first] = pair.better == pair.second
    values = {judge: count(of_judge).balanced_accuracy or 0.0 for judge, of_judge in marks.items()}
    return standings(sorted(values, key=lambda judge: (-values[judge], judge)), is_better)


def common(judges: Sequence[Marks]) -> list[Marks]:
    """Return each judge's marks on the tasks that all were asked, in one order."""
    asked = [{mark.task_id: mark for mark in marks if mark.was_asked} for marks in judges]
    ids = [task_id for task_id in asked[0] if all(task_id in of_judge for of_judge in asked)]
    return [tuple(of_judge[task_id] for task_id in ids) for of_judge in asked]


def _compare_two(first: str, second: str, marks: Mapping[str, Marks]) -> Comparison:
    one, other = common([marks[first], marks[second]])
    if not one:
        raise UsageError(f"{first} and {second} were asked no task in common")
    positives, negatives = ((_tallies(one, kind), _tallies(other, kind)) for kind in (True, False))
    tests = [_mcnemar(one, other, kind) for kind in (True, False)]
    return Comparison(
        first=first,
        second=second,
        tasks=len(one),
        positives=sum(mark.is_positive for mark in one),
        negatives=sum(not mark.is_positive for mark in one),
        balanced_accuracy=difference(positives, negatives),
        tpr=difference(positives),
        tnr=difference(negatives),
        p_holm=None,
        positives_test=tests[0],
        negatives_test=tests[1],
        kappa=cohen_kappa(one, other),
        error_overlap=error_overlap(one, other),
    )


def _tallies(marks: Marks, positive: bool) -> Tallies:
    return tally((mark.group, mark.is_right) for mark in marks if mark.is_positive is positive)


def _mcnemar(first: Marks, second: Marks, positive: bool) -> McNemar:
    of_class = [(a.is_right, b.is_right) for a, b in zip(first, second, strict=True) if a.is_positive is positive]
    return mcnemar(of_class.count((True, False)), of_class.count((False, True)))


def _refuse_what_differs(cards: Sequence[Scorecard], split: str) -> None:
    if len(cards) < 2:
        raise UsageError("a comparison takes the runs of at least two judges, e.g. agenthorizon compare runs/*")
    names = Counter(card.judge for card in cards)
    if twice := [name for name, count in names.items() if count > 1]:
        raise UsageError(f"two judges are called {', '.join(twice)}: give one of them, or another name")
    origins = {card.judge: card.conditions.origin for card in cards}
    if len(set(origins.values())) > 1:
        found = "; ".join(f"{judge}: {origin}" for judge, origin in origins.items())
        raise UsageError(f"judges of different data are not compared. Found {found}")
    if without := [card.judge for card in cards if split not in card.marks]:
        raise UsageError(f"{', '.join(without)} was not asked {split}; choose a split that all were asked")
