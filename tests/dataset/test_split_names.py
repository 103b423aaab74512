"""A split of one's own data has a name that says which tasks it holds."""

import json
from pathlib import Path

import pytest

from agenthorizon.dataset.splits import label_file_name, split_name
from agenthorizon.results.scorecards import find_labels
from agenthorizon.source import load


@pytest.mark.parametrize(
    ("file", "split"),
    [
        ("labels.jsonl", "all"),
        ("trajectories.jsonl", "all"),
        ("agenthorizon_labels.jsonl", "all"),
        ("mine_labels.jsonl", "mine"),
        ("mine.jsonl", "mine"),
        ("_labels.jsonl", "_labels"),
        ("AgentHorizon.jsonl", "AH"),
        ("AgentHorizon-Simple.jsonl", "AH-S"),
    ],
)
def test_a_file_names_its_split(file, split):
    assert split_name(Path(file)) == split


@pytest.mark.parametrize("split", ["all", "mine", "AH", "AH-S", "AH-D", "evaluation"])
def test_a_split_s_own_file_names_it_again(split):
    assert split_name(Path(label_file_name(split))) == split


@pytest.mark.parametrize(
    ("names", "splits"),
    [
        (("trajectories.jsonl", "labels.jsonl"), ["all"]),
        (("trajectories.jsonl", None), ["all"]),
        (("mine.jsonl", "mine_labels.jsonl"), ["mine"]),
        (("mine.jsonl", None), ["mine"]),
    ],
    ids=["labelled", "bare", "named", "named-bare"],
)
def test_data_of_ones_own_and_its_labels_alone_name_one_split(names, splits, tmp_path):
    step = {"step_id": 0, "screenshot": None, "action": {"type": "wait", "parameters": {"duration_s": 1}}}
    record = {"trajectory_id": "t", "task": {"instruction": "Wait."}, "steps": [step]}
    (tmp_path / names[0]).write_text(json.dumps(record) + "\n")
    if names[1]:
        (tmp_path / names[1]).write_text('{"trajectory_id": "t", "label": "positive"}\n')
        assert list(find_labels([str(tmp_path / names[1])]).splits) == splits
    assert list(load(tmp_path / names[0]).splits) == splits
