"""Slices count the tasks of each value and say when they are too few to mean anything."""

import json

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.dataset.labels import Labels
from agenthorizon.report.slice_tables import slices_to_markdown
from agenthorizon.scoring.answers import Answer, Answers
from agenthorizon.scoring.scorecard import score
from agenthorizon.scoring.slices import slices

YES = Answer("verdict", True)


def card(positives=8, negatives=8, right=8):
    """A judge that says yes to everything, on a split of so many tasks."""
    labels = [Label(trajectory_id=f"p{n}", label="positive") for n in range(positives)]
    labels += [Label(trajectory_id=f"n{n}", label="negative") for n in range(negatives)]
    return score(Answers("j", "run", {label.trajectory_id: YES for label in labels}), Labels({"AH": labels}))


def sizes(found):
    return {one.value: one.score.tasks for one in found}


def test_each_value_has_its_own_counts():
    os = {f"{kind}{n}": ("linux" if n < 6 else "macos",) for kind in "pn" for n in range(8)}
    found = slices(card(), "os", os)
    assert sizes(found) == {"linux": 12, "macos": 4}
    assert [(one.score.tpr.numerator, one.score.tnr.denominator) for one in found] == [(6, 6), (2, 2)]


def test_a_task_with_several_values_is_in_several_slices():
    assert sizes(slices(card(2, 0), "app", {"p0": ("Calc", "Files"), "p1": ("Calc", "Calc")})) == {
        "Calc": 2,
        "Files": 1,
    }


def test_tasks_of_which_nothing_is_recorded_are_a_slice_of_their_own_and_last():
    assert list(sizes(slices(card(3, 0), "os", {"p0": ("windows",), "p1": ()}))) == ["windows", "not recorded"]


def test_many_numbers_are_cut_into_quarters():
    steps = {f"{kind}{n}": (10 * n + (kind == "n"),) for kind in "pn" for n in range(8)}
    assert sizes(slices(card(), "steps", steps)) == {"0 to 11": 4, "20 to 31": 4, "40 to 51": 4, "60 to 71": 4}


def test_a_few_numbers_stay_as_they_are_in_order_of_size():
    assert list(sizes(slices(card(3, 0), "windows", {"p0": (10,), "p1": (2,), "p2": (2,)}))) == ["2", "10"]


def test_equal_numbers_are_never_parted():
    steps = {f"p{n}": (1 if n < 7 else n,) for n in range(20)}
    assert sum(sizes(found := slices(card(20, 0), "steps", steps)).values()) == 20
    assert next(one for one in found if one.value.split(" ")[0] == "1").score.tasks >= 7


@pytest.mark.parametrize(
    ("positives", "negatives", "note"),
    [(400, 400, ""), (400, 0, "positives only"), (0, 400, "negatives only"), (3, 3, "too small"), (3, 0, "too small")],
)
def test_a_slice_says_what_it_cannot_say(positives, negatives, note):
    of_card = card(positives, negatives)
    [one] = slices(of_card, "os", {mark.task_id: ("linux",) for mark in of_card.marks["AH"]})
    assert note in one.note
    assert bool(note) == bool(one.note)


def test_the_json_of_a_slice_has_the_figures_of_a_split():
    [one] = slices(card(), "os", {})
    found = json.loads(json.dumps(one.to_json()))
    assert (found["by"], found["value"], found["split"], found["tasks"]) == ("os", "not recorded", "AH", 16)
    assert set(found["tpr"]) == {"value", "low", "high", "numerator", "denominator"}


def test_a_hostile_value_stays_in_its_cell():
    text = slices_to_markdown({"j": slices(card(1, 1), "os", {"p0": ("a|b\n<img src=x>\x1b[31m",)})})
    assert not any(sign in text for sign in ("<img", "\x1b"))
    assert "a\\|b" in text


def test_couples_are_counted_in_the_slice_where_both_tasks_of_a_recording_are():
    labels = [
        Label(trajectory_id=f"{kind}{n}", label=label, original_id=f"r{n}")
        for kind, label in (("p", "positive"), ("n", "negative"))
        for n in range(3)
    ]
    one = score(Answers("j", "run", {label.trajectory_id: YES for label in labels}), Labels({"AH": labels}))
    os = {"p0": ("linux",), "n0": ("linux",), "p1": ("linux",), "n1": ("linux",), "p2": ("macos",), "n2": ("windows",)}
    found = {each.value: each.score.pairs for each in slices(one, "os", os)}
    assert {value: pairs.couples for value, pairs in found.items()} == {"linux": 2, "macos": 0, "windows": 0}
    assert (found["linux"].yes_to_both.numerator, found["linux"].both_right.numerator) == (2, 0)
