"""The labels of a data set: answers by task, the splits they stand in, and the pair groups they make."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.pairs import FactsOf, PairGroup, group_ids, pair_group
from agenthorizon.dataset.splits import in_order
from agenthorizon.errors import DataError, Finding


class Labels(Mapping[str, Label]):
    """The labels of a data set by task id; `split` and `pairs` give its two structures."""

    def __init__(self, splits: Mapping[str, Iterable[Label]], facts: FactsOf | None = None) -> None:
        """Take the labels of every split; raises DataError when two splits label one task."""
        self.splits = {name: tuple(splits[name]) for name in in_order(splits)}
        self._by_id: dict[str, Label] = {}
        self._facts = facts
        for name, labels in self.splits.items():
            for label in labels:
                if label.trajectory_id in self._by_id:
                    fault = Finding("duplicate_label", name, detail=f"{label.trajectory_id} stands in another split")
                    raise DataError("a task belongs to one split", [fault])
                self._by_id[label.trajectory_id] = label
        self.groups = group_ids(self._by_id.values())

    def __repr__(self) -> str:
        splits = ", ".join(f"{name} {len(labels)}" for name, labels in self.splits.items())
        return f"<Labels: {splits}>"

    def __getitem__(self, task_id: str) -> Label:
        return self._by_id[task_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    @cached_property
    def recordings(self) -> dict[str, str]:
        """The recording that each task shows; a task of which neither label nor steps say it is absent."""
        return {task_id: found for task_id, label in self.items() if (found := self._recording(label))}

    def _recording(self, label: Label) -> str | None:
        if label.original_id or not self._facts:
            return label.original_id
        try:
            fact = self._facts(label.trajectory_id)
        except DataError:  # a broken record is what `data check` is for; scores need none of it
            return None
        return fact.recording if fact else None

    def pairs(self) -> list[PairGroup]:
        """Return the pair groups, over all splits, in a fixed order, their swap structure checked."""
        members: dict[str, list[Label]] = defaultdict(list)
        for task_id, group in self.groups.items():
            members[group].append(self._by_id[task_id])
        return [pair_group(group, members[group], self._facts or (lambda _: None)) for group in sorted(members)]

    def known(self, ids: Container[str]) -> "Labels":
        """Return the labels of these tasks alone."""
        splits = {
            name: [label for label in labels if label.trajectory_id in ids] for name, labels in self.splits.items()
        }
        return Labels(splits, self._facts)

    def warnings(self) -> list[Finding]:
        """Return what is wrong with the swaps, and how many groups can say nothing about a pair."""
        groups = self.pairs()
        faults = [fault for group in groups for fault in group.faults]
        lone = sum(not group.has_both_labels for group in groups)
        if not lone:
            return faults
        detail = f"{lone} of {len(groups)} pair groups hold one label only; figures of pairs leave them out"
        return [*faults, Finding("pair_group_size", "labels", detail=detail)]
