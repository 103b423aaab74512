"""What a guesser is given of a task: one narrow view each, none of which should say whether the task succeeded.

A view is a dictionary of features, numbers or words; two tasks that look the same in it have the same features.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Any

from agenthorizon.construction.subjects import Subject
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence import images

Features = dict[str, float | str]
View = Callable[[Sequence[Subject]], list[Features]]

GREY_SIZE = (8, 8)
"""The last frame is reduced to so many grey cells, each lighter or darker than their mean: an average hash."""

_TOKEN = re.compile(r"[^\W_]+")


def tokens(text: str) -> set[str]:
    """Return the words of a name or text in small letters, cut at anything that is no letter or digit."""
    return {word.casefold() for word in _TOKEN.findall(text)}


def actions(subjects: Sequence[Subject]) -> list[Features]:
    """How many steps, of which types, and how much was typed."""
    return [_actions(subject) for subject in subjects]


def _actions(subject: Subject) -> Features:
    steps = subject.task.trajectory.steps
    counts = Counter(step.action.type for step in steps if step.action)
    typed = sum(len(str(step.action.parameters.get("text", ""))) for step in steps if step.action)
    return {"steps": len(steps), "typed": typed, **{f"type {kind}": n for kind, n in counts.items()}}


def last_frame(subjects: Sequence[Subject]) -> list[Features]:
    """The last screenshot's file size, dimensions and average hash."""
    return [_last_frame(subject) for subject in subjects]


def _last_frame(subject: Subject) -> Features:
    path = next(reversed(list(subject.facts.pictures)), None)
    if path is None:
        return {"none": 1.0}
    try:
        image = images.read(path)
    except JudgeFailure:
        return {"unreadable": 1.0}
    cells = list(image.convert("L").resize(GREY_SIZE).tobytes())
    mean = sum(cells) / len(cells)
    features: Features = {"bytes": path.stat().st_size, "width": image.width, "height": image.height}
    return features | {f"cell {n}": float(cell > mean) for n, cell in enumerate(cells)}


def order(subjects: Sequence[Subject]) -> list[Features]:
    """Where a task stands: its position, odd or even, first to last of four.

    How many tasks of its recording stand before it is left out: once review has dropped positives, a recording shown
    only once is a negative's, in any order. `audit` compares the order of a recording's two classes by itself.
    """
    return [
        {"position": subject.position / len(subjects), "odd": subject.position % 2, "of four": subject.position % 4}
        for subject in subjects
    ]


def file_times(subjects: Sequence[Subject]) -> list[Features]:
    """When the files named after a task, and its screenshots, were last changed: seconds, and their order."""
    times = [_times(subject) for subject in subjects]
    known = sorted({time for each in times for time in each.values()})
    rank = {time: number for number, time in enumerate(known)}
    return [{**each, **{f"rank of {name}": rank[time] for name, time in each.items()}} for each in times]


def _times(subject: Subject) -> dict[str, float]:
    times = {f"time of {path.suffix}": path.stat().st_mtime for path in subject.files}
    shots = [path.stat().st_mtime for path in subject.facts.pictures]
    return times | ({"first shot": min(shots), "last shot": max(shots)} if shots else {})


def names(subjects: Sequence[Subject]) -> list[Features]:
    """Words of the id, of folders and of file names, how long the id is and where it sorts."""
    rank = {task_id: n / len(subjects) for n, task_id in enumerate(sorted(subject.id for subject in subjects))}
    return [
        {
            "id length": len(subject.id),
            "id rank": rank[subject.id],
            "id in a path": float(any(subject.id in name for name in subject.names[1:])),
            **{f"word {word}": 1.0 for name in subject.names for word in tokens(_folder(name))},
        }
        for subject in subjects
    ]


def _folder(name: str) -> str:
    path = PurePosixPath(name)
    return str(path.parent if len(path.parts) > 1 else path)


def fields(subjects: Sequence[Subject]) -> list[Features]:
    """Which fields a record has, and what stands in those that are short: everything but instruction and steps."""
    return [{f"field {name}": value for name, value in _fields(subject.record)} for subject in subjects]


def _fields(value: Any, name: str = "") -> list[tuple[str, float | str]]:
    if name in ("trajectory_id", "task.instruction", "steps"):
        keys = {key for step in value if isinstance(step, dict) for key in step} if name == "steps" else set()
        return [(f"steps.{key}", 1.0) for key in sorted(keys)]
    if isinstance(value, dict):
        return [found for key, inner in value.items() for found in _fields(inner, f"{name}.{key}".lstrip("."))]
    if isinstance(value, bool | int | float):
        return [(name, float(value))]
    text = value if isinstance(value, str) else "a list" if isinstance(value, list) else "null"
    return [(name, text if len(text) <= 60 else "a long text")]


def picture_texts(subjects: Sequence[Subject]) -> list[Features]:
    """Words that screenshots carry besides their pixels."""
    return [
        {f"word {word}": 1.0 for facts in subject.pictures for text in facts.embedded for word in tokens(text)}
        for subject in subjects
    ]


VIEWS: dict[str, View] = {
    "action counts": actions,
    "last frame": last_frame,
    "order": order,
    "file times": file_times,
    "names": names,
    "fields": fields,
    "picture texts": picture_texts,
}
"""Every view that is a dictionary of features; the instruction is a text, and a view of its own."""
