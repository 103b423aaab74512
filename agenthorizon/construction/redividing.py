"""Puts the tasks of a data set into other splits: label files and manifest are rewritten, records stay untouched."""

from collections.abc import Mapping, Sequence

from agenthorizon.construction import manifest
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.splits import label_file_name
from agenthorizon.errors import UsageError
from agenthorizon.files.jsonlines import parse_json
from agenthorizon.files.regular_file import read_regular


def redivide(bench: Bench, splits: Mapping[str, Sequence[str]]) -> None:
    """Replace the splits whose tasks are named by the given ones, e.g. `evaluation` by AH and AH-S.

    Splits of which no task is named stay as they are. Raises UsageError, before anything is written, when a task is
    unknown, named twice, or left without a split.
    """
    wanted = [task_id for ids in splits.values() for task_id in ids]
    named = set(wanted)
    if unknown := named - set(bench.labels):
        raise UsageError(f"not labelled in {bench.name}: {', '.join(sorted(unknown)[:3])}")
    if len(named) < len(wanted):
        raise UsageError("a task belongs to one split; some are named twice")
    touched = {bench.split_of(task_id) for task_id in wanted}
    kept = {name: list(labels) for name, labels in bench.labels.splits.items() if name not in touched}
    if clash := sorted(kept.keys() & splits.keys()):
        raise UsageError(f"{bench.name} has a split {clash[0]} with other tasks")
    left = [task_id for name in touched for task_id in bench.splits[name] if task_id not in named]
    if left:
        raise UsageError(
            f"{len(left)} tasks of {', '.join(sorted(touched))} would be left without a split: {left[0]} …"
        )
    new = {name: [bench.labels[task_id] for task_id in sorted(ids)] for name, ids in splits.items()}
    _write(bench, new | kept, touched)


def _write(bench: Bench, splits: Mapping[str, list[Label]], replaced: set[str]) -> None:
    manifest.write_splits(bench.root, splits)
    for name in replaced - splits.keys():
        (bench.root / label_file_name(name)).unlink()
    path = bench.root / manifest.NAME
    stated = parse_json(read_regular(path)) if path.exists() else {"name": bench.name}
    prints = {key: value for key, value in stated.items() if key not in ("name", "form", "splits")}
    manifest.write(bench.root, str(stated["name"]), splits, prints)
