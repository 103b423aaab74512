"""Builds the Case of a task: what a judge may see, and nothing that could give the answer away.

The id is a hash, steps are numbered by position, pictures have no names. The recorder's thoughts and descriptions, its
file names and times stay behind, and so do fields of actions that are named like answers: they tell what was done for
which instruction.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from agenthorizon.case import Case, ShownStep, View
from agenthorizon.dataset.action_fields import BlindAction, Sieve
from agenthorizon.dataset.recorded_places import recorded_places
from agenthorizon.dataset.screenshots import Screenshot
from agenthorizon.evidence import images
from agenthorizon.evidence.actions import wording
from agenthorizon.evidence.pictures import NamedFile, Pictures
from agenthorizon.evidence.recorded_picture import RecordedPicture, called, recorded_picture
from agenthorizon.evidence.reel import Reel
from agenthorizon.evidence.safe_text import safe_text
from agenthorizon.task import Action, Task

NONE_TAKEN = "no screenshot was taken for this step"
MISSING = "the screenshot of this step is missing"


class BlindCase(NamedTuple):
    """A case and the account of how it was shown."""

    case: Case
    evidence: dict[str, Any]
    """For the outcome's line: counts, what was missing and why, size and format of the pictures."""


def build_case(task: Task, shots: Sequence[Screenshot], view: View, guide: str, pictures: Pictures) -> BlindCase:
    """Return the case of a task whose screenshots were located (one a step, in order). No picture is opened.

    `pictures` prepares them later, when they are asked for; a run shares one that keeps what it made.
    """
    sieve = Sieve(recorded_places((step.screenshot for step in task.trajectory.steps), task.id))
    actions = [sieve.blind_action(step.action) if step.action else None for step in task.trajectory.steps]
    shown = _shown_pictures(shots, view, pictures)
    steps = tuple(
        _shown(action.action if action else None, shot, number, shown.get(number))
        for number, (action, shot) in enumerate(zip(actions, shots, strict=True), start=1)
    )
    case = Case(
        id=opaque_id(task.id),
        instruction=safe_text(task.instruction),
        steps=steps,
        media_type=images.media_type(view),
        guide=guide,
    )
    return BlindCase(case, _evidence(case, shots, view) | _withheld(actions))


def opaque_id(task_id: str) -> str:
    """Return a short name for a task that says nothing about it."""
    return hashlib.sha256(f"agenthorizon case {task_id!a}".encode()).hexdigest()[:16]


def _shown_pictures(shots: Sequence[Screenshot], view: View, pictures: Pictures) -> dict[int, RecordedPicture]:
    """Return the screenshots that there are, by the numbers of their steps."""
    files = {
        number: NamedFile(shot.file, called(number), shot.stat)
        for number, shot in enumerate(shots, start=1)
        if shot.file and not shot.is_missing
    }
    reel = Reel(tuple(files.values()), pictures)
    return {number: recorded_picture(reel, place, number, view) for place, number in enumerate(files)}


def _shown(action: Action | None, shot: Screenshot, number: int, picture: RecordedPicture | None) -> ShownStep:
    note = MISSING if shot.is_missing else NONE_TAKEN if shot.file is None else None
    return ShownStep(number, action, wording(action), picture, note)


def _withheld(actions: Sequence[BlindAction | None]) -> dict[str, Any]:
    """Say which parameters of actions were left out, for the outcome alone; nothing where there are none."""
    found = [
        {"step": number, "fields": list(action.withheld)}
        for number, action in enumerate(actions, start=1)
        if action and action.withheld
    ]
    return {"withheld_parameters": found} if found else {}


def _evidence(case: Case, shots: Sequence[Screenshot], view: View) -> dict[str, Any]:
    missing = [{"step": number, "why": shot.fault} for number, shot in enumerate(shots, start=1) if shot.is_missing]
    return {
        "steps": len(case.steps),
        "pictures": case.pictures,
        "none_taken": len(case.steps) - case.pictures - len(missing),
        "missing": missing,
        "fit": list(view.fit) if view.fit else None,
        "format": view.format,
        "quality": None if view.format == "png" else view.quality,
    }
