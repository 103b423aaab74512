"""What an action may not show is withheld in every shape and spelling, named, and nothing else is lost."""

import json
import time

import pytest

from agenthorizon.dataset.action_fields import Sieve
from agenthorizon.dataset.recorded_places import recorded_places
from agenthorizon.task import Action

PLACES = recorded_places([f"./data/images/Rec-4711/step_{number}.png" for number in (0, 1)], "0103-secret-id")


def shown(**parameters):
    """The parameters as shown, and the names of what was withheld, which must be those that an audit names."""
    blind = Sieve(PLACES).blind_action(Action(type="done", parameters=parameters))
    assert Sieve(PLACES).hidden_fields({"type": "done", "parameters": parameters}) == tuple(
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
        *("task_success", "isTaskSuccessful", "true_label", "gold-label", "final reward", "was_correct", "trueLabels"),
        *("ground_truth_label", "gt_label", "success_label", "successFlag", "reward_score", "TASKSuccess", "success_1"),
        *("tasksuccess", "issuccessful", "truelabel", "task_failed", "eval_score", "judgeScore", "human rating"),
        *("correctness", "taskCompleted", "trajectory_outcome", "successRate", "verdict_status", "gt_mistake_type"),
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
        {"aria_label": "Save", "labelText": "x", "task": "7", "is_final": True, "final_score": 3, "rewarding": "yes"},
        {"note": "{'app': 'calc', 'rows': [1]}", "log": '```json\n{"app": "calc"}\n```', "raw": "{a: 'label'}"},
        {"code": '[broken {"json', "path": "/home/user/notes/step_1.png.txt"},
    ],
)
def test_everything_else_stays_as_recorded(parameters):
    assert shown(**parameters) == (parameters, ())


def test_an_action_that_is_a_text_and_tells_the_recording_is_named():
    assert Sieve(PLACES).hidden_fields("data/images/rec-4711/step_1.png") == ("action",)


@pytest.mark.parametrize("screenshots", [[""], ["/"], [None, 3], ["./"], ["%"], ["a.png"]])
def test_odd_screenshot_paths_hide_nothing_of_an_action(screenshots):
    sieve = Sieve(recorded_places(screenshots, ""))
    assert sieve.hidden_fields({"type": "click", "parameters": {"x": "", "url": "https://a.example/b/c"}}) == ()


def test_what_one_action_may_show_does_not_let_through_more_in_the_next():
    sieve = Sieve(PLACES)
    actions = [
        ({"text": "rec-4711", "note": "left"}, ()),  # typed, so it stands
        ({"note": "rec-4711", "text": "left"}, ("note",)),
        ({"note": {"label": "left"}, "left": "note"}, ("note.label",)),
        ({"label": "left", "note": '{"label": 1}'}, ("label", "note.label")),
        ({"note": "rec-4711", "left": ["left", "rec-4711"]}, ("note", "left")),
    ]
    blind = [sieve.blind_action(Action(type="done", parameters=parameters)) for parameters, _ in actions * 2]
    assert [action.withheld for action in blind] == [withheld for _, withheld in actions * 2]
    assert blind[1].action.parameters == {"text": "left"}
    assert blind[0].action.parameters == {"text": "rec-4711", "note": "left"}


def test_each_folder_of_a_recording_and_each_of_its_files_tells_it():
    sieve = Sieve(recorded_places(["data/Rec-1/a/one.png", "data/Rec-1/a/two.png", "b/three.png", "four.png"]))
    telling = [
        "two.png",
        "a/two.png",
        "rec-1/a",
        "see rec-1/a/two.png",
        "data/rec-1/a/x.png",
        "b/three.png",
        "four.png",
    ]
    innocent = ["a", "data", "data/a", "b/one.png", "see a/two.png", "five.png", "a/b", "rec-2/a"]
    parameters = {str(number): text for number, text in enumerate([*telling, *innocent])}
    assert list(sieve.blind_action(Action(type="done", parameters=parameters)).action.parameters.values()) == innocent


