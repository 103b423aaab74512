"""How fast one endpoint is asked: as fast as it takes, never faster than it says. All judges that ask it share this.

Three things hold a request back: how many are in hand (grows while answers come, shrinks when the endpoint pushes
back), how soon after the last one it comes (a rate that is learned from refusals, and the user's own limits), and a
wait that the endpoint asked for. It keeps no clock: every call says what time it is, in seconds.
"""

import random
from dataclasses import dataclass

from agenthorizon.running.failure_classes import PUSHED_BACK, TRANSPORT
from agenthorizon.running.rates import LearnedRate, Spacing

FIRST_WINDOW = 4
"""Requests in hand at the beginning; each answer allows one more, until the endpoint pushes back."""
SHRINK = 0.7
"""What is left of the window when the endpoint pushes back; once for all requests that were on their way together."""
LONGEST_PAUSE = 60.0
"""Seconds; the longest wait of our own choosing. An endpoint may ask for more."""
OUTAGE = 1800.0
"""Seconds without any answer after which the run ends instead of using up every task's attempts."""
_OUTAGE_FAILURES = 10


@dataclass(frozen=True)
class Pace:
    """What the user says of an endpoint."""

    workers: int
    """Most requests in hand at once."""
    rpm: float | None = None
    """Requests a minute."""
    tpm: float | None = None
    """Tokens a minute."""


@dataclass(frozen=True)
class Started:
    """A request on its way."""

    at: float
    tokens: float
    """What it was thought to take."""


@dataclass(frozen=True)
class RequestEnded:
    """How a request ended."""

    at: float
    kind: str | None = None
    """Class of its failure; None when it was answered."""
    wait: float | None = None
    """Seconds the endpoint asked to wait."""
    tokens: float | None = None
    """What it really took."""


class Pacer:
    """What one endpoint takes at present."""

    def __init__(self, pace: Pace) -> None:
        self._ceiling = pace.workers
        self.window = float(min(FIRST_WINDOW, pace.workers))
        self._grows_fast = True
        self.in_hand = 0
        self.not_before = float("-inf")
        self._shrunk_at = float("-inf")
        self._silent_since: float | None = None
        self._failures = 0
        self._pauses = 0
        self._learned = LearnedRate()
        self._requests = Spacing(pace.rpm / 60 if pace.rpm else None)
        self._tokens = Spacing(pace.tpm / 60 if pace.tpm else None)

    def opens_at(self, now: float) -> float | None:
        """Return when the next request may start, `now` for at once; None when one in hand must end first."""
        if self.in_hand >= max(1, int(self.window)):
            return None
        return max(now, self.not_before, self._learned.opens_at, self._requests.opens_at, self._tokens.opens_at)

    def start(self, now: float, tokens: float = 0.0) -> Started:
        """Take note of a request that is being sent."""
        self.in_hand += 1
        self._learned.take(now)
        self._requests.take(now)
        self._tokens.take(now, tokens)
        return Started(now, tokens)

    def end(self, began: Started, ended: RequestEnded) -> None:
        """Take note of how a request ended, and adapt."""
        self.in_hand -= 1
        if ended.tokens is not None:
            self._tokens.correct(ended.tokens - began.tokens)
        if ended.kind in PUSHED_BACK:
            self._push_back(began, ended)
        elif ended.kind in TRANSPORT:
            self._falter(ended.at)
        else:
            self._grow()
            self._learned.accepted()
            self._silent_since, self._failures, self._pauses = None, 0, 0

    def is_out(self, now: float) -> bool:
        """Whether the endpoint has answered nothing for so long that going on only uses up attempts."""
        return (
            self._silent_since is not None and self._failures >= _OUTAGE_FAILURES and now - self._silent_since >= OUTAGE
        )

    def _grow(self) -> None:
        step = 1.0 if self._grows_fast else 1.0 / self.window
        self.window = min(self._ceiling, self.window + step)

    def _push_back(self, began: Started, ended: RequestEnded) -> None:
        self._count_failure(ended.at)
        is_new = began.at > self._shrunk_at
        if ended.wait is not None:
            # The random part keeps several processes that share a limit from coming back as one.
            self._wait_until(ended.at + ended.wait + random.uniform(0, min(1.0, 0.02 * ended.wait)))
        elif is_new:
            self._wait_until(ended.at + self._own_pause())
        if is_new:
            self._grows_fast = False
            self.window = max(1.0, self.window * SHRINK)
            self._shrunk_at = ended.at
            self._learned.refused(ended.at, self.not_before)

    def _falter(self, now: float) -> None:
        self._count_failure(now)
        if self._failures > max(3, self.window):
            # Not one task's trouble any more: ask one at a time, ever more slowly, until an answer comes.
            self.window = 1.0
            self._wait_until(now + self._own_pause())

    def _count_failure(self, now: float) -> None:
        self._failures += 1
        if self._silent_since is None:
            self._silent_since = now

    def _own_pause(self) -> float:
        self._pauses += 1
        return pause(self._pauses)

    def _wait_until(self, moment: float) -> None:
        self.not_before = max(self.not_before, moment)


def pause(failures: int) -> float:
    """Return the seconds to wait after a number of failures in a row: doubling, with a random part.

    The random part keeps tasks that failed together from coming back together.
    """
    return min(LONGEST_PAUSE, 2.0 ** min(failures - 1, 10)) * random.uniform(0.5, 1.0)
