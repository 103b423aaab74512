"""Build the small shipped data set from a folder of real trajectories in release layout.

Usage: ``python scripts/build_demo SOURCE_RELEASE DESTINATION``

``SOURCE_RELEASE`` holds the three label files and ``sandbox/``; the source projects' licence texts lie
beside it in ``../licenses``. Whole pair groups are taken, label lines and files are copied byte for byte,
and the splits are drawn anew. The draw depends on nothing but the seed and the group ids, so a second
run gives identical bytes.
"""

import argparse
from collections import Counter
from pathlib import Path

from attribution import write_attribution
from chosen import read_groups
from release import clear, copy_trajectories, write_manifest, write_splits
from splits import Splits, draw_splits


def build(source: Path, destination: Path) -> Splits:
    """Build the data set and return its splits."""
    splits = draw_splits(read_groups(source))
    tasks = [task for name in splits for task in splits[name]]
    clear(destination)
    write_splits(splits, destination)
    copy_trajectories(tasks, source, destination)
    write_manifest(splits, destination)
    write_attribution(tasks, source, destination)
    return splits


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description="Build the small shipped data set.")
    parser.add_argument("source", type=Path, help="folder with the label files and sandbox/")
    parser.add_argument("destination", type=Path, help="folder to write, for example data/demo")
    options = parser.parse_args()
    for name, tasks in build(options.source, options.destination).items():
        labels = Counter(task.label for task in tasks)
        systems = Counter(task.os for task in tasks)
        print(name, len(tasks), dict(sorted(labels.items())), dict(sorted(systems.items())))


if __name__ == "__main__":
    main()
