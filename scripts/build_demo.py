"""Build the small shipped data set from a folder of real trajectories in release layout.

Usage: ``python scripts/build_demo.py SOURCE_RELEASE DESTINATION``

``SOURCE_RELEASE`` holds the three label files and ``sandbox/``; the source projects' licence texts lie
beside it in ``../licenses``. Whole pair groups are taken, label lines and files are copied byte for byte,
and the splits are drawn anew. The draw depends on nothing but the seed and the group ids, so a second
run gives identical bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

SPLIT_FILES = {
    "AH": "AgentHorizon.jsonl",
    "AH-S": "AgentHorizon-Simple.jsonl",
    "AH-D": "AgentHorizon-Development.jsonl",
}

GROUPS = (
    "33e47e4acf11",  # web, OpenEMR: two real notes on one chart, told apart by the note's text only
    "62db82ac31f6",  # web, MockMed: one instruction, a run that saved and one that a survey window stopped
    "1c8b3056a30e",  # Linux, Calc: the longest recording (32 steps); a scatter chart or a comparison
    "4f3d426284db",  # Linux, terminal: install one package, or install another and use it
    "1255b62eeae3",  # Linux, Writer: a 3 * 4 table or a 4 * 3 one
    "a2b5518694dd",  # Linux, GIMP: contrast or brightness, set in the same dialog
    "fcb4c1342200",  # Linux, terminal: open or exit the Python interpreter
    "2261a4be9148",  # Windows, Edge: the second-longest recording (29 steps); one article or another
    "baab1a0d79d1",  # Windows, Word: text size or highlighting
    "554518fe9810",  # Windows: Task Manager or File Explorer
    "190b8824b66e",  # Windows: Task Manager or Registry Editor
)

SEED = "agenthorizon-demo-1"
MAX_DRAWS = 10_000
MIN_TASKS = {"AH": 15, "AH-S": 10, "AH-D": 14}  # AH-D: seven tasks a class or so to fit a threshold on
MAX_TASKS = {"AH": 17, "AH-S": 12, "AH-D": 16}
SYSTEMS = {  # the headline split shows every system, the others at least the two desktops
    "AH": frozenset({"linux", "windows", "web"}),
    "AH-S": frozenset({"linux", "windows"}),
    "AH-D": frozenset({"linux", "windows"}),
}
LONG = 20  # steps; AH has a recording of this length or more

REPORTED_AS = "not part of AgentHorizon; its numbers are not comparable with it"
DESCRIPTION = (
    "Real recordings of two public projects, in release layout: a sample to run every command on. "
    "Swapped instructions here are easier to tell apart than AgentHorizon's, and no negative has a mistake "
    "type, so mistake-type recall is null. The splits were drawn by whole pair groups and say nothing "
    "about difficulty."
)


@dataclass(frozen=True)
class Source:
    """A public repository that recordings were taken from."""

    repository: str
    commit: str
    licence: str
    taken: str
    licence_files: tuple[str, ...]


SOURCES = {
    "screenagent": Source(
        repository="niuzaisheng/ScreenAgent",
        commit="2312c852908dda5fbc43d903fad5929a9dec649d",
        licence="data set: Apache-2.0, Copyright 2024 R.L. Niu (code: MIT; model weights, not used: CogVLM)",
        taken="screenshots (JPEG), task prompts in English, human-corrected actions",
        licence_files=("niuzaisheng+ScreenAgent.LICENSE", "Apache-2.0.txt"),
    ),
    "openadapt-flow": Source(
        repository="OpenAdaptAI/openadapt-flow",
        commit="abac2bb3bde8e3bac85c975f3ecf6ff1938499da",
        licence="MIT, Copyright (c) 2026 OpenAdapt.AI (MLDSAI Inc.)",
        taken="screenshots (PNG), actions, the outcome of each run",
        licence_files=("OpenAdaptAI+openadapt-flow.LICENSE",),
    ),
}


@dataclass(frozen=True)
class Task:
    """One label line with what its trajectory file says."""

    line: bytes
    trajectory_id: str
    label: str
    group: str
    original: str
    instruction: str
    os: str
    applications: tuple[str, ...]
    steps: int
    screenshots: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The recording's image folder, which is also its opaque id."""
        return PurePosixPath(self.screenshots[0]).parent.name


Splits = dict[str, list[Task]]


def read_task(line: bytes, source: Path) -> Task:
    """Read one label line and the trajectory it names."""
    row = json.loads(line)
    file = source / "sandbox/data/jsons" / f"{row['trajectory_id']}.json"
    trajectory = json.loads(file.read_bytes())
    screenshots = (step["screenshot"] for step in trajectory["steps"])
    return Task(
        line=line,
        trajectory_id=row["trajectory_id"],
        label=row["label"],
        group=row["pair_group_id"],
        original=row["original_id"],
        instruction=trajectory["task"]["instruction"],
        os=trajectory["environment"]["os"],
        applications=tuple(trajectory["task"]["applications"]),
        steps=len(trajectory["steps"]),
        screenshots=tuple(str(PurePosixPath(name)) for name in screenshots if name is not None),
    )


def read_groups(source: Path) -> dict[str, list[Task]]:
    """Read the chosen pair groups, whichever label file their tasks are in."""
    groups: dict[str, list[Task]] = {group: [] for group in GROUPS}
    for name in SPLIT_FILES.values():
        for line in (source / name).read_bytes().splitlines():
            if line.strip() and json.loads(line).get("pair_group_id") in groups:
                task = read_task(line, source)
                groups[task.group].append(task)
    missing = [group for group, tasks in groups.items() if not tasks]
    if missing:
        raise SystemExit(f"the source has no task of the pair groups {', '.join(missing)}")
    return groups


