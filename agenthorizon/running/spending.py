"""Money: what attempts cost, what is in flight, and a cap over both that is never passed knowingly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agenthorizon.errors import RunStopped, UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.prices import Prices
from agenthorizon.running.estimate import Estimate
from agenthorizon.running.failure_classes import NOT_BILLED
from agenthorizon.running.lanes import Work

_MARGIN = 1.25
"""What is set aside for an attempt, over what is expected of it: answers differ in length."""


def costs(outcomes: Iterable[Outcome]) -> "Spent":
    """Return what attempts have cost."""
    made = attempts(outcomes)
    known = [each.telemetry.cost for each in made if each.telemetry.cost is not None]
    return Spent(sum(known), len(made) - len(known))


def costs_by_verdict(outcomes: Iterable[Outcome]) -> dict[tuple[str, int], float]:
    """Return what each task and repeat has cost, over all its attempts; those of which nothing is known are left out.

    Their sum is that of `costs`.
    """
    found: dict[tuple[str, int], float] = {}
    for each in attempts(outcomes):
        if each.telemetry.cost is not None:
            key = (each.task_id, each.repeat)
            found[key] = found.get(key, 0.0) + each.telemetry.cost
    return found


def attempts(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return every attempt once: one that was read anew has several lines, the last of which counts."""
    return list({(each.task_id, each.repeat, each.attempt): each for each in outcomes}.values())


@dataclass(frozen=True)
class Spent:
    """A sum of costs and what is not in it."""

    dollars: float
    unknown: int
    """Attempts whose cost nobody knows."""


@dataclass
class _Judge:
    """What is expected of one judge's attempts."""

    prices: Prices | None
    estimate: Estimate
    margin: float = _MARGIN
    """_MARGIN times the largest ratio of real to expected cost so far."""
    token_ratio: float = 1.0
    is_known: bool = False


@dataclass
class Purse:
    """Says whether there is money for one more attempt. A `dispatch.Gate`.

    Until the first real cost of a judge is known, one attempt of it is made at a time; from then on what is set aside
    for an attempt is its estimate times the largest ratio of real to estimated cost seen, and a quarter more.
    """

    cap: float | None = None
    counts_tokens: bool = False
    """Whether a limit of tokens a minute asks for estimates."""
    spent: float = 0.0
    _judges: dict[str, _Judge] = field(default_factory=dict)
    _held: dict[Work, float] = field(default_factory=dict)

    def add(self, judge: str, prices: Prices | None, estimate: Estimate) -> None:
        """Take in a judge. Raises UsageError when there is a cap and its price is unknown."""
        if self.cap is not None and prices is None and estimate.may_cost:
            raise UsageError(
                f"--max-cost cannot be kept: the price of {estimate.name} is unknown. Give its prices in a judge file "
                "([prices] input = …, output = … in dollars per million tokens), or install the extra `providers`, "
                "which brings a table"
            )
        self._judges[judge] = _Judge(prices, estimate)

    def recall(self, judge: str, outcomes: Iterable[Outcome]) -> None:
        """Count a judge's earlier attempts as `settle` does: what may have been billed without a word as estimated."""
        for each in attempts(outcomes):
            cost = each.telemetry.cost
            if cost is None and not _is_free(each):
                cost = self._set_aside(Work(judge, each.task_id, each.repeat))
            self.spent += cost or 0.0

    def tokens(self, work: Work) -> float:
        """Return how many tokens an attempt is thought to take."""
        if not self.counts_tokens:
            return 0.0
        judge = self._judges[work.judge]
        usage = judge.estimate.usage(work.task_id)
        return judge.token_ratio * ((usage.input or 0) + (usage.output or 0))

    def admits(self, work: Work) -> bool:
        """Whether an attempt may start now, counting what is in flight; what it may cost is set aside then."""
        judge = self._judges[work.judge]
        if self.cap is None or judge.prices is None:
            return True
        amount = self._set_aside(work)
        if not judge.is_known and any(other.judge == work.judge for other in self._held):
            return False
        if self.spent + sum(self._held.values()) + amount > self.cap:
            return False
        self._held[work] = amount
        return True

    def refuse(self, work: Work) -> RunStopped:
        """Return the reason for stopping, when nothing is in flight and an attempt is still not admitted."""
        message = (
            f"the cap of ${self.cap:g} is reached: ${self.spent:.4f} spent, and the next attempt may cost "
            f"${self._set_aside(work):.4f}; the same command with a higher --max-cost goes on"
        )
        return RunStopped("cap", message)

    def settle(self, work: Work, outcome: Outcome | None) -> None:
        """Count what an attempt really cost; what may have been billed without a word counts as it was estimated."""
        held = self._held.pop(work, 0.0)
        cost = outcome.telemetry.cost if outcome else None
        if outcome is not None and cost is None and _is_free(outcome):
            return
        self.spent += held if cost is None else cost
        judge = self._judges[work.judge]
        if outcome is not None and cost is not None and self.cap is not None and judge.prices is not None:
            self._learn(judge, work, cost)
        if outcome is not None and self.counts_tokens:
            judge.token_ratio = _ratio(judge, work, outcome.telemetry.tokens) or judge.token_ratio

    def _learn(self, judge: _Judge, work: Work, cost: float) -> None:
        ratio = _MARGIN * cost / max(1e-12, self._expected(judge, work))
        least = 1.0 if judge.estimate.is_a_maximum else 0.0
        judge.margin = max(least, ratio, judge.margin if judge.is_known else 0.0)
        judge.is_known = True

    def _set_aside(self, work: Work) -> float:
        """Return what an attempt may cost; nothing where there is no cap, or no price and so no cap on it."""
        judge = self._judges[work.judge]
        return judge.margin * self._expected(judge, work) if self.cap is not None and judge.prices else 0.0

    def _expected(self, judge: _Judge, work: Work) -> float:
        assert judge.prices is not None
        return judge.prices.cost(judge.estimate.usage(work.task_id)) or 0.0


def _is_free(outcome: Outcome) -> bool:
    """Whether nothing was billed: the failure came instead of an answer, and no answer before it in the attempt."""
    return outcome.error is not None and outcome.error.kind in NOT_BILLED and not outcome.telemetry.requests


def _ratio(judge: _Judge, work: Work, tokens: Mapping[str, int | None] | None) -> float | None:
    usage = judge.estimate.usage(work.task_id)
    real = (tokens or {}).get("input")
    return real / usage.input if real and usage.input else None
