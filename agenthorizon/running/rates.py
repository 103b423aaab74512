"""Rates of requests: spacing by a known rate, and a rate that is learned from an endpoint's refusals.

An endpoint that counts requests (a token bucket) refuses after a number of them that fits its rate, however few are in
hand at once; one that refuses at random, or because it is busy, does not. Only the former is slowed down by a rate.
"""

import math
import statistics
from collections import deque
from typing import NamedTuple

_LATE = 1.0
"""Intervals by which a start that came late may be made up for."""
_BELOW = 0.98
"""Share of a learned rate at which going on begins."""
_FIRST_PROBE, _LAST_PROBE = 4.0, 30.0
"""Seconds after which the learned rate is reached and passed, ever faster; longer the more often it was learned."""
_ENOUGH = 10
"""Accepted requests between two refusals that say what the rate is."""
_CYCLES = 4


class Spacing:
    """Keeps starts apart so that a rate holds in every stretch of time; none when the rate is None."""

    def __init__(self, per_second: float | None) -> None:
        self.per_second = per_second
        self.opens_at = float("-inf")

    def take(self, now: float, amount: float = 1.0) -> None:
        """Count a start."""
        if self.per_second:
            length = amount / self.per_second
            is_first = self.opens_at == float("-inf")  # and so not late
            self.opens_at = (now if is_first else max(self.opens_at, now - _LATE * length)) + length

    def correct(self, amount: float) -> None:
        """Count what a start took beyond what was thought; negative when less."""
        if self.per_second:
            self.opens_at += amount / self.per_second


class _Cycle(NamedTuple):
    """What came between two refusals."""

    accepted: int
    seconds: float
    waited: float
    """Seconds of it in which nothing was to be sent."""


class LearnedRate:
    """The rate an endpoint takes, as far as its refusals tell; no rate until they do.

    Between two refusals a bucket gives out what it took in, so that accepted / seconds is its rate, or less where it
    ran over while nothing was sent; the rate that was refused is more. The next try lies between the two.
    """

    def __init__(self) -> None:
        self._rate: float | None = None
        self._learned_at = 0.0
        self._probe = _FIRST_PROBE / 1.5
        self._spacing = Spacing(None)
        self._accepted = 0
        self._refused_at: float | None = None
        self._resumed_at = 0.0
        self._cycles: deque[_Cycle] = deque(maxlen=_CYCLES)

    @property
    def opens_at(self) -> float:
        """When the next start keeps to the rate."""
        return self._spacing.opens_at

    def rate(self, now: float) -> float | None:
        """Return the rate at present, requests a second: the learned one, passed cautiously and then ever faster."""
        if self._rate is None:
            return None
        return self._rate * (_BELOW + 2 * (1 - _BELOW) * ((now - self._learned_at) / self._probe) ** 3)

    def take(self, now: float) -> None:
        """Count a start."""
        self._spacing.per_second = self.rate(now)
        self._spacing.take(now)

    def accepted(self) -> None:
        """Count an answer."""
        self._accepted += 1

    def refused(self, now: float, resumes_at: float) -> None:
        """Learn from a refusal, told once for all requests that were refused together."""
        before, self._refused_at = self._refused_at, now
        resumed, self._resumed_at = self._resumed_at, resumes_at
        accepted, self._accepted = self._accepted, 0
        if before is None or now <= before:
            return  # what was accepted before the first refusal holds the bucket's reserve
        self._cycles.append(_Cycle(accepted, now - before, min(now, max(resumed, before)) - before))
        if accepted >= _ENOUGH or self._is_regular():
            self._learn(now)

    def _learn(self, now: float) -> None:
        cycles = list(self._cycles) if self._is_regular() else [self._cycles[-1]]
        accepted = sum(cycle.accepted for cycle in cycles)
        seconds = sum(cycle.seconds for cycle in cycles)
        active = seconds - sum(cycle.waited for cycle in cycles)
        least = accepted / seconds
        refused = self.rate(now) or accepted / max(active, 0.01 * seconds)
        self._rate, self._learned_at = math.sqrt(least * max(least, refused)), now
        self._probe = min(_LAST_PROBE, 1.5 * self._probe)
        self._cycles.clear()

    def _is_regular(self) -> bool:
        """Whether about as many were accepted between each two refusals, as by a bucket and not by chance."""
        counts = [cycle.accepted for cycle in self._cycles]
        enough = len(counts) == _CYCLES and min(counts) > 0
        return enough and statistics.pstdev(counts) < 0.4 * statistics.fmean(counts) + 0.1
