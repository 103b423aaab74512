"""A submission: one JSONL row per task of the whole manifest, sorted by id, all null where there is no verdict."""

import json
from collections.abc import Collection
from typing import Any

from agenthorizon.outcome import Outcome
from agenthorizon.running.store import Run

FIELDS = ("trajectory_id", "success", "confidence", "mistake_type", "reasoning")


def submission_rows(run: Run, manifest_ids: Collection[str]) -> str:
    """Write a run's verdicts (those of repeat 0) for the tasks of a manifest."""
    rows = (_row(task_id, run.latest.get((task_id, 0))) for task_id in sorted(manifest_ids))
    return "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)


def _row(task_id: str, outcome: Outcome | None) -> dict[str, Any]:
    verdict = outcome.verdict if outcome and outcome.status == "verdict" else None
    given = verdict.model_dump(include=set(FIELDS)) if verdict else {}
    return {name: given.get(name) for name in FIELDS} | {"trajectory_id": task_id}
