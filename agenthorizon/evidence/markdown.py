"""A case as Markdown, for a person or an agent: one goal, one header a step, whatever the recorded texts contain.

Recorded text stands only where it cannot leave: the instruction in a fence inside a quotation (no line of it begins a
line of the page), an action in a code span. Both are closed by more backticks than the text has in a row.
"""

import re
from collections.abc import Callable

from agenthorizon.case import Case, ShownStep

PictureName = Callable[[ShownStep], str | None]
"""Gives the link target of a step's screenshot, or None for none."""

WITHHELD = "(withheld on purpose)"
NOT_SHOWN = "(not shown)"

_SHORTEST_FENCE = 3


def render(case: Case, picture_name: PictureName | None = None) -> str:
    """Return the whole case as one page. Screenshots are called by their step's number."""
    stated = WITHHELD if "instruction" in case.withheld else fenced(case.instruction)
    goal = "\n".join(f"> {line}" for line in stated.split("\n"))
    steps = (_step(step, picture_name) for step in case.steps)
    return "\n\n".join(["# Goal", goal, *steps]) + "\n"


def fenced(text: str) -> str:
    """Return a text as a fenced block that nothing in it can close."""
    fence = "`" * max(_SHORTEST_FENCE, _longest_run(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def code_span(line: str) -> str:
    """Return one line as a code span that nothing in it can close."""
    ticks = "`" * (_longest_run(line) + 1)
    # A blank at each end belongs to the span, not to its content; it keeps a backtick at the edge apart.
    pad = " " if line.startswith(("`", " ")) or line.endswith(("`", " ")) else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def _step(step: ShownStep, picture_name: PictureName | None) -> str:
    name = f"screenshot {step.number}"
    target = picture_name(step) if picture_name and step.picture else None
    if step.picture is None:
        shown = f"({step.note})" if step.note else NOT_SHOWN
    else:
        shown = f"![{name}]({target})" if target else name
    return f"## Step {step.number}\n\nBefore the action: {shown}\n\nAction: {code_span(step.wording)}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
