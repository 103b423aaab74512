"""Splits: forms by their names, the order of tables, and the files that labels stand in."""

from pathlib import Path

import pytest

from agenthorizon.dataset.splits import CLASSES, SIZES, THREE_SPLIT, form_of, in_order, label_file_name, split_name


@pytest.mark.parametrize(
    ("names", "form"),
    [
        (["AH-D", "AH", "AH-S"], "three-split"),
        (["AH-S", "AH"], "two-split"),
        (["AH"], "mine"),
        (["AH", "AH-S", "extra"], "mine"),
        ([], "mine"),
    ],
)
def test_a_published_form_has_exactly_its_splits(names, form):
    assert form_of(names, "mine") == form


def test_positives_and_negatives_of_a_published_split_are_all_its_tasks():
    assert {name: sum(classes) for name, classes in CLASSES.items()}.items() <= SIZES[THREE_SPLIT].items()


def test_published_splits_stand_before_others():
    assert in_order(["b", "AH-D", "a", "AH", "AH-S", "a"]) == ["AH", "AH-S", "AH-D", "a", "b"]


@pytest.mark.parametrize("split", ["AH", "AH-S", "AH-D", "mine"])
def test_labels_are_read_back_as_the_split_they_were_written_for(split):
    assert split_name(Path(label_file_name(split))) == split


def test_every_published_name_of_the_development_file_is_its_split():
    stems = ("AgentHorizon-Development", "AgentHorizon-Dev", "AgentHorizon-D")
    assert {split_name(Path(f"{stem}.jsonl")) for stem in stems} == {"AH-D"}
