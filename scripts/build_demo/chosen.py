"""Reads the pair groups that were chosen for the shipped set, whichever label file of the source they stand in."""

import json
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
