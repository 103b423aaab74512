"""Makes labels and result files of a few lines for the scoring tests."""

import json

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels


@pytest.fixture
def manifest():
    """Make the labels of one split, or of several, from rows such as {"id": "t0", "label": "positive"}."""

    def make(rows, split="AH"):
        splits = {split: []}
        for row in rows:
            fields = {key: row.get(key) for key in ("label", "mistake_type", "pair_group_id")}
            splits.setdefault(row.get("subset", split), []).append(Label(trajectory_id=row["id"], **fields))
        return Labels({name: labels for name, labels in splits.items() if labels or len(splits) == 1})

    return make


@pytest.fixture
def results_file(tmp_path):
    """Write rows (id, success) or (id, object) as a JSONL results file and return its path."""

    def write(rows, name="judge.jsonl"):
        path = tmp_path / name
        with path.open("w", encoding="utf-8") as file:
            for task_id, given in rows:
                record = given if isinstance(given, dict) else {"success": given}
                file.write(json.dumps({"trajectory_id": task_id, **record}) + "\n")
        return path

    return write
