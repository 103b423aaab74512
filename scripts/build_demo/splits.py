"""Draws the splits by whole pair groups: the same draw every time, and one that shows something of each kind."""

import hashlib
from collections import Counter

from chosen import SPLIT_FILES, Task

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

Splits = dict[str, list[Task]]


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
