"""The released accounting, from 425 pairs to three splits, on generated recordings of the same shape."""

import json
import random

import pytest

from agenthorizon.construction.building import BuildPlan, build
from agenthorizon.construction.checks import check_data
from agenthorizon.construction.links import read_links
from agenthorizon.construction.partition import partition
from agenthorizon.construction.review import read_review
from agenthorizon.dataset.pair_link import CHILD_SHOWN, PARENT_SHOWN
from agenthorizon.source import load
from agenthorizon.verdict import MISTAKE_TYPES

PAIRS, DROPPED, UNTYPED = 425, 327, 6
FRONTIER, SIMPLE, DEVELOPMENT = 528, 683, 162


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("accounting")
    ids = [f"rec-{n:04}" for n in range(2 * PAIRS)]
    draw = random.Random(7)
    records = [
        {
            "trajectory_id": name,
            "task": {"instruction": f"Set cell A1 of sheet {n} to {n}", "applications": ["Calc"]},
            "environment": {"os": "linux", "screen_resolution": [100, 100]},
            "steps": [{"step_id": 0, "action": {"type": "type", "parameters": {"text": str(n)}}, "timestamp_us": 1}],
        }
        for n, name in enumerate(ids)
    ]
    ways = [(n, way) for n in range(PAIRS) for way in (CHILD_SHOWN, PARENT_SHOWN)]
    untyped = set(draw.sample(ways, UNTYPED))
    pairs = [
        {
            "parent": ids[2 * n],
            "child": ids[2 * n + 1],
            "mistake_types": {
                way: None if (n, way) in untyped else draw.choice(MISTAKE_TYPES) for way in (CHILD_SHOWN, PARENT_SHOWN)
            },
        }
        for n in range(PAIRS)
    ]
    dropped = draw.sample(ids, DROPPED)
    review = [
        {"recording": name, "decision": "drop" if name in dropped else "keep", "severity": draw.randint(1, 4)}
        for name in ids
    ]
    recordings = load(lines(folder / "recordings.jsonl", records))
    plan = BuildPlan(
        recordings,
        read_links(lines(folder / "pairs.jsonl", pairs), ids),
        read_review(lines(folder / "review.jsonl", review), ids),
        sizes={"AH-D": DEVELOPMENT},
        seed=1,
    )
    return build(plan, folder / "release")


def counts(built):
    return {row.what: (row.count, row.of) for row in built.rows}


def test_425_pairs_become_1700_candidates_and_1373_tasks(built):
    found = counts(built)
    assert found["recordings"] == (850, None)
    assert found["pairs"] == (425, None)
    assert found["candidates"] == (1700, None)
    assert found["dropped: positives in review"] == (327, 850)
    assert found["tasks"] == (1373, 1700)


def test_523_are_positive_and_850_negative_of_which_6_are_untyped(built):
    labels = load(built.folder).labels.values()
    positives = sum(label.is_positive for label in labels)
    assert (positives, len(labels) - positives) == (523, 850)
    assert sum(not label.is_positive and label.mistake_type is None for label in labels) == 6
    assert counts(built)["negatives: untyped"] == (6, 850)


def test_the_development_split_has_162_tasks_and_shares_no_group(built):
    labels = load(built.folder).labels
    groups = {name: {labels.groups[each.trajectory_id] for each in members} for name, members in labels.splits.items()}
    assert {name: len(members) for name, members in labels.splits.items()} == {"AH-D": 162, "evaluation": 1211}
    assert groups["AH-D"].isdisjoint(groups["evaluation"])


def test_the_rule_divides_the_rest_into_528_and_683(built):
    """Of 24 verdicts, 528 drawn tasks have from 0 to 18 right ones; the rest are wrong or invalid."""
    labels = load(built.folder).labels
    rest = labels.splits["evaluation"]
    draw = random.Random(3)
    hard = {label.trajectory_id for label in draw.sample(rest, FRONTIER)}
    verdicts = {splitter: {} for splitter in "abc"}
    for label in rest:
        right = draw.randint(0, 18) if label.trajectory_id in hard else draw.randint(19, 24)
        marks = [label.is_positive] * right + [draw.choice([not label.is_positive, None]) for _ in range(24 - right)]
        draw.shuffle(marks)
        for k, splitter in enumerate("abc"):
            verdicts[splitter][label.trajectory_id] = marks[8 * k : 8 * k + 8]
    is_positive = {task_id: label.is_positive for task_id, label in labels.items()}
    held_out = [label.trajectory_id for label in labels.splits["AH-D"]]
    found = partition(verdicts, is_positive, held_out)
    assert (len(found.frontier), len(found.simple)) == (FRONTIER, SIMPLE)
    assert set(found.frontier) == hard


def test_what_was_built_has_no_fault(built):
    assert check_data(built.folder).faults == ()
