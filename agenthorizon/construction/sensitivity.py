"""How far a partition hangs on its splitters: each left out in turn, each alone, and how judges rank then."""

import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from agenthorizon.construction.partition import Partition, Rule, Verdicts, partition
from agenthorizon.scoring.marks import Marks
from agenthorizon.scoring.metrics import count


@dataclass(frozen=True)
class Variant:
    """A partition by some of the splitters, beside that by all of them."""

    splitters: tuple[str, ...]
    at_most: int
    """Right verdicts up to which a task is of the frontier: the same share of the verdicts as with all splitters."""
    frontier: int
    simple: int
    same: int
    """Tasks in the split where all splitters put them."""
    ranks: float | None
    """Spearman's correlation of the judges' balanced accuracies on this frontier and on that of all splitters."""


@dataclass(frozen=True)
class Sensitivity:
    """Every variant, and how the single splitters' frontiers rank the judges."""

    left_out: Mapping[str, Variant]
    """By the splitter that was left out; empty with one splitter."""
    alone: Mapping[str, Variant]
    """By the only splitter."""
    between_single: Mapping[str, float | None]
    """Spearman's correlation of judges' balanced accuracies on the frontiers of two single splitters, by both names."""

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)


def sensitivity(
    verdicts: Verdicts,
    is_positive: Mapping[str, bool],
    whole: Partition,
    judges: Mapping[str, Marks],
) -> Sensitivity:
    """Make every leave-one-out and single-splitter partition of the tasks that `whole` divides.

    `judges` are marks on all tasks of those whose ranks are compared; with fewer than three, ranks say nothing and are
    None.
    """
    wanted = {task_id: is_positive[task_id] for task_id in whole.right}

    def made(names: tuple[str, ...]) -> Partition:
        return partition({name: verdicts[name] for name in names}, wanted, rule=_scaled(whole.rule, len(names)))

    names = tuple(verdicts)
    rest = {out: made(tuple(name for name in names if name != out)) for out in names} if len(names) > 1 else {}
    alone = {name: made((name,)) for name in names}
    return Sensitivity(
        left_out={
            out: _variant(tuple(name for name in names if name != out), found, whole, judges)
            for out, found in rest.items()
        },
        alone={name: _variant((name,), found, whole, judges) for name, found in alone.items()},
        between_single={
            f"{a} and {b}": rank_correlation(alone[a].frontier, alone[b].frontier, judges)
            for a, b in itertools.combinations(names, 2)
        },
    )


def rank_correlation(first: Collection[str], second: Collection[str], judges: Mapping[str, Marks]) -> float | None:
    """Return Spearman's correlation of judges' balanced accuracies on two sets of tasks.

    None with fewer than three judges whose figure is defined on both, or where all have one figure.
    """
    from scipy.stats import spearmanr

    values = [pair for marks in judges.values() if None not in (pair := (_value(marks, first), _value(marks, second)))]
    if len(values) < 3 or any(len(set(column)) == 1 for column in zip(*values, strict=True)):
        return None
    return float(spearmanr(*zip(*values, strict=True)).statistic)


def _value(marks: Marks, ids: Collection[str]) -> float | None:
    wanted = set(ids)
    return count(tuple(mark for mark in marks if mark.task_id in wanted)).balanced_accuracy


def _scaled(rule: Rule, splitters: int) -> Rule:
    """Return the rule for fewer splitters, its limit the same share of the verdicts, rounded down."""
    return Rule(splitters, rule.repeats, rule.at_most * splitters // rule.splitters)


def _variant(splitters: tuple[str, ...], found: Partition, whole: Partition, judges: Mapping[str, Marks]) -> Variant:
    frontier = set(found.frontier)
    same = sum((task_id in frontier) == (right <= whole.rule.at_most) for task_id, right in whole.right.items())
    return Variant(
        splitters=splitters,
        at_most=found.rule.at_most,
        frontier=len(found.frontier),
        simple=len(found.simple),
        same=same,
        ranks=rank_correlation(found.frontier, whole.frontier, judges),
    )


def variants(found: Sensitivity) -> Iterator[tuple[str, Variant]]:
    """Yield each variant with a name for tables."""
    yield from ((f"without {name}", variant) for name, variant in found.left_out.items())
    yield from ((f"{name} alone", variant) for name, variant in found.alone.items())
