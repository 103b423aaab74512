"""What an action may not show is withheld in every shape and spelling, named, and nothing else is lost."""

import json

import pytest

from agenthorizon.dataset.action_fields import blind_action, hidden_fields
from agenthorizon.dataset.recorded_places import recorded_places
from agenthorizon.task import Action

PLACES = recorded_places([f"./data/images/Rec-4711/step_{number}.png" for number in (0, 1)], "0103-secret-id")


def shown(**parameters):
    """The parameters as shown, and the names of what was withheld, which must be those that an audit names."""
    blind = blind_action(Action(type="done", parameters=parameters), PLACES)
    assert hidden_fields({"type": "done", "parameters": parameters}, PLACES) == tuple(
        f"parameters.{name}" for name in blind.withheld
    )
    return blind.action.parameters, blind.withheld


@pytest.mark.parametrize(
    "telling",
    [
        "Rec-4711",
        "rec-4711",
        "step_1.png",
        "images/rec-4711/step_1.png",
        "images/rec-4711",
        "data//images/./REC-4711//step_1.png",
        "data%2Fimages%2FRec-4711%2Fstep_1.png",
        "data%252Fimages%252FRec-4711",
        "images\\rec-4711\\",
        "file:///mnt/other/rec-4711/step_1.png",
        "rec-\u200b4711",
        "0103-secret-id",
        "0103-SECRET-ID ",
    ],
)
def test_what_names_the_recording_is_withheld_as_value_element_and_key(telling):
    assert shown(x=5, shot=telling) == ({"x": 5}, ("shot",))
    assert shown(x=5, shots=["a", [telling, "b"]]) == ({"x": 5, "shots": ["a", ["b"]]}, ("shots",))
    assert shown(x=5, sizes={telling: 1, "a": 2}) == ({"x": 5, "sizes": {"a": 2}}, (f"sizes.{telling}",))
    assert shown(x=5, raw=json.dumps({"shot": telling, "a": 2})) == ({"x": 5, "raw": '{"a": 2}'}, ("raw.shot",))


@pytest.mark.parametrize(
    "name",
    [
        *("originalId", "mistakeType", "isPositive", "original.id", "labels", "ground_truth", "groundTruth"),
        *("trajectory_id", "taskId", "PairGroupID", "label.value", "suc\u200bcess", "suc\u00adcess"),
    ],
)
def test_an_answers_name_is_known_in_every_spelling(name):
    assert shown(**{name: "given-away", "x": 5}) == ({"x": 5}, (name,))


@pytest.mark.parametrize("wrap", [json.dumps, lambda value: json.dumps(json.dumps(value))])
def test_json_inside_a_text_is_looked_into(wrap):
    parameters, withheld = shown(raw=wrap({"success": True, "rows": [1, {"label": "positive"}], "app": "calc"}))
    assert "positive" not in json.dumps(parameters)
    assert "calc" in json.dumps(parameters)
    assert withheld == ("raw.success", "raw.rows.label")


@pytest.mark.parametrize(
    "text",
    ['{"a": {"success": true}, "a": 1}', "[" * 200_000, '{"a":' * 150 + "1" + "}" * 150],
    ids=["twice", "cut", "deep"],
)
def test_json_that_cannot_be_looked_into_is_withheld(text):
    assert "success" not in json.dumps(shown(raw=text)[0])


@pytest.mark.parametrize(
    "parameters",
    [
        {"folder": "images", "kind": "data", "place": "media", "direction": "left", "size": "1024"},
        {"text": "rec-4711", "keys": ["step_1.png"]},
        {"text": '{"success": true, "shot": "step_1.png"}'},
        {"note": "opened Rec-4711 in the editor", "raw": '{"b":1,  "a": 2}'},
        {"url": "https://example.org/images/step_2.png", "succeeding": 1, "label_text": "Save", "index": "0103"},
        {"code": '[broken {"json', "path": "/home/user/notes/step_1.png.txt"},
    ],
)
def test_everything_else_stays_as_recorded(parameters):
    assert shown(**parameters) == (parameters, ())


def test_an_action_that_is_a_text_and_tells_the_recording_is_named():
    assert hidden_fields("data/images/rec-4711/step_1.png", PLACES) == ("action",)


@pytest.mark.parametrize("screenshots", [[""], ["/"], [None, 3], ["./"], ["%"], ["a.png"]])
def test_odd_screenshot_paths_hide_nothing_of_an_action(screenshots):
    places = recorded_places(screenshots, "")
    assert hidden_fields({"type": "click", "parameters": {"x": "", "url": "https://a.example/b/c"}}, places) == ()
