"""Answers by recording: own and swapped instruction side by side."""

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.scoring.answers import MALFORMED, Answer, Answers
from agenthorizon.scoring.scorecard import score

YES, NO = Answer("verdict", True), Answer("verdict", False)


def label(name, kind, recording, other):
    return Label(trajectory_id=name, label=kind, original_id=recording, paired_id=other)


PAIR = [
    label("own-a", "positive", "A", "B"),
    label("own-b", "positive", "B", "A"),
    label("swap-a", "negative", "A", "B"),
    label("swap-b", "negative", "B", "A"),
]


def insight(labels=PAIR, **by_id):
    answers = {name.replace("_", "-"): answer for name, answer in by_id.items()}
    return score(Answers("j", "run", answers), Labels({"AH": labels})).main.pairs


@pytest.mark.parametrize(
    ("own", "swapped", "name"),
    [
        (YES, NO, "both_right"),
        (YES, YES, "yes_to_both"),
        (NO, NO, "no_to_both"),
        (NO, YES, "inverted"),
        (MALFORMED, NO, "without_verdict"),
        (YES, MALFORMED, "without_verdict"),
    ],
)
def test_a_couple_is_of_one_kind(own, swapped, name):
    found = insight(own_a=own, swap_a=swapped, own_b=YES, swap_b=NO)
    kinds = ("both_right", "yes_to_both", "no_to_both", "inverted", "without_verdict")
    counts = {kind: getattr(found, kind).numerator for kind in kinds}
    expected = dict.fromkeys(kinds, 0) | {"both_right": 1}
    expected[name] += 1
    assert (found.couples, counts) == (2, expected)


def test_a_recording_whose_own_task_fell_in_review_makes_no_couple():
    found = insight(PAIR[1:], own_b=YES, swap_a=NO, swap_b=NO)
    assert (found.couples, found.both_right.value) == (1, 1.0)


def test_a_recording_with_two_swaps_makes_two_couples():
    triangle = [*PAIR, label("swap-a2", "negative", "A", "C")]
    found = insight(triangle, own_a=YES, swap_a=NO, swap_a2=YES, own_b=YES, swap_b=NO)
    assert (found.couples, found.both_right.numerator, found.yes_to_both.numerator) == (3, 2, 1)


def test_the_yes_rate_is_of_verdicts_alone():
    found = insight(own_a=YES, own_b=YES, swap_a=MALFORMED, swap_b=NO)
    assert (found.yes_rate.numerator, found.yes_rate.denominator) == (2, 3)


def test_labels_that_name_no_recording_make_no_couple_and_no_share():
    found = insight([Label(trajectory_id="p", label="positive")], p=YES)
    assert (found.couples, found.both_right.value) == (0, None)
