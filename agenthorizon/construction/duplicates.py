"""Finds tasks and recordings that are the same by content, whatever their ids and file names say."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from agenthorizon.construction.pair_checks import bare_instruction
from agenthorizon.construction.pictures import PictureFacts
from agenthorizon.construction.records import TaskFacts
from agenthorizon.errors import Finding


def content_of(task: TaskFacts, pictures: Mapping[Path, PictureFacts]) -> str:
    """Return a digest of what a task shows: its actions and the bytes of its screenshots, in order."""
    digest = hashlib.sha256(task.actions.encode())
    for step in task.steps:
        digest.update((pictures[step.path].digest if step.path else "none").encode())
    return digest.hexdigest()


def duplicate_findings(tasks: Sequence[TaskFacts], pictures: Mapping[Path, PictureFacts]) -> Iterator[Finding]:
    """Yield tasks that repeat or contradict another, recordings under two names, and twins that are not twins."""
    contents = {task.id: content_of(task, pictures) for task in tasks if task.steps}
    alike: dict[str, list[TaskFacts]] = defaultdict(list)
    for task in tasks:
        if task.id in contents:
            alike[contents[task.id]].append(task)
    for same in alike.values():
        yield from _same_instruction(same)
        yield from _two_names(same)
    yield from _differing_twins(tasks, contents)


def _same_instruction(same: Iterable[TaskFacts]) -> Iterator[Finding]:
    first: dict[str, TaskFacts] = {}
    for task in same:
        other = first.setdefault(bare_instruction(task.instruction), task)
        if other is task:
            continue
        if task.label and other.label and task.label.label != other.label.label:
            detail = f"the same instruction and recording as {other.id}, labelled {other.label.label} there"
            yield task.place.finding("contradicting_labels", detail)
        else:
            yield task.place.finding("duplicate_task", f"the same instruction and recording as {other.id}")


def _two_names(same: Sequence[TaskFacts]) -> Iterator[Finding]:
    named = {task.label.original_id: task for task in same if task.label and task.label.original_id}
    if len(named) > 1:
        names = ", ".join(sorted(str(name) for name in named))
        detail = f"recordings {names} are one by content"
        yield next(iter(named.values())).place.finding("duplicate_recording", detail)


def _differing_twins(tasks: Iterable[TaskFacts], contents: Mapping[str, str]) -> Iterator[Finding]:
    """Tasks of one recording must show the same steps, or the recording itself tells them apart."""
    first: dict[str, TaskFacts] = {}
    for task in tasks:
        if task.id not in contents or not (task.label and task.label.original_id):
            continue
        other = first.setdefault(task.label.original_id, task)
        if contents[other.id] != contents[task.id]:
            detail = f"shows other actions or pixels than {other.id}, a task of the same recording"
            yield task.place.finding("recording_content_differs", detail)
