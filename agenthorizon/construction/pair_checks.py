"""Checks of pairs beyond one group's swaps: splits that share a group, torn groups, twins that differ, classes."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agenthorizon.construction.records import TaskFacts
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.dataset.splits import MAIN, SIMPLE
from agenthorizon.errors import Finding

DIVIDED_BY_TASK = {MAIN, SIMPLE}


def pair_findings(labels: Labels) -> Iterator[Finding]:
    """Yield what is wrong with the labels as a whole."""
    yield from _shared_groups(labels)
    yield from _torn_groups(labels)
    yield from _classes(labels)


def identical_instructions(tasks: Iterable[TaskFacts]) -> Iterator[Finding]:
    """Yield pairs whose two instructions are the same: their swaps are no negatives."""
    positives = {task.label.original_id: task for task in tasks if task.label and task.label.is_positive}
    for task in positives.values():
        other = positives.get(task.label.paired_id) if task.label and task.label.paired_id else None
        if other and other.id < task.id and bare_instruction(other.instruction) == bare_instruction(task.instruction):
            detail = f"{other.id} is its pair and asks for the same: a swap of the two is no negative"
            yield task.place.finding("identical_instructions", detail)


def shared_instructions(tasks: Iterable[TaskFacts], labels: Labels) -> Iterator[Finding]:
    """Yield instructions that stand in more than one pair group: answers of one could be learned from another."""
    homes: dict[str, dict[str, TaskFacts]] = defaultdict(dict)
    for task in tasks:
        if task.label:
            homes[bare_instruction(task.instruction)].setdefault(labels.groups[task.id], task)
    for members in homes.values():
        if len(members) > 1:
            first, *others = members.values()
            same = ", ".join(other.id for other in others)
            detail = f"another pair group asks for the same, in {same}"
            yield first.place.finding("shared_instruction", detail)


def bare_instruction(instruction: str) -> str:
    """Return an instruction without what does not change it: letter case, spacing, a full stop at its end."""
    return " ".join(instruction.casefold().split()).rstrip(". ")


def _shared_groups(labels: Labels) -> Iterator[Finding]:
    """A split takes whole groups; AH and AH-S alone may share one, since they are divided task by task."""
    for group, names in _homes(labels.splits, labels.groups).items():
        if len(names) > 1 and names != DIVIDED_BY_TASK:
            yield Finding(
                "split_group_shared", ", ".join(sorted(names)), detail=f"pair group {group} lies in all of them"
            )


def _homes(splits: Mapping[str, Sequence[Label]], groups: Mapping[str, str]) -> dict[str, set[str]]:
    homes: dict[str, set[str]] = defaultdict(set)
    for name, labels in splits.items():
        for label in labels:
            homes[groups[label.trajectory_id]].add(name)
    return homes


def _torn_groups(labels: Labels) -> Iterator[Finding]:
    """Recordings tied by a pair must stand in one named group."""
    groups_of: dict[str, set[str]] = defaultdict(set)
    for label in labels.values():
        if label.original_id:
            groups_of[label.original_id].add(labels.groups[label.trajectory_id])
    for recording, groups in groups_of.items():
        if len(groups) > 1:
            detail = f"tasks of recording {recording} stand in pair groups {', '.join(sorted(groups))}"
            yield Finding("pair_group_torn", "labels", detail=detail)
    for label in labels.values():
        theirs = groups_of.get(label.paired_id or "", set())
        own = labels.groups[label.trajectory_id]
        if theirs and own not in theirs:
            detail = f"{label.trajectory_id} of pair group {own} is paired with {label.paired_id} of another"
            yield Finding("pair_group_torn", "labels", detail=detail)


def _classes(labels: Labels) -> Iterator[Finding]:
    for name, members in labels.splits.items():
        counts = Counter(label.label for label in members)
        for kind in ("positive", "negative"):
            if members and not counts[kind]:
                yield Finding("one_class_only", name, detail=f"no {kind} task: balanced accuracy is undefined here")
        untyped = sum(not label.is_positive and label.mistake_type is None for label in members)
        if untyped:
            detail = f"{untyped} of {counts['negative']} negatives have no mistake type; its recall leaves them out"
            yield Finding("untyped_negative", name, detail=detail)
