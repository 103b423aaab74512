"""Writes the set in release layout: label lines, trajectories and screenshots byte for byte, and a manifest."""

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from chosen import SPLIT_FILES, Task
from splits import Splits

REPORTED_AS = "not part of AgentHorizon; its numbers are not comparable with it"
DESCRIPTION = (
    "Real recordings of two public projects, in release layout: a sample to run every command on. "
    "Swapped instructions here are easier to tell apart than AgentHorizon's, and no negative has a mistake "
    "type, so mistake-type recall is null. The splits were drawn by whole pair groups and say nothing "
    "about difficulty."
)


def clear(destination: Path) -> None:
    """Make the destination an empty folder; refuse one that holds anything but an earlier build."""
    if destination.exists() and any(destination.iterdir()):
        manifest = destination / "manifest.json"
        if not manifest.is_file() or json.loads(manifest.read_bytes()).get("name") != "demo":
            raise SystemExit(f"{destination} holds something else than the demonstration set")
        shutil.rmtree(destination)
    destination.mkdir(parents=True, exist_ok=True)


def copy(source: Path, destination: Path) -> None:
    """Copy a file's bytes, making folders where needed."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    destination.write_bytes(source.read_bytes())


def write_splits(splits: Splits, destination: Path) -> None:
    """Write the label files from the source's own lines."""
    for name, tasks in splits.items():
        (destination / SPLIT_FILES[name]).write_bytes(b"".join(task.line + b"\n" for task in tasks))


def copy_trajectories(tasks: Iterable[Task], source: Path, destination: Path) -> None:
    """Copy the tasks' trajectory files and the screenshots they name."""
    for task in tasks:
        names = [f"data/jsons/{task.trajectory_id}.json", f"data/markdowns/{task.trajectory_id}.md"]
        for name in [*names, *task.screenshots]:
            copy(source / "sandbox" / name, destination / "sandbox" / name)


def write_manifest(splits: Splits, destination: Path) -> None:
    """Write the data set's name, form and counts."""
    counts = {}
    for name, tasks in splits.items():
        labels = Counter(task.label for task in tasks)
        counts[name] = {
            "tasks": len(tasks),
            "positive": labels["positive"],
            "negative": labels["negative"],
        }
    manifest = {
        "name": "demo",
        "title": "AgentHorizon demonstration set",
        "description": DESCRIPTION,
        "form": "three-split",
        "splits": counts,
        "reported_as": REPORTED_AS,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    (destination / "manifest.json").write_bytes(text.encode() + b"\n")
