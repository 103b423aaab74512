"""The judging guide states the contract that replies are read by."""

import hashlib

import pytest

from agenthorizon.prompts import guide


def test_hash_is_that_of_the_text():
    assert guide().sha256 == hashlib.sha256(guide().text.encode()).hexdigest()


@pytest.mark.parametrize(
    "word",
    [
        "`success`",
        "`reasoning`",
        "`confidence`",
        "`mistake_type`",
        '"Critical Mistake"',
        '"Bad Side Effect"',
        '"Misunderstanding of the Instruction"',
    ],
)
def test_every_field_and_mistake_type_is_named(word: str):
    assert word in " ".join(guide().text.split())


def test_guide_stays_short_enough_to_be_read():
    assert len(guide().text.splitlines()) < 60
