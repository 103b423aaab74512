"""How far a judge's confidence can be trusted: what it says of it, and what its repeated verdicts show.

Low, medium and high are words and no probabilities: they have a table of how often each was right, and an order. The
share of yes among a task's repeated verdicts is a probability: it has Brier's score, the calibration error and AUROC.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agenthorizon.scoring.bootstrap import percentile_intervals, weights
from agenthorizon.scoring.composites import Figures
from agenthorizon.scoring.estimates import Estimate, Rate, estimate_of, rate_of
from agenthorizon.scoring.intervals import tally
from agenthorizon.scoring.marks import Mark, Marks

LEVELS = ("high", "medium", "low", None)
"""From the surest down; None: a verdict that does not say."""


@dataclass(frozen=True)
class Level:
    """The verdicts of one confidence, or of that and every surer one."""

    confidence: str | None
    share: Rate
    """Of all tasks, those with such a verdict."""
    accuracy: Rate
    """Of these, the right ones."""


@dataclass(frozen=True)
class Bin:
    """Tasks with one share of yes among their repeated verdicts."""

    yes: float
    positives: Rate
    """Of these tasks, those that succeeded: a calibrated judge has `yes` here."""


@dataclass(frozen=True)
class Reliability:
    """What the share of yes among repeated verdicts is worth as a probability of success."""

    repeats: int
    bins: tuple[Bin, ...]
    without_verdict: int
    """Tasks left out, as no repeat gave a verdict."""
    brier: Estimate
    """Mean square of share of yes less outcome (Brier 1950): 0 is perfect, 0.25 what a share of one half gets."""
    calibration_error: Estimate
    """Expected calibration error: mean over tasks of how far a bin's share of yes is from its share of successes."""
    auroc: Estimate
    """Chance that a success has a higher share of yes than a failure, ties counting half."""


@dataclass(frozen=True)
class Calibration:
    """One judge's confidence on one split."""

    levels: tuple[Level, ...]
    """Each confidence that occurs."""
    at_least: tuple[Level, ...]
    """Accuracy at coverage: verdicts of a confidence and every surer one."""
    repeats: Reliability | None
    """None with one repeat."""

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self)


def calibration(repeats: Sequence[Marks]) -> Calibration:
    """Score a judge's confidence in its first repeat, and what all repeats show where there are several."""
    marks = repeats[0]
    said = [level for level in LEVELS if any(_has(mark, (level,)) for mark in marks)]
    return Calibration(
        levels=tuple(_level(marks, level, (level,)) for level in said),
        at_least=tuple(_level(marks, level, tuple(said[: place + 1])) for place, level in enumerate(said)),
        repeats=reliability(repeats) if len(repeats) > 1 else None,
    )


def _has(mark: Mark, levels: tuple[str | None, ...]) -> bool:
    return mark.answer.kind == "verdict" and mark.answer.confidence in levels


def _level(marks: Marks, name: str | None, levels: tuple[str | None, ...]) -> Level:
    return Level(
        confidence=name,
        share=rate_of(tally((mark.group, _has(mark, levels)) for mark in marks)),
        accuracy=rate_of(tally((mark.group, mark.is_right) for mark in marks if _has(mark, levels))),
    )


def reliability(repeats: Sequence[Marks]) -> Reliability:
    """Score the share of yes among each task's verdicts; a repeat without one is left out of its task's share."""
    shares = [_yes(marks) for marks in zip(*repeats, strict=True)]
    tasks = [(mark, share) for mark, share in zip(repeats[0], shares, strict=True) if share is not None]
    values = sorted({share for _, share in tasks})
    figures = _scored(tasks, values)
    return Reliability(
        repeats=len(repeats),
        bins=tuple(
            Bin(value, rate_of(tally((mark.group, mark.is_positive) for mark, share in tasks if share == value)))
            for value in values
        ),
        without_verdict=len(shares) - len(tasks),
        brier=figures[0],
        calibration_error=figures[1],
        auroc=figures[2],
    )


def _yes(marks: Sequence[Mark]) -> float | None:
    said = [mark.answer.success for mark in marks if mark.answer.success is not None]
    return said.count(True) / len(said) if said else None


def _scored(tasks: Sequence[tuple[Mark, float]], values: Sequence[float]) -> list[Estimate]:
    """Return the three figures with a bootstrap over pair groups, all from one table: groups × values × classes."""
    formulas: tuple[Callable[[Figures, Figures], Figures], ...] = (_brier, _calibration_error, _auroc)
    if not tasks:
        return [Estimate(None, None, None)] * len(formulas)
    groups = {name: n for n, name in enumerate(dict.fromkeys(mark.group for mark, _ in tasks))}
    place = {value: n for n, value in enumerate(values)}
    table = np.zeros((len(groups), len(values), 2))
    for mark, share in tasks:
        table[groups[mark.group], place[share], int(mark.is_positive)] += 1
    of_all = table.sum(axis=0)
    drawn = (weights(len(groups)).astype(np.float64) @ table.reshape(len(groups), -1)).reshape(-1, *of_all.shape)
    shares = np.array(values)
    limits = percentile_intervals(np.column_stack([formula(drawn, shares) for formula in formulas]))
    return [estimate_of(float(f(of_all, shares)), limit) for f, limit in zip(formulas, limits, strict=True)]


# Each takes counts (…, values, (failures, successes)) and the values, and gives a figure for each table.


def _brier(counts: Figures, shares: Figures) -> Figures:
    squares = np.stack([shares**2, (1 - shares) ** 2], axis=-1)
    found: Figures = (counts * squares).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))
    return found


def _calibration_error(counts: Figures, shares: Figures) -> Figures:
    tasks = counts.sum(axis=-1)
    found: Figures = np.abs(shares * tasks - counts[..., 1]).sum(axis=-1) / tasks.sum(axis=-1)
    return found


def _auroc(counts: Figures, shares: Figures) -> Figures:
    failures, successes = counts[..., 0], counts[..., 1]
    below = np.cumsum(failures, axis=-1) - failures / 2
    pairs = failures.sum(axis=-1) * successes.sum(axis=-1)
    won = (successes * below).sum(axis=-1)
    found: Figures = np.divide(won, pairs, out=np.full(np.shape(pairs), np.nan), where=pairs != 0)
    return found
