"""The tasks of a Bench as a Hugging Face `datasets.Dataset`: one row per task, images decoded on access, no labels."""

import json
from typing import TYPE_CHECKING, Any

from agenthorizon.task import Task

if TYPE_CHECKING:
    from datasets import Dataset

    from agenthorizon.dataset.bench import Bench


def to_dataset(bench: "Bench", split: str | None = None) -> "Dataset":
    """Return one row per task of `split` (all splits without it).

    Columns: `id`, `split`, `instruction`, `os`, `steps` (a list of `step_id`, `action_type`, `action_parameters` as
    JSON text, and `screenshot`, an image or null). Parameters are text because their types differ from row to row.
    """
    from datasets import Dataset, Features, Image, List, Value

    step = {
        "step_id": Value("int64"),
        "action_type": Value("string"),
        "action_parameters": Value("string"),
        "screenshot": Image(),
    }
    texts = ("id", "split", "instruction", "os")
    features = Features({**{name: Value("string") for name in texts}, "steps": List(step)})
    rows = [_row(bench, bench[task_id]) for task_id in bench.select(split)]
    return Dataset.from_list(rows, features=features)


def _row(bench: "Bench", task: Task) -> dict[str, Any]:
    steps = []
    for step, shot in zip(task.trajectory.steps, bench.screenshots(task), strict=True):
        steps.append(
            {
                "step_id": step.step_id,
                "action_type": step.action and step.action.type,
                "action_parameters": json.dumps(step.action.parameters) if step.action else None,
                "screenshot": {"path": shot.file, "bytes": None} if shot.file else None,
            }
        )
    return {
        "id": task.id,
        "split": bench.split_of(task.id),
        "instruction": task.instruction,
        "os": task.trajectory.os,
        "steps": steps,
    }
