"""How many verdicts on each task a run was asked for: repeats belong to the tasks they were asked for, not to the run.

A config.json lists the tasks under `asked`, the most verdicts asked for any of them under `repeats`, and under
`repeats_by_task` those asked for more than once. One without the last is of an earlier version: all were asked alike.
"""

from collections.abc import Iterable, Mapping
from typing import Any

BY_TASK = "repeats_by_task"


def as_asked(asked: Mapping[str, int]) -> dict[str, Any]:
    """Return the keys of a config.json that say it, from the verdicts asked for by task id."""
    several = {task_id: asked[task_id] for task_id in sorted(asked) if asked[task_id] > 1}
    return {"asked": sorted(asked), "repeats": max(several.values(), default=1), BY_TASK: several}


def verdicts_asked(config: Mapping[str, Any], seen: Iterable[tuple[str, int]] = ()) -> dict[str, int]:
    """Return the verdicts asked for, by task id.

    Of a repeat that was `seen` (of a task, from 0) is known that it was asked for, whatever a config says.
    """
    by_task = config.get(BY_TASK)
    last: dict[str, int] = {}
    for task_id, repeat in seen:
        last[task_id] = max(last.get(task_id, 1), repeat + 1)
    alike = 1 if by_task is not None else max([config.get("repeats", 1), *last.values()])
    known = by_task or {}
    return {each: max(known.get(each, alike), last.get(each, 1)) for each in config.get("asked", ())}


def both(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    """Return what two commands ask together: of each task the most verdicts that either asks for."""
    return {task_id: max(first.get(task_id, 0), second.get(task_id, 0)) for task_id in {**first, **second}}
