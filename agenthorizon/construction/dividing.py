"""Divides a data set by splitters' verdicts: AH-D set aside, the rule applied, its sensitivity, the files written."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agenthorizon.construction.drawing import by_group, hold_out
from agenthorizon.construction.manifest import write_splits
from agenthorizon.construction.partition import Partition, Rule, Verdicts, partition
from agenthorizon.construction.sensitivity import Sensitivity, sensitivity
from agenthorizon.dataset.labels import Labels
from agenthorizon.dataset.splits import DEVELOPMENT
from agenthorizon.files.whole_folder import new_folder
from agenthorizon.scoring.marks import Marks

NAME = "partition.json"


@dataclass(frozen=True)
class Division:
    """A data set divided into AH, AH-S and, where tasks were set aside, AH-D."""

    partition: Partition
    development: tuple[str, ...]
    """Ids of AH-D, in the order of the labels."""
    sensitivity: Sensitivity

    @property
    def splits(self) -> dict[str, tuple[str, ...]]:
        """Ids by split; AH-D only where there is one."""
        return {**self.partition.splits(), **({DEVELOPMENT: self.development} if self.development else {})}

    def to_json(self) -> dict[str, Any]:
        """Return rule, sizes, right verdicts of every task and the sensitivity as a JSON object."""
        return {
            "rule": asdict(self.partition.rule),
            "splits": {name: len(ids) for name, ids in self.splits.items()},
            "right": dict(self.partition.right),
            "sensitivity": self.sensitivity.to_json(),
        }


def set_aside(labels: Labels, size: int | None, seed: int) -> frozenset[str]:
    """Return the ids of AH-D: `size` tasks in whole pair groups drawn with `seed`, or without it the AH-D there is."""
    if size is None:
        return frozenset(label.trajectory_id for label in labels.splits.get(DEVELOPMENT, ()))
    return hold_out(by_group(labels, labels.groups), size, seed)


def divide(
    verdicts: Verdicts, labels: Labels, held_out: Collection[str], rule: Rule, judges: Mapping[str, Marks]
) -> Division:
    """Divide the labelled tasks. Raises what `partition` raises."""
    is_positive = {task_id: label.is_positive for task_id, label in labels.items()}
    whole = partition(verdicts, is_positive, held_out, rule)
    development = tuple(task_id for task_id in labels if task_id in held_out)
    return Division(whole, development, sensitivity(verdicts, is_positive, whole, judges))


def write_division(division: Division, labels: Labels, folder: Path) -> None:
    """Write one label file per split, ids in order so that none says how a task fared, and partition.json.

    Raises UsageError when the folder holds something.
    """
    sorted_labels = {name: [labels[task_id] for task_id in sorted(ids)] for name, ids in division.splits.items()}
    with new_folder(folder, "name another with --out") as draft:
        write_splits(draft, sorted_labels)
        (draft / NAME).write_text(json.dumps(division.to_json(), indent=1) + "\n", "utf-8")
