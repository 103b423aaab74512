"""Ranks left open and groups that cannot be told apart, from who was shown to be better than whom."""

import itertools
import random

import pytest

from agenthorizon.scoring.ties import standings


def standing_of(judges, *better):
    return standings(judges, {pair: pair in better for pair in itertools.permutations(judges, 2)})


def test_a_chain_of_ties_has_overlapping_groups():
    found = standing_of("ABC", ("A", "C"))
    assert {name: (s.best, s.worst, s.groups) for name, s in found.items()} == {
        "A": (1, 2, ("a",)),
        "B": (1, 3, ("a", "b")),
        "C": (2, 3, ("b",)),
    }


def test_judges_all_told_apart_have_one_rank_each():
    found = standing_of("ABC", ("A", "B"), ("A", "C"), ("B", "C"))
    assert [(s.best, s.worst, s.groups) for s in found.values()] == [(1, 1, ("a",)), (2, 2, ("b",)), (3, 3, ("c",))]


def test_judges_none_of_which_is_told_apart_share_every_rank():
    assert {(s.best, s.worst, s.groups) for s in standing_of("ABCD").values()} == {(1, 4, ("a",))}


@pytest.mark.parametrize("seed", range(20))
def test_two_judges_share_a_letter_exactly_when_they_cannot_be_told_apart(seed):
    chance = random.Random(seed)
    judges = [f"j{n}" for n in range(chance.randint(2, 9))]
    better = {pair for pair in itertools.combinations(judges, 2) if chance.random() < 0.4}
    found = standing_of(judges, *better)
    for a, b in itertools.combinations(judges, 2):
        assert bool(set(found[a].groups) & set(found[b].groups)) == ((a, b) not in better)


def test_there_are_letters_for_more_than_26_groups():
    judges = [f"j{n:02}" for n in range(30)]
    found = standing_of(judges, *itertools.combinations(judges, 2))
    assert found["j29"].groups == ("ad",)
