"""Looks for an instruction's terms in what its recording shows: typed texts, pressed keys and a few screens."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from agenthorizon.judge import Case, Picture, ShownStep
from agenthorizon.task import Action

from ._ocr_reading import read
from ._ocr_terms import Term, Text, terms_of

_INTERRUPTS_NOTHING = frozenset({"move", "wait", "key_down", "key_up"})
"""Actions that may stand between two halves of one typed text."""


class Source(NamedTuple):
    """One place where text was seen."""

    kind: Literal["typed", "screen", "pressed"]
    step: int
    text: Text


class Found(NamedTuple):
    """A term of the instruction and the sources that hold it; none when it was not found."""

    term: Term
    sources: tuple[Source, ...]


class Look(NamedTuple):
    """What was looked for and found in one case."""

    findings: tuple[Found, ...]
    screens: tuple[int, ...]
    """Numbers of the steps whose screens were read, in order."""


async def look(case: Case, frames: int) -> Look:
    """Read at most `frames` screens, off the event loop, and look for every term of the instruction."""
    steps = chosen(case.steps, frames)
    read_lines = await asyncio.gather(*(read(picture) for _, picture in steps))
    screens = [Source("screen", number, Text(lines)) for (number, _), lines in zip(steps, read_lines, strict=True)]
    sources = [*_typed_sources(case.steps), *reversed(screens), *_pressed_sources(case.steps)]
    findings = (
        Found(term, tuple(source for source in sources if source.text.holds(term)))
        for term in terms_of(case.instruction)
    )
    return Look(tuple(findings), tuple(screen.step for screen in screens))


class Screen(NamedTuple):
    """A screenshot that was chosen to be read."""

    step: int
    picture: Picture


def chosen(steps: Sequence[ShownStep], frames: int) -> list[Screen]:
    """Return the last screenshot, and others at even distances before it.

    It depends on the recording alone, so that all tasks that share a recording share the reading.
    """
    pictured = [Screen(step.number, step.picture) for step in steps if step.picture is not None]
    count = min(frames, len(pictured))
    return [pictured[len(pictured) * (place + 1) // count - 1] for place in range(count)]


def _typed_sources(steps: Sequence[ShownStep]) -> Iterator[Source]:
    """Yield each typed text with the step it began at."""
    began, text = 0, ""
    for step in steps:
        if step.action is None or step.action.type in _INTERRUPTS_NOTHING:
            continue
        more = _characters(step.action)
        if text and not more:
            yield Source("typed", began, Text(text.splitlines()))
        began, text = (began if text and more else step.number), (text + more if more else "")
    if text:
        yield Source("typed", began, Text(text.splitlines()))


def _characters(action: Action) -> str:
    """Return what an action adds to a typed text; some recorders write a word as single keys."""
    if action.type == "type":
        text = action.parameters.get("text")
        return text if isinstance(text, str) else ""
    keys = _keys(action) if action.type == "press" else []
    return "".join(keys) if all(len(key) == 1 for key in keys) else ""


def _pressed_sources(steps: Sequence[ShownStep]) -> Iterator[Source]:
    for step in steps:
        if step.action is not None and (keys := _keys(step.action)):
            yield Source("pressed", step.number, Text(["+".join(keys)]))


def _keys(action: Action) -> list[str]:
    keys = action.parameters.get("keys") if action.type in ("press", "hotkey") else None
    return [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []
