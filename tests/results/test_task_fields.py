"""The fields that scores are sliced by: from labels, from the tasks' records, from how a run showed a task."""

import pytest

from agenthorizon.dataset.label import Label
from agenthorizon.errors import UsageError
from agenthorizon.results.task_fields import field_values
from agenthorizon.source import load

LABELS = {
    label.trajectory_id: label
    for label in (
        Label(trajectory_id="own", label="positive", trajectory_scenario="office"),
        Label(trajectory_id="swap", label="negative", negative_source="child", mistake_type="Critical Mistake"),
        Label(trajectory_id="untyped", label="negative"),
    )
}


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("swap", {"own": ("own instruction",), "swap": ("child",), "untyped": ()}),
        ("type", {"own": ("positive",), "swap": ("Critical Mistake",), "untyped": ()}),
        ("trajectory_scenario", {"own": ("office",), "swap": (), "untyped": ()}),
    ],
)
def test_fields_of_labels_need_no_data_set(by, expected):
    assert field_values(by, LABELS) == expected


@pytest.mark.parametrize("by", ["os", "app", "domain", "steps", "resolution", "category"])
def test_fields_of_the_shipped_tasks_are_known_of_every_task(by):
    bench = load("demo")
    values = field_values(by, bench.labels, bench)
    assert len(values) == 41
    assert all(values.values())


def test_steps_are_numbers_and_applications_are_several():
    bench = load("demo")
    assert max(values[0] for values in field_values("steps", bench.labels, bench).values()) == max(
        len(task.trajectory.steps) for task in bench
    )
    assert all(isinstance(app, str) for apps in field_values("app", bench.labels, bench).values() for app in apps)


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ({"missing": [], "merged": False}, "as recorded"),
        ({"missing": [{"step": 1}]}, "missing"),
        ({"merged": True}, "merged"),
        ({"missing": [{"step": 1}], "merged": True}, "missing and merged"),
    ],
)
def test_how_a_run_showed_the_screenshots_is_a_field(evidence, expected):
    assert field_values("screenshots", LABELS, evidence={"own": evidence})["own"] == (expected,)


def test_a_field_that_no_task_has_is_refused_with_those_there_are():
    bench = load("demo")
    with pytest.raises(UsageError, match="no task has a field 'mood'; there are os, app, domain, steps"):
        field_values("mood", bench.labels, bench)


def test_without_the_data_set_its_fields_are_asked_for():
    with pytest.raises(UsageError, match="give the data set itself"):
        field_values("os", LABELS)
