"""Puts pictures and actions, in the order they happened, into steps whose picture stands BEFORE the action.

    line = Timeline()
    line.see(frame)            # the screen at this moment
    line.do(actions)           # done then: the first takes the picture, the others have none of their own
    line.steps()               # a picture that no action follows stands on a `wait` of 0 seconds

One rule serves sources that picture before an action, after it, or both: a picture seen twice in a row is kept once
when it is the same bytes, and both are kept when it is not.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from agenthorizon.importer import Frame, ImportedStep
from agenthorizon.importing.pictures import same_picture
from agenthorizon.importing.pointer import Pointer
from agenthorizon.task import Action

TERMINATE = "terminate"
"""Type of an action that only claims how the task ended; the claim never enters a trajectory."""

STILL = Action(type="wait", parameters={"duration_s": 0.0})
"""The action of a step that only carries a picture."""


class Done(NamedTuple):
    """One action, translated."""

    action: Action
    original: str
    """In the source's own text."""


class Timeline:
    """The steps of one recording as they grow."""

    def __init__(self) -> None:
        self._steps: list[ImportedStep] = []
        self._seen: Frame | None = None
        self._seen_at: int | None = None
        self._pointer = Pointer()
        self.claims: list[Any] = []
        """What the recorder or agent said about how the task ended, in order; left out of the steps."""
        self.repeated = 0
        """Pictures left out because the next one is the same bytes."""
        self.actions = 0
        """Actions taken over; claims and pictures alone are none."""

    def see(self, frame: Frame | None, at: int | None = None) -> None:
        """Take a picture of the screen as it is now; `at` in microseconds from the start of the recording."""
        if frame is None:
            return
        if self._seen is not None and same_picture(self._seen, frame):
            self.repeated += 1
        else:
            self._stand_still()
        self._seen, self._seen_at = frame, at

    def do(self, actions: Iterable[Done], at: int | None = None) -> None:
        """Do these in order; the first has the picture seen last."""
        for done in actions:
            if done.action.type == TERMINATE:
                self.claims.append(done.action.parameters or done.original)
                continue
            when = self._seen_at if at is None else at
            self._steps.append(ImportedStep(self._seen, self._pointer.follow(done.action), done.original, when))
            self._seen = self._seen_at = at = None
            self.actions += 1

    def steps(self) -> tuple[ImportedStep, ...]:
        """End the recording and return its steps."""
        self._stand_still()
        return tuple(self._steps)

    def _stand_still(self) -> None:
        if self._seen is not None:
            self._steps.append(ImportedStep(self._seen, STILL, None, self._seen_at))
            self._seen = self._seen_at = None
