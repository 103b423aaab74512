"""Other splits of the same tasks."""

import json

import pytest

from agenthorizon.construction.checks import check_data
from agenthorizon.construction.redividing import redivide
from agenthorizon.errors import UsageError
from agenthorizon.source import load


def test_one_split_becomes_two_and_the_rest_stays(release):
    bench = load(release.root)
    ids = bench.splits["AH"]
    before = bench.fingerprint
    redivide(bench, {"AH": ids[:1], "AH-S": ids[1:]})
    after = load(release.root)
    assert {name: len(members) for name, members in after.splits.items()} == {"AH": 1, "AH-S": 3, "AH-D": 4}
    assert dict(after.labels) == dict(bench.labels)
    assert (after.fingerprint, after.form) == (before, "three-split")
    assert check_data(release.root).faults == ()


def test_a_split_whose_name_is_no_longer_used_loses_its_file(release):
    bench = load(release.root)
    redivide(bench, {"hard": bench.splits["AH"]})
    assert not (release.root / "AgentHorizon.jsonl").exists()
    assert sorted(load(release.root).splits) == ["AH-D", "hard"]
    assert json.loads((release.root / "manifest.json").read_text())["form"] == "custom"


@pytest.mark.parametrize(
    ("splits", "message"),
    [
        (lambda ids: {"x": [*ids, "unknown"]}, "not labelled"),
        (lambda ids: {"x": ids, "y": ids[:1]}, "named twice"),
        (lambda ids: {"x": ids[1:]}, "without a split"),
        (lambda ids: {"AH-D": ids}, "has a split AH-D"),
    ],
)
def test_what_is_no_division_is_refused_and_nothing_written(release, splits, message):
    bench = load(release.root)
    before = (release.root / "AgentHorizon.jsonl").read_bytes()
    with pytest.raises(UsageError, match=message):
        redivide(bench, splits(bench.splits["AH"]))
    assert (release.root / "AgentHorizon.jsonl").read_bytes() == before