@pytest.mark.parametrize(
    ("kind", "as_shown", "named"),
    [
        ("images/rec-4711/step_1.png", "withheld", ("type",)),
        ("rec-4711", "withheld", ("type",)),
        ('{"success": true}', "{}", ("type.success",)),
        ('{"kind": "done", "label": "positive"}', '{"kind": "done"}', ("type.label",)),
        ("success", "success", ()),
        ('{"kind": "done"}', '{"kind": "done"}', ()),
    ],
)
def test_a_type_is_looked_into_like_any_text(kind, as_shown, named):
    blind = Sieve(PLACES).blind_action(Action(type=kind, parameters={"x": 5}))
    assert (blind.action.type, blind.action.parameters, blind.withheld) == (as_shown, {"x": 5}, named)
    assert Sieve(PLACES).hidden_fields({"type": kind, "parameters": {"x": 5}}) == named


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"success": true, "score": NaN}', '{"score": NaN}'),
        ('{"success": true, "score": -Infinity, "a": 1}', '{"score": -Infinity, "a": 1}'),
        *((f'{unseen}{{"success": true, "a": 1}}{unseen}', '{"a": 1}') for unseen in "\ufeff\u200b\u2060\u00ad"),
        (' \n{"label": "positive", "a": 1}\n\n{"b": 2, "success": true}\r\n', '{"a": 1}\n{"b": 2}'),
        ('["a", {"success": true}]\n7', '["a", {}]\n7'),
    ],
)
def test_what_is_nearly_json_is_looked_into_too(text, left):
    parameters, withheld = shown(raw=text)
    assert parameters == {"raw": left}
    assert {name.rpartition(".")[2] for name in withheld} <= {"success", "label"}


@pytest.mark.parametrize(
    "text", ['{"a": NaN}', '\ufeff{"a": 1}', '{"a": 1}\n{"b": 2}\n', "{not json}\n{at all}", "[1] see below"]
)
def test_a_text_in_which_nothing_is_hidden_stays_as_it_was_written(text):
    assert shown(raw=text) == ({"raw": text}, ())


@pytest.mark.parametrize(
    "text",
    [
        "{'success': True, 'a': 1}",
        "[{'a': 1}, {'true_label': 'positive'}]",
        '```json\n{"success": true}\n```',
        '```\n{"mistake_type": null,}\n```',
        '{"success": true, "a": 1',
        "{'a': \"it's\", 'isSuccessful' : False}",
    ],
)
def test_a_text_that_begins_like_json_and_is_none_is_withheld_where_it_has_an_answers_field(text):
    assert shown(raw=text, x=5) == ({"x": 5}, ("raw",))


@pytest.mark.parametrize(
    "text",
    [
        'Final: {"success": true}',
        'Result:\n```json\n{"success": true, "a": 1}\n```',
        "done with {'task_success': False}",
        r"sent {\"true_label\": \"negative\"} on",
        "success: true",
        "step 3\nlabel: positive\n",
        "t=5 reward=1.0",
        "isSuccessful => no;",
        "mistake_type: Critical Mistake",
        "su\u200bccess: true",
        "Task success : FAILED.",
    ],
)
def test_a_note_that_says_an_answer_is_withheld_and_what_was_typed_is_not(text):
    assert shown(note=text, x=5) == ({"x": 5}, ("note",))
    assert shown(note=["a", text], x=5) == ({"note": ["a"], "x": 5}, ("note",))
    assert shown(text=text, keys=[text], x=5) == ({"text": text, "keys": [text], "x": 5}, ())


def test_a_long_text_is_looked_through_in_a_moment():
    started = time.process_time()
    for text in ("success" + " " * 300_000 + "x:", "a" * 300_000 + ":", "success:" * 50_000, "\\" * 300_000 + ":"):
        assert shown(note=text) == ({"note": text}, ())
    assert time.process_time() - started < 5
