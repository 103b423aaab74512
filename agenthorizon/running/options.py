"""How a run is carried out, as its user says; what cannot be meant is refused here, whoever says it."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from agenthorizon.errors import UsageError
from agenthorizon.evidence.ablation import COMPLETE, Ablation
from agenthorizon.outcome import MOST_REPEATS

EngineName = Literal["local", "ray"]

_COUNTS = {"workers": (1, None), "repeats": (1, MOST_REPEATS), "attempts": (1, None), "reask": (0, None)}
_AMOUNTS = ("timeout", "rpm", "tpm", "max_cost")


@dataclass(frozen=True)
class Options:
    """How a run is carried out. Of these, only `reask` and `ablation` change what is measured.

    Raises UsageError for a number out of range, one that is none (NaN) or has no end, and an unknown engine.
    """

    out: Path = Path("runs")
    workers: int = 4
    """Tasks in hand at once, over all judges; an endpoint may take fewer."""
    repeats: int = 1
    """Verdicts asked for each task."""
    attempts: int = 4
    """Times a task is asked within one command while its failures are passing."""
    timeout: float = 600.0
    """Seconds to wait for one answer; what this machine takes to prepare the request is not counted."""
    reask: int = 0
    """Times a task is asked again after an invalid reply."""
    shard: tuple[int, int] | None = None
    """(i, n): the i-th of n parts of the data set, from 1; pair groups and recordings are never torn."""
    engine: EngineName = "local"
    """Where attempts are made: in this process, or on a Ray cluster."""
    retry: frozenset[str] = frozenset()
    """Classes of settled failures to ask again."""
    allow_missing: bool = False
    """Judge tasks whose screenshots are missing, and tell the judge so in their place."""
    ablation: Ablation = COMPLETE
    """What the judges are not shown; it changes what is measured too."""
    rpm: float | None = None
    """Most requests a minute to one endpoint."""
    tpm: float | None = None
    """Most tokens a minute to one endpoint."""
    max_cost: float | None = None
    """Most US dollars that the runs may have cost when they end, earlier attempts and what is in flight included; an
    attempt of unknown cost that may have been billed counts as estimated."""

    def __post_init__(self) -> None:
        for name, (least, most) in _COUNTS.items():
            _refuse_count(name, getattr(self, name), least, most)
        for name in _AMOUNTS:
            value = getattr(self, name)
            if value is not None and not _is_amount(value):
                raise UsageError(f"{name} must be a positive number, not {_shortly(value)}")
        if self.engine not in get_args(EngineName):
            raise UsageError(f"engine must be {' or '.join(get_args(EngineName))}, not {self.engine!r}")


def _refuse_count(name: str, value: Any, least: int, most: int | None) -> None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= least
    if not is_count or (most is not None and value > most):
        upper = "" if most is None else f" and at most {most}"
        raise UsageError(f"{name} must be at least {least}{upper}, not {_shortly(value)}")


def _is_amount(value: object) -> bool:
    """Whether a value is a positive number; every comparison with NaN is false, and so NaN is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def _shortly(value: object) -> str:
    try:
        return f"{value!r:.60}"
    except ValueError:  # Python writes out no whole number of thousands of digits
        return "so long a number"
