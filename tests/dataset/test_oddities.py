"""What is unusual in an action's coordinates is said, and nothing of usual ones."""

import pytest

from agenthorizon.dataset.oddities import oddities
from agenthorizon.dataset.schema import Place


def codes(parameters, resolution):
    record = {
        "trajectory_id": "00000000-0000-4000-8000-000000000001",
        "environment": {"os": "linux", "screen_resolution": resolution},
        "steps": [{"step_id": 0, "action": {"type": "move", "parameters": parameters}}],
    }
    return [finding.code for finding in oddities(record, Place("a.json"), has_surrogate=False)]


@pytest.mark.parametrize(
    ("x", "y", "found"),
    [
        (0, 0, []),
        (63, 39, []),
        (63.5, 39.5, []),
        (64, 39, ["coordinate_out_of_range"]),
        (63, 40, ["coordinate_out_of_range"]),
        (-1, 5, ["coordinate_out_of_range"]),
        (0.5, 0.25, ["coordinate_maybe_normalised"]),
        (-0.5, 0.25, ["coordinate_maybe_normalised", "coordinate_out_of_range"]),
        (0.5, 1, []),
        (0, 0.5, []),
        ("5", 5, ["coordinate_type"]),
        (True, 5, ["coordinate_type"]),
        ("5", 40, ["coordinate_type", "coordinate_out_of_range"]),
        (None, 5, ["missing_parameter"]),
    ],
)
def test_coordinates_on_a_screen_of_64_by_40(x, y, found):
    assert codes({"x": x, "y": y}, [64, 40]) == found


@pytest.mark.parametrize("resolution", [None, [64], ["64", "40"], "64x40"])
def test_without_a_readable_resolution_only_what_is_negative_is_off_the_screen(resolution):
    assert codes({"x": 9999, "y": 9999}, resolution) == []
    assert codes({"x": 9999, "y": -1}, resolution) == ["coordinate_out_of_range"]
