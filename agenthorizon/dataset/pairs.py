"""Pair groups: tasks tied by an instruction pair, their shared recordings, and whether the swaps are what they say.

A full group of two recordings A and B has four tasks: A's and B's own (positive) and the two swaps (negative),
so two tasks show each recording. Groups of three recordings and of one exist; reviewed positives may be gone.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from agenthorizon.dataset.components import Components
from agenthorizon.dataset.label import Label
from agenthorizon.errors import Finding


class PairingFacts(NamedTuple):
    """What pairing needs to know of a task."""

    instruction: str
    recording: str | None
    """`Trajectory.recording`, or None where no step has a screenshot: a few actions may be alike by chance."""


FactsOf = Callable[[str], PairingFacts | None]


@dataclass(frozen=True)
class PairGroup:
    """One connected component of recordings tied by pairs."""

    id: str
    positives: tuple[Label, ...]
    negatives: tuple[Label, ...]
    recordings: dict[str, tuple[str, ...]]
    """Recording → ids of the tasks that show it; the label's `original_id`, else what the steps say."""
    faults: tuple[Finding, ...]
    """Where the swap structure does not hold."""

    @property
    def size(self) -> int:
        """Number of tasks."""
        return len(self.positives) + len(self.negatives)

    @property
    def has_both_labels(self) -> bool:
        """Whether the group can say anything about telling success from failure."""
        return bool(self.positives and self.negatives)


def group_ids(labels: Iterable[Label]) -> dict[str, str]:
    """Return each task's pair group: the one its label names, else the component of its recordings."""
    labels = list(labels)
    recordings = Components()
    for label in labels:
        if label.original_id and label.paired_id:
            recordings.join(label.original_id, label.paired_id)
    return {
        label.trajectory_id: label.pair_group_id
        or (recordings.of(label.original_id) if label.original_id else label.trajectory_id)
        for label in labels
    }


def pair_group(group: str, labels: list[Label], facts: FactsOf) -> PairGroup:
    """Return the pair group of some labels, its swap structure checked."""
    known = {label.trajectory_id: facts(label.trajectory_id) for label in labels}
    recordings: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        fact = known[label.trajectory_id]
        if recording := label.original_id or (fact.recording if fact else None):
            recordings[recording].append(label.trajectory_id)
    return PairGroup(
        id=group,
        positives=tuple(label for label in labels if label.is_positive),
        negatives=tuple(label for label in labels if not label.is_positive),
        recordings={name: tuple(ids) for name, ids in sorted(recordings.items())},
        faults=(
            *_positive_faults(group, labels),
            *_swap_faults(group, labels),
            *_instruction_faults(group, labels, known),
            *_recording_faults(group, recordings, known),
        ),
    )


def _positive_faults(group: str, labels: list[Label]) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for label in labels:
        if label.is_positive and label.original_id:
            if label.original_id in seen:
                detail = f"{seen[label.original_id]} and {label.trajectory_id} are both positive on one recording"
                yield Finding("two_positives_of_one_recording", group, detail=detail)
            seen[label.original_id] = label.trajectory_id


def _swap_faults(group: str, labels: list[Label]) -> Iterator[Finding]:
    """Check that each swap happens once, between two recordings, and that its reverse names the reverse way."""
    swaps: dict[tuple[str, str], Label] = {}
    for label in labels:
        if label.is_positive or not (label.original_id and label.paired_id):
            continue
        way = (label.original_id, label.paired_id)
        if label.original_id == label.paired_id:
            yield Finding("swap_with_itself", group, detail=f"{label.trajectory_id} swaps a recording with itself")
        if way in swaps:
            detail = f"{swaps[way].trajectory_id} and {label.trajectory_id} are the same swap"
            yield Finding("repeated_swap", group, detail=detail)
        back = swaps.get((label.paired_id, label.original_id))
        if back and back.negative_source and back.negative_source == label.negative_source:
            detail = f"{back.trajectory_id} and {label.trajectory_id} are opposite swaps with one negative_source"
            yield Finding("swap_direction", group, detail=detail)
        swaps[way] = label


def _instruction_faults(group: str, labels: list[Label], facts: Mapping[str, PairingFacts | None]) -> Iterator[Finding]:
    """Check that a swapped negative carries the other recording's instruction and not its own."""
    own = {
        label.original_id: fact.instruction
        for label in labels
        if label.is_positive and label.original_id and (fact := facts[label.trajectory_id])
    }
    for label in labels:
        fact = facts[label.trajectory_id]
        if label.is_positive or not fact or not (label.negative_source and label.original_id and label.paired_id):
            continue
        if own.get(label.original_id) == fact.instruction:
            detail = f"{label.trajectory_id} carries its own recording's instruction"
            yield Finding("swap_not_swapped", group, detail=detail)
        if own.get(label.paired_id, fact.instruction) != fact.instruction:
            detail = f"{label.trajectory_id} does not carry the instruction of {label.paired_id}"
            yield Finding("swap_instruction", group, detail=detail)


def _recording_faults(
    group: str, recordings: Mapping[str, list[str]], facts: Mapping[str, PairingFacts | None]
) -> Iterator[Finding]:
    for recording, ids in recordings.items():
        shown = {fact.recording for task_id in ids if (fact := facts[task_id]) and fact.recording}
        if len(shown) > 1:
            detail = f"tasks of recording {recording} show different steps"
            yield Finding("recording_differs", group, detail=detail)
