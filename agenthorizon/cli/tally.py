"""Counts what became of one judge's tasks, and says it in one line."""

from collections import Counter, deque
from dataclasses import dataclass, field

from agenthorizon.cli import shortened
from agenthorizon.cli.money import dollars
from agenthorizon.outcome import Outcome

RECENT = 50
"""Outcomes over which the rate is taken: an endpoint's pace changes."""


@dataclass
class Tally:
    """One judge's part of a run."""

    settled: int
    """Settled before."""
    pending: int
    started: float
    """Seconds, as `now` below."""
    done: int = 0
    _kinds: Counter[str] = field(default_factory=Counter)
    _classes: Counter[str] = field(default_factory=Counter)
    _said: dict[str, str] = field(default_factory=dict)
    _again: Counter[str] = field(default_factory=Counter)
    _ends: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT))
    _spent: float = 0.0
    _priced: int = 0
    _unpriced: int = 0

    def add(self, outcome: Outcome, *, last: bool, now: float) -> None:
        """Count an attempt; one that is asked again is no end of its task, but may have cost."""
        kind = outcome.error.kind if outcome.error else outcome.status
        cost = outcome.telemetry.cost
        self._spent += cost or 0.0
        self._priced += cost is not None
        self._unpriced += cost is None
        if not last:
            self._again[kind] += 1
            return
        self.done += 1
        self._ends.append(now)
        self._kinds[outcome.status] += 1
        if outcome.status == "failed":
            self._classes[kind] += 1
            self._said[kind] = outcome.error.message if outcome.error else ""

    @property
    def summary(self) -> str:
        """Verdicts by kind, failures by class, what was asked again, money."""
        kinds = [f"{self._kinds[kind]} {kind}" for kind in ("verdict", "malformed", "failed") if self._kinds[kind]]
        parts = [", ".join(kinds) + (f" ({_listed(self._classes)})" if self._classes else "")] if kinds else []
        parts += [f"asked again {_listed(self._again)}"] if self._again else []
        parts += [self._money] if self._spent else []
        return ", ".join(parts)

    @property
    def words(self) -> list[str]:
        """What the last failure of each class said, the most frequent class first."""
        kinds = (kind for kind, _ in self._classes.most_common())
        return [f"{kind}: {shortened(self._said[kind])}" for kind in kinds if self._said[kind]]

    @property
    def _money(self) -> str:
        return dollars(self._spent) + (f" and {self._unpriced} of unknown cost" if self._unpriced else "")

    def pace(self, now: float) -> str:
        """Return the rate of late and the time left at that rate; empty where there is nothing to say."""
        left = self.pending - self.done
        if not self._ends or left <= 0:
            return ""
        began = self.started if self.done <= RECENT else self._ends[0]
        rate = len(self._ends) / max(1e-3, now - began)
        return f", {rate:.1f}/s, {_span(left / rate)} left"


def _listed(classes: Counter[str]) -> str:
    return ", ".join(f"{kind} ×{count}" for kind, count in classes.most_common())


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
