"""Raw deliveries, on samples written from a description: every call type, pictures, milestones, pair links."""

import json

import pytest


def call(kind, step_id, time=None, url=None, **arguments):
    image = {"image": {"url": url}} if url else {}
    return {
        "type": kind,
        "function": {"arguments": arguments},
        "step_id": step_id,
        "timestamp_microsecs": None if time is None else str(time),
    } | image


def delivery(name, *calls, instruction="Rename the layer", **notes):
    half = len(calls) // 2
    process = [{"events": [{"tool_calls": list(part)}]} for part in (calls[:half], calls[half:])]
    return {
        "deliverable_id": name,
        "messages": [
            {"role": "user", "content": instruction},
            {"role": "assistant", "content": "", "reasoning": {"process": process}},
        ],
        "notes": {"os": "ubuntu", "application_names": ["GIMP"], **notes},
    }


@pytest.fixture
def deliveries(tmp_path, imported):
    def do(*found):
        (tmp_path / "raw").mkdir(exist_ok=True)
        (tmp_path / "raw" / "delivery.json").write_text(json.dumps(found))
        return imported("raw_deliveries", tmp_path / "raw")

    return do


@pytest.mark.parametrize(
    ("kind", "arguments", "expected"),
    [
        ("click", {"x": 1, "y": 2, "text": "left-click", "numClicks": 1}, ("click", [1, 2, "left", 1])),
        ("click", {"x": 1, "y": 2, "text": "right-click"}, ("click", [1, 2, "right", 1])),
        ("doubleClick", {"x": 1, "y": 2, "text": "left-click"}, ("click", [1, 2, "left", 2])),
        ("typing", {"text": "Ctrl+C"}, ("type", ["Ctrl+C"])),
        ("press", {"text": "Enter"}, ("press", [["enter"]])),
        ("hotkey", {"text": "Ctrl+C"}, ("hotkey", [["ctrl", "c"]])),
        (
            "scroll",
            {"scrollX": 5, "scrollY": 6, "scrollDirection": "up", "totalScrollDistance": 240},
            ("scroll", [5, 6, "up", 240]),
        ),
        ("dragFromTo", {"x": 1, "y": 2, "xEnd": 3, "yEnd": 4}, ("drag", [1, 2, 3, 4])),
        ("keyDown", {"text": "Shift"}, ("key_down", ["shift"])),
        ("keyUp", {"text": "Shift"}, ("key_up", ["shift"])),
        ("pinch", {"scale": 2}, ("pinch", [2])),
    ],
)
def test_every_type_of_call_is_translated(deliveries, kind, arguments, expected):
    ((found, parameters),) = deliveries(delivery("d1", call(kind, 0, **arguments))).actions("d1")
    assert (found, list(parameters.values())) == expected


def test_a_drag_with_an_end_only_begins_at_the_pointer(deliveries):
    one = deliveries(delivery("d1", call("click", 0, x=10, y=20, text="left-click"), call("drag", 1, x=50, y=60)))
    assert one.actions("d1")[1] == ("drag", {"start_x": 10, "start_y": 20, "end_x": 50, "end_y": 60})


def test_pictures_at_web_addresses_are_taken_from_where_they_were_downloaded(deliveries, tmp_path, picture):
    here = picture(tmp_path / "raw" / "images" / "d1" / "step_4.jpeg", 1)
    bucket = "https://storage.example/d1/shot"
    calls = [call("press", 4, url=f"{bucket}/a.jpeg?x=1", text="a"), call("press", 5, url=f"{bucket}/b.png", text="b")]
    one = deliveries(delivery("d1", *calls, call("press", 6, text="c")))
    assert one.pictures("d1") == [here, "missing", None]
    assert one.report.missing == {"remote_screenshot": 1}
    assert "storage.example" not in (one.folder / "trajectories.jsonl").read_text()


def test_times_count_from_the_start_of_the_recording(deliveries):
    start = 1_750_000_000_000_000
    one = deliveries(
        delivery("dated", call("press", 0, start, text="a"), call("press", 1, start + 7, text="b")),
        delivery("counted", call("press", 0, 5, text="a"), call("press", 1, "soon", text="b")),
    )
    assert [step["timestamp_us"] for step in one.records["dated"]["steps"]] == [0, 7]
    assert [step["timestamp_us"] for step in one.records["counted"]["steps"]] == [5, None]


def test_notes_become_the_tasks_fields_and_milestones_name_its_own_steps(deliveries):
    notes = {
        "os": "mac",
        "task_type": "feature",
        "task_category_list": [{"category": "Creativity", "subcategory": "Image"}],
        "milestones": [{"step_id": 12, "task_subgoal": "Layer selected"}],
    }
    record = deliveries(delivery("d1", call("press", 11, text="a"), call("press", 12, text="b"), **notes)).records["d1"]
    assert record["environment"]["os"] == "macos"
    assert record["task"] == {
        "instruction": "Rename the layer",
        "category": "Creativity",
        "subcategory": "Image",
        "task_type": "feature",
        "applications": ["GIMP"],
    }
    assert record["milestones"] == [{"step_id": 1, "description": "Layer selected"}]


def test_pair_links_are_written_apart_from_the_trajectories(deliveries):
    press = call("press", 0, text="a")
    types = {"mistake_type_inst2_demo_1": "Critical Mistake", "mistake_type_inst1_demo_2": "Bad Side Effect"}
    one = deliveries(delivery("parent", press), delivery("child", press, paired_task_id="parent", **types))
    ids = {line["recording"]: line["trajectory_id"] for line in one.lines("sources")}
    swaps = {
        "parent_instruction_child_trajectory": "Critical Mistake",
        "child_instruction_parent_trajectory": "Bad Side Effect",
    }
    assert one.lines("pairs") == [{"child": ids["child"], "parent": ids["parent"], "mistake_types": swaps}]
    told = (one.folder / "trajectories.jsonl").read_text()
    assert not any(word in told for word in ("Critical", "parent", "paired"))
    assert one.labels == {}


def test_a_broken_delivery_does_not_stop_the_others(deliveries):
    press = call("press", 0, text="a")
    one = deliveries(delivery("good", press), "text", {"deliverable_id": "odd", "messages": [1, None]}, {"x": 1})
    assert sorted(one.records) == ["good"]
    assert [(note.code, note.file) for note in one.report.lost] == [("no_instruction", "odd")]


@pytest.mark.parametrize("url", ["http://[x/a.png", "http://[x]y/a.png?n=1", "http://\u2100/a.png", "https://x.org"])
def test_an_address_that_is_none_is_a_picture_that_is_missing(deliveries, url):
    one = deliveries(delivery("d", call("click", 0, url=url, x=1, y=2)))
    (key,) = one.records
    assert [kind for kind, _ in one.actions(key)] == ["click"]
    assert one.report.missing == {"remote_screenshot": 1}
