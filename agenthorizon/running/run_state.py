"""What a run folder holds, in figures: decided, failed by class, open, spent."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from agenthorizon.judging.unsettled import unsettled_of
from agenthorizon.outcome import Outcome
from agenthorizon.prices import Prices
from agenthorizon.running.resume_keys import resume_key
from agenthorizon.running.sharing import Saving, saving_of
from agenthorizon.running.spending import Spent, attempts, costs
from agenthorizon.running.store import Run
from agenthorizon.running.taken import answers_kept

_APART = ("spent", "saving", "messages", "broken_off")
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True)
class Said:
    """What some failures of one class say; messages that differ in numbers alone (ids, times) are one."""

    kind: str
    count: int
    message: str
    """One of them, as it came."""


@dataclass(frozen=True)
class BrokenOff:
    """What attempts that are in hand or were broken off have paid for, as far as their judges keep account of it."""

    attempts: int = 0
    requests: int = 0


@dataclass(frozen=True)
class RunState:
    """The state of a run."""

    judge: str
    data: str
    folder: str
    tasks: int
    """Tasks it was ever asked for."""
    repeats: int
    """Most verdicts asked for one of them."""
    wanted: int
    """Verdicts asked for, over all tasks: one that was asked for in fewer repeats adds as many."""
    verdicts: int
    malformed: int
    failed: dict[str, int]
    """Final failures by class."""
    passing: dict[str, int]
    """Failures that going on asks again, by class."""
    messages: tuple[Said, ...]
    """What the failures that count say, the most frequent first."""
    attempts: int
    spent: Spent
    saving: Saving
    """What a server's cache saved."""
    tokens: dict[str, int]
    """Tokens by kind, of the attempts that told."""
    answers_kept: int = 0
    """Answers of a model that were found in the user's cache and cost this run nothing."""
    broken_off: BrokenOff = BrokenOff()
    """What is in no outcome yet; those of these tasks will count it."""
    strangers: tuple[str, ...] = ()
    """Tasks with an outcome that the run was never asked for: they count for nothing but what they cost."""

    @property
    def settled(self) -> int:
        """Those that going on leaves as they are."""
        return self.verdicts + self.malformed + sum(self.failed.values())

    @property
    def open(self) -> int:
        """Those that going on asks."""
        return self.wanted - self.settled

    def to_json(self) -> dict[str, Any]:
        """Return it for machines."""
        figures = {name: value for name, value in vars(self).items() if name not in _APART}
        cost = None if self.attempts and self.spent.unknown == self.attempts else self.spent.dollars
        money: dict[str, Any] = {"cost": cost, "cost_unknown": self.spent.unknown}
        money |= {"saving": asdict(self.saving), "broken_off": asdict(self.broken_off)}
        figures["messages"] = [asdict(said) for said in self.messages]
        return figures | {"settled": self.settled, "open": self.open} | money


def state_of(run: Run) -> RunState:
    """Return the state of a run."""
    asked, prices = run.verdicts_asked, run.config.get("prices")
    counted = {key: outcome for key, outcome in run.latest.items() if key[0] in asked}
    latest = counted.values()
    failures = [outcome for outcome in latest if outcome.status == "failed" and outcome.error]
    by_class = Counter((outcome.error.kind, outcome.is_settled) for outcome in failures if outcome.error)
    made = attempts(run.outcomes)
    tokens: Counter[str] = Counter()
    for outcome in made:
        tokens.update({kind: count for kind, count in (outcome.telemetry.tokens or {}).items() if count})
    return RunState(
        judge=run.judge,
        data=f"{run.config['data']['name']} ({run.config['data'].get('form', 'unknown form')})",
        folder=str(run.folder),
        tasks=len(asked),
        repeats=max(asked.values(), default=1),
        wanted=sum(asked.values()),
        verdicts=sum(outcome.status == "verdict" for outcome in latest),
        malformed=sum(outcome.status == "malformed" for outcome in latest),
        failed={kind: count for (kind, final), count in sorted(by_class.items()) if final},
        passing={kind: count for (kind, final), count in sorted(by_class.items()) if not final},
        messages=_messages(failures),
        attempts=len(made),
        spent=costs(run.outcomes),
        saving=saving_of(made, Prices.model_validate(prices) if prices else None),
        tokens=dict(sorted(tokens.items())),
        answers_kept=answers_kept(run),
        broken_off=_broken_off(run, asked),
        strangers=tuple(sorted({task_id for task_id, _ in run.latest if task_id not in asked})),
    )


def _broken_off(run: Run, asked: Mapping[str, int]) -> BrokenOff:
    if run.config.get("id") is None:
        return BrokenOff()
    all_asked = ((task_id, repeat) for task_id, repeats in asked.items() for repeat in range(repeats))
    still_open = [key for key in all_asked if not (key in run.latest and run.latest[key].is_settled)]
    bills = unsettled_of([resume_key(run.config["id"], *key) for key in still_open])
    return BrokenOff(len(bills), sum(bill.requests for bill in bills))


def _messages(failures: Iterable[Outcome]) -> tuple[Said, ...]:
    alike: dict[tuple[str, str], list[str]] = {}
    for outcome in failures:
        if outcome.error:
            key = outcome.error.kind, _NUMBERS.sub("0", outcome.error.message)
            alike.setdefault(key, []).append(outcome.error.message)
    said = [Said(kind, len(messages), messages[-1]) for (kind, _), messages in alike.items()]
    return tuple(sorted(said, key=lambda each: (-each.count, each.kind, each.message)))