def draw(groups: dict[str, list[Task]], number: int) -> Splits:
    """Put the groups in a pseudo-random order and deal them out whole: AH, then AH-S, the rest to AH-D."""

    def rank(group: str) -> str:
        return hashlib.sha256(f"{SEED}/{number}/{group}".encode()).hexdigest()

    splits: Splits = {name: [] for name in SPLIT_FILES}
    for group in sorted(groups, key=rank):
        open_splits = (name for name in ("AH", "AH-S") if len(splits[name]) < MIN_TASKS[name])
        splits[next(open_splits, "AH-D")].extend(groups[group])
    return splits


def is_fit(splits: Splits) -> bool:
    """Say whether sizes, labels, systems and lengths are as wanted and no instruction is in two splits."""
    for name, tasks in splits.items():
        labels = Counter(task.label for task in tasks)
        if not MIN_TASKS[name] <= len(tasks) <= MAX_TASKS[name]:
            return False
        if abs(labels["positive"] - labels["negative"]) > 1:
            return False
        if not {task.os for task in tasks} >= SYSTEMS[name]:
            return False
    if max(task.steps for task in splits["AH"]) < LONG:
        return False
    homes = {(task.instruction, name) for name, tasks in splits.items() for task in tasks}
    return len(homes) == len({instruction for instruction, _ in homes})


def draw_splits(groups: dict[str, list[Task]]) -> Splits:
    """Return the first draw that fits, each split sorted by id so that its order says nothing."""
    for number in range(MAX_DRAWS):
        splits = draw(groups, number)
        if is_fit(splits):
            return {name: sorted(tasks, key=lambda task: task.trajectory_id) for name, tasks in splits.items()}
    raise SystemExit(f"none of {MAX_DRAWS} draws meets the constraints")


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


def source_rows(tasks: list[Task]) -> list[str]:
    """Return the attribution table's rows, one a source repository."""
    rows = []
    for key, source in SOURCES.items():
        files = ", ".join(f"[{name}](licenses/{name.replace('+', '%2B')})" for name in source.licence_files)
        recordings = {task.folder for task in tasks if task.original.startswith(f"{key}/")}
        taken = f"{len(recordings)} recordings: {source.taken}"
        rows.append(
            f"| [{source.repository}](https://github.com/{source.repository}/tree/{source.commit}) "
            f"| `{source.commit}` | {source.licence} | {files} | {taken} |"
        )
    return rows


def recording_rows(tasks: list[Task]) -> list[str]:
    """Return one row per recording: its folder here and what it was called at the source."""
    recordings = {task.folder: task for task in tasks}
    return [
        f"| `{folder}` | {SOURCES[task.original.split('/')[0]].repository} "
        f"| `{task.original.split('/', 1)[1]}` | {task.os} | {', '.join(task.applications)} "
        f"| {len(task.screenshots)} |"
        for folder, task in sorted(recordings.items())
    ]


ATTRIBUTION = """\
# Where these recordings come from

The trajectories are recordings of public projects, converted to AgentHorizon's release layout. They are
not part of AgentHorizon, and numbers on them are not comparable with it.

## Sources

| repository | commit | licence | text | taken |
| --- | --- | --- | --- | --- |
{sources}

## What was changed

- Screenshots are byte-for-byte copies: only their names and folders were changed.
- Actions were converted to the release's action types, one step an action. A screenshot shows what was
  on screen before the action; where a source has one screenshot for several actions, the first carries it.
  The last step, a wait of no length, carries the final screenshot only.
- Instructions of ScreenAgent are its English task prompts. openadapt-flow has none, so they were written
  from its run records.
- A positive keeps its recording's own instruction; most negatives have that of the paired recording. In
  the MockMed pair the negative is a run that really failed, in the wrong-note OpenEMR negative the
  instruction names another note.
- Thoughts and descriptions of actions were left out, since the sources' texts tell the outcome.
- The operating system of two ScreenAgent sessions (823cce103db442b6bda85c40b2703458 and
  c948b7b7723047e0bc67823f732942db) was corrected to Windows, which their screenshots show.

## Third-party content

A repository's licence covers what its owner may license. The screenshots also show third-party software
and public web pages (among them Microsoft Windows, Word and Edge, MSN, Wikipedia, LibreOffice, GIMP and
OpenEMR), whose names, marks and designs belong to their owners. Patients shown are the sample records of
OpenEMR's public demonstration and of a mock clinic.

## Recordings

`folder` is the name under `sandbox/data/media/images/`; `original` is the session's or run's name at the
source.

| folder | repository | original | system | applications | screenshots |
| --- | --- | --- | --- | --- | --- |
{recordings}
"""


def write_attribution(tasks: list[Task], source: Path, destination: Path) -> None:
    """Write the attribution and copy the licence texts it names."""
    text = ATTRIBUTION.format(sources="\n".join(source_rows(tasks)), recordings="\n".join(recording_rows(tasks)))
    (destination / "ATTRIBUTION.md").write_bytes(text.encode())
    apache = Path(__file__).resolve().parent.parent / "LICENSE"
    for name in sorted({name for entry in SOURCES.values() for name in entry.licence_files}):
        own = apache if name == "Apache-2.0.txt" else source.parent / "licenses" / name
        copy(own, destination / "licenses" / name)


def clear(destination: Path) -> None:
    """Make the destination an empty folder; refuse one that holds anything but an earlier build."""
    if destination.exists() and any(destination.iterdir()):
        manifest = destination / "manifest.json"
        if not manifest.is_file() or json.loads(manifest.read_bytes()).get("name") != "demo":
            raise SystemExit(f"{destination} holds something else than the demonstration set")
        shutil.rmtree(destination)
    destination.mkdir(parents=True, exist_ok=True)


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
