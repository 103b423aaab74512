"""Cuts a case into windows and tells it as one growing conversation, inside what the server takes."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.conversation import CLOSING, stated, told
from agenthorizon.evidence.grids import Manner, grids
from agenthorizon.evidence.packing import (
    PUBLISHED_CELL,
    Plan,
    RequestLoad,
    account,
    broken_limits,
    load_of,
    plan,
    replace_fit,
)
from agenthorizon.evidence.sizes import characters_of
from agenthorizon.judge import Case, Packing, Sheet, ShownStep, View

from ._route import Said

SHOWN_BEFORE = "its screenshot was shown before and is left out here"

_NOTES = 1200
"""Characters that a window's notes are thought to take, before they are written."""


@dataclass(frozen=True)
class Windows:
    """A case in windows. Windows are counted from 0; `notes` are those on the windows before."""

    case: Case
    view: View
    packing: Packing
    made: Plan
    """How a window's screenshots are shown: all windows' alike."""
    largest: tuple[int, int] | None
    parts: tuple[tuple[ShownStep, ...], ...]
    """The steps of each window; one window without any where there is no step."""

    @cached_property
    def sheets(self) -> tuple[tuple[Sheet, ...], ...]:
        """The pictures of each window."""
        manner = Manner(self.made.across, replace_fit(self.view, self.made.fit), self.packing.number_tiles)
        shots = ([(step.number, step.picture) for step in part if step.picture] for part in self.parts)
        return tuple(tuple(grids(part, manner)) for part in shots)

    @property
    def last(self) -> int:
        """The window at whose end the verdict is asked for."""
        return len(self.parts) - 1

    def first_shown(self, index: int, notes: Sequence[str]) -> int:
        """Return the first window whose screenshots the request about another one still holds.

        Raises JudgeFailure (too_large, final) where not even the window's own fit beside the texts.
        """
        first = 0
        for at in range(index + 1):
            if self._broken(first, at, notes):
                first = at
        if broken := self._broken(first, index, notes):
            message = (
                f"window {index + 1} of {self.last + 1} does not fit into a request with the actions and notes before "
                f"it: {'; '.join(broken)}. Set a smaller window, or correct the judge's limits"
            )
            raise JudgeFailure("too_large", message, passing=False)
        return first

    def shown(self, first: int, index: int) -> Case:
        """Return the case up to a window, with the screenshots that its request holds."""
        parts = [self._part(at, is_shown=at >= first) for at in range(index + 1)]
        return replace(self.case, steps=tuple(step for part in parts for step in part), sheets=(), packing=self.packing)

    def conversation(self, first: int, index: int, notes: Sequence[str]) -> Iterator[str | Sheet | Said]:
        """Return the texts, pictures and notes of the request about a window."""
        yield stated(self.case)
        for at in range(index + 1):
            sheets = self.sheets[at] if at >= first else ()
            yield from told(replace(self.case, steps=self._part(at, is_shown=at >= first), sheets=sheets))
            yield self._ending(at)
            if at < index:
                yield Said(notes[at])

    def most_screenshots(self) -> int:
        """Return how many screenshots no request of this case has more of, whatever is dropped when."""
        return next(
            (n for n in range(self.case.pictures, 0, -1) if not self._limits_broken(n, len(self.case.guide))), 0
        )

    def account(self) -> Mapping[str, Any]:
        """Return what an outcome says of how the screenshots are shown."""
        pictures = sum(map(len, self.sheets))
        about = account(replace(self.made, pictures=pictures), self.packing)
        return {name: value for name, value in about.items() if name != "estimate"}

    def _ending(self, at: int) -> str:
        if at == self.last:
            return CLOSING
        first, last = self.parts[at][0].number, self.parts[at][-1].number
        steps = f"steps {first} to {last}" if last > first else f"step {first}"
        return f"Here part {at + 1} of {self.last + 1} ends ({steps}). Write your notes on it.\n"

    def _part(self, at: int, *, is_shown: bool) -> tuple[ShownStep, ...]:
        if is_shown:
            return self.parts[at]
        return tuple(
            replace(step, picture=None, note=SHOWN_BEFORE) if step.picture else step for step in self.parts[at]
        )

    def _broken(self, first: int, index: int, notes: Sequence[str]) -> list[str]:
        pictures = sum(map(len, self.sheets[first : index + 1]))
        characters = characters_of(self.shown(first, index)) + sum(map(len, notes[:index]))
        return self._limits_broken(pictures * self.made.across**2, characters)

    def _limits_broken(self, screenshots: int, characters: int) -> list[str]:
        load = RequestLoad(screenshots, characters, self.largest)
        return broken_limits(load, self.made, self.view, self.packing.limits)


def cut(case: Case, view: View, packing: Packing, most: int) -> Windows:
    """Return a case in windows of so many steps at most.

    Of fewer, where only then the screenshots fit as they are asked for; where they never do, they are made smaller.
    Raises JudgeFailure (too_large, final) where no window fits.
    """
    whole = load_of(case, view, packing.limits)
    sizes = range(max(1, min(most, len(case.steps))), 0, -1)
    plans = {size: made for size in sizes if (made := _planned(case, whole, view, packing, size))}
    as_asked = [size for size, made in plans.items() if _is_as_asked(made, view, packing)]
    size = next(iter([*as_asked, *plans]), 1)
    made = plans[size] if plans else plan(_load(case, whole, size), view, packing)
    parts = tuple(case.steps[start : start + size] for start in range(0, len(case.steps), size))
    return Windows(case, view, packing, made, whole.largest, parts or ((),))


def _load(case: Case, whole: RequestLoad, size: int) -> RequestLoad:
    """Return what the fullest request holds that shows one window's screenshots and all that was noted before."""
    notes = max(0, math.ceil(len(case.steps) / size) - 1) * _NOTES
    return RequestLoad(min(size, whole.screenshots), whole.characters + notes, whole.largest)


def _planned(case: Case, whole: RequestLoad, view: View, packing: Packing, size: int) -> Plan | None:
    try:
        return plan(_load(case, whole, size), view, packing)
    except JudgeFailure:
        return None


def _is_as_asked(made: Plan, view: View, packing: Packing) -> bool:
    """Whether screenshots are neither made smaller nor merged without having been asked for."""
    asked = (view.fit or PUBLISHED_CELL) if made.across > 1 else view.fit
    return made.fit == asked and (made.across == 1 or packing.merge == "always")
