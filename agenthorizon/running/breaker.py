"""Stops a judge whose first tasks all end the same bad way: a wrong setting, found before it has cost a whole run.

Refusals by the model and pictures that do not decode are not counted: they say something about the tasks.
"""

from agenthorizon.errors import RunStopped
from agenthorizon.outcome import Outcome
from agenthorizon.running.failure_classes import STOPS_A_JUDGE

SAME_ENDS = 5
"""So many different tasks, the first of a command, with nothing but one class among them."""


class Breaker:
    """Watches the first outcomes of one judge within a command."""

    def __init__(self) -> None:
        self._tasks: set[str] = set()
        self._kind: str | None = None
        self._is_closed = False

    def note(self, outcome: Outcome) -> None:
        """Take an outcome that is not asked again. Raises RunStopped when it completes the pattern."""
        if self._is_closed:
            return
        kind = outcome.error.kind if outcome.status == "failed" and outcome.error else None
        if kind not in STOPS_A_JUDGE or (self._kind is not None and kind != self._kind):
            self._is_closed = True
            return
        self._kind = kind
        self._tasks.add(outcome.task_id)
        if len(self._tasks) >= SAME_ENDS:
            said = outcome.error.message if outcome.error else ""
            message = (
                f"the first {SAME_ENDS} tasks all ended as {kind}, so {_blamed(str(kind))}; mend it, or give "
                f"the same command again to ask the next ones ({said})"
            )
            raise RunStopped(str(kind), message)


def _blamed(kind: str) -> str:
    if kind == "crashed":
        return "the judge's own code, or the program it runs, likely fails on every task"
    return "a setting of the judge is likely wrong"
