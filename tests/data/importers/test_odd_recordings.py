"""What the native samples do not show but their formats allow, on samples written from the descriptions."""

import json

import pytest


def stamped(second):
    return f"2023-12-18_00-00-{second:02d}-000000"


def screenagent_call(folder, second, *actions, name=None):
    folder.mkdir(parents=True, exist_ok=True)
    call = {
        "session_id": "s",
        "task_prompt_en": "Draw a line",
        "video_width": 200,
        "video_height": 100,
        "saved_image_name": f"{stamped(second)}.jpg",
        "actions": list(actions),
    }
    (folder / f"{stamped(second)}_translate{name or ''}.json").write_text(json.dumps(call))


def mouse(kind, x=None, y=None, **more):
    place = {} if x is None else {"mouse_position": {"width": x, "height": y}}
    return {"action_type": "MouseAction", "mouse_action_type": kind, **place, **more}


def key(name):
    return {"action_type": "KeyboardAction", "keyboard_action_type": "press", "keyboard_key": name}


def test_screenagents_drag_begins_at_the_pointer_and_its_chords_are_hotkeys(imported, tmp_path):
    folder = tmp_path / "s"
    screenagent_call(folder, 0, mouse("move", 5, 6), mouse("drag", 50, 60, mouse_button="left"))
    screenagent_call(folder, 1, mouse("scroll_down", scroll_repeat=4), mouse("double_click", 7, 8, mouse_button="left"))
    screenagent_call(folder, 2, key(["Control_L", "s"]), key("Ctrl+S"), key("Return"), key(["control", "s"]), key([]))
    screenagent_call(folder, 3, {"action_type": "WaitAction", "wait_time": 2.5}, {"action_type": "Dance"})
    one = imported("screenagent", tmp_path / "s")
    found = [entry for entry in one.actions("s") if entry != ("wait", {"duration_s": 0.0})]
    assert found == [
        ("move", {"x": 5, "y": 6}),
        ("drag", {"start_x": 5, "start_y": 6, "end_x": 50, "end_y": 60}),
        ("scroll", {"x": 50, "y": 60, "direction": "down", "amount": 4, "unit": "notches"}),
        ("click", {"x": 7, "y": 8, "button": "left", "num_clicks": 2}),
        ("hotkey", {"keys": ["ctrl", "s"]}),
        ("hotkey", {"keys": ["ctrl", "s"]}),
        ("press", {"keys": ["enter"]}),
        ("hotkey", {"keys": ["ctrl", "s"]}),
        ("as_recorded", {"value": key([])}),
        ("wait", {"duration_s": 2.5}),
        ("as_recorded", {"value": {"action_type": "Dance"}}),
    ]
    assert one.report.unmapped == {"scroll in notches": 1, "as_recorded": 2}


def test_screenagents_augmented_copies_hidden_and_cut_files_are_no_calls(imported, tmp_path):
    folder = tmp_path / "s"
    screenagent_call(folder, 0, mouse("click", 5, 6))
    screenagent_call(folder, 1, mouse("click", 9, 9), name="_neg_eval")
    screenagent_call(folder, 2, mouse("click", 9, 9), name="_neg_plan")
    (folder / f"{stamped(3)}_translate.json").write_text('{"actions": [')
    (folder / "images").mkdir()
    (folder / "images" / ".DS_Store").write_bytes(b"\0")
    one = imported("screenagent", tmp_path)
    assert [kind for kind, _ in one.actions("s")] == ["click"]
    assert [note.code for note in one.report.lost] == ["unreadable_file"]


def flow_run(folder, *results, **report):
    folder.mkdir(parents=True)
    (folder / "report.json").write_text(json.dumps({"params": {"n": 5}, "results": list(results), **report}))


@pytest.mark.parametrize(
    ("intent", "point", "expected"),
    [
        ("click 'Login'", [3, 4], [("click", {"x": 3, "y": 4, "button": "left", "num_clicks": 1})]),
        ("click 'Login'", None, [("click_element", {"element": "'Login'"})]),
        ("type <n>", None, [("type", {"text": "5"})]),
        ("type <gone>", None, [("as_recorded", {"value": "type <gone>"})]),
        ("press Control+A", None, [("hotkey", {"keys": ["ctrl", "a"]})]),
        ("scroll by (0, 400)", None, [("scroll", {"direction": "down", "amount": 400})]),
        (
            "scroll by (-20, -400)",
            None,
            [("scroll", {"direction": "up", "amount": 400}), ("scroll", {"direction": "left", "amount": 20})],
        ),
        ("hover 'x'", None, [("as_recorded", {"value": "hover 'x'"})]),
    ],
)
def test_openadapt_flows_intents(imported, tmp_path, intent, point, expected):
    flow_run(tmp_path / "r", {"intent": intent, "resolution": {"point": point} if point else None})
    assert imported("openadapt_flow", tmp_path / "r", instructions={"r": "Do it"}).actions("r") == expected


@pytest.mark.parametrize(
    ("report", "label"),
    [
        ({"success": True}, ["positive"]),
        ({"success": False}, ["negative"]),
        ({"execution_outcome": "VERIFIED"}, ["positive"]),
        ({"execution_outcome": "HALTED"}, ["negative"]),
        ({"success": "yes"}, []),
        ({}, []),
    ],
)
def test_openadapt_flows_success_is_a_label_when_it_is_said_plainly(imported, tmp_path, report, label):
    flow_run(tmp_path / "r", {"intent": "press Enter"}, **report)
    assert list(imported("openadapt_flow", tmp_path, instructions={"r": "Do it"}).labels.values()) == label


def test_a_step_that_the_run_skipped_was_not_done(imported, tmp_path):
    flow_run(tmp_path / "r", {"intent": "press Enter"}, {"intent": "press Tab", "skipped": True})
    one = imported("openadapt_flow", tmp_path, instructions={"r": "Do it"})
    assert one.actions("r") == [("press", {"keys": ["enter"]})]
    assert one.kept["r"]["skipped"] == ["press Tab"]


def chat(*turns):
    return json.dumps([{"role": role, "content": content} for role, content in turns])


def test_webvoyagers_refused_turns_have_no_picture_and_say_so(imported, tmp_path, picture):
    folder = tmp_path / "task"
    one_shot, three_shot = picture(folder / "screenshot1.png", 1), picture(folder / "screenshot3.png", 3)
    (folder / "interact_messages.json").write_text(
        chat(
            ("system", "You browse."),
            ("user", 'Now given a task: Find it.  Please interact with x.org \nObservation: see\n[2]: <a> "Go; now";'),
            ("assistant", "Thought: I did it successfully\n\nAction: Clack [2]"),
            ("user", "Format ERROR: use the right one"),
            ("assistant", "Thought: again\nAction: Click [2]"),
            ("user", 'Observation: see\n[7]: <input> "q";\t[8]: "B";'),
            ("assistant", "Thought: no\nAction: Scroll [8]; up"),
            ("user", "Observation: omitted"),
            ("assistant", "Action: Wait"),
            ("user", "Observation: omitted"),
            ("assistant", "I am lost"),
        )
    )
    one = imported("webvoyager", tmp_path)
    assert one.actions("task") == [
        ("not_executed", {"value": "Clack [2]"}),
        ("click_element", {"element": "[2]"}),
        ("scroll", {"direction": "up", "element": '[8] "B"'}),
        ("wait", {"duration_s": 5}),
        ("wait", {"duration_s": 0.0}),
    ]
    assert one.pictures("task") == [one_shot, None, three_shot, "missing", "missing"]
    assert one.records["task"]["task"]["instruction"] == "Find it.  Please interact with x.org"
    assert [note.code for note in one.report.findings] == ["turn_without_action"]
    assert "successfully" not in (one.folder / "trajectories.jsonl").read_text()


def test_webvoyagers_picture_that_leads_out_of_the_source_is_not_there(imported, tmp_path, picture):
    picture(tmp_path / "elsewhere" / "a.png", 1)
    folder = tmp_path / "task"
    folder.mkdir()
    (folder / "screenshot1.png").symlink_to(tmp_path / "elsewhere" / "a.png")
    turns = [("user", "Now given a task: Find it."), ("assistant", "Action: Wait")]
    (folder / "interact_messages.json").write_text(chat(*turns))
    one = imported("webvoyager", folder)
    assert one.pictures("task") == [None]
    assert one.report.missing == {}


def mind2web(folder, task_id, *history):
    (folder / task_id).mkdir(parents=True)
    result = {"task_id": task_id, "task": f"Do {task_id}", "action_history": list(history), "thoughts": []}
    (folder / task_id / "result.json").write_text(json.dumps(result | {"final_result_response": "I succeeded"}))


@pytest.mark.parametrize("as_list", [False, True])
def test_online_mind2webs_human_labels(imported, tmp_path, as_list):
    values = {"a": 1, "b": 0, "c": 2, "d": True}
    for task_id in [*values, "e"]:
        mind2web(tmp_path / "results", task_id, "<a> -> CLICK")
    rows = [{"task_id": task_id, "human_label": value} for task_id, value in values.items()]
    (tmp_path / "results" / "human_label.json").write_text(json.dumps(rows if as_list else values))
    one = imported("online_mind2web", tmp_path / "results")
    assert one.labels == {"a": "positive", "b": "negative"}
    assert one.kept["c"]["human_label"] == 2
    assert "succeeded" not in (one.folder / "trajectories.jsonl").read_text()


def test_online_mind2webs_typing_and_selecting(imported, tmp_path):
    mind2web(tmp_path, "a", "<input> -> TYPE: two -> words", "<select> -> SELECT: Red", "GOTO x.org", 7)
    found = [entry for entry in imported("online_mind2web", tmp_path).actions("a") if entry[0] != "wait"]
    assert found == [
        ("type", {"text": "two -> words", "element": "<input>"}),
        ("select_element", {"element": "<select>", "value": "Red"}),
        ("as_recorded", {"value": "GOTO x.org"}),
        ("as_recorded", {"value": 7}),
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("double click (3, 4)", ("click", {"x": 3, "y": 4, "button": "left", "num_clicks": 2})),
        ("right click (3, 4)", ("click", {"x": 3, "y": 4, "button": "right", "num_clicks": 1})),
        ("type text: a\nb", ("type", {"text": "a\nb"})),
        ("drag from here to there", ("as_recorded", {"value": "drag from here to there"})),
    ],
)
def test_pc_agents_other_words(imported, tmp_path, words, expected):
    (tmp_path / "t.jsonl").write_text(json.dumps({"action": words}) + "\n")
    (tmp_path / "t.md").write_text("**Description:** Do it\n")
    assert imported("pc_agent", tmp_path / "t.jsonl").actions("t") == [expected]


def test_a_trace_without_a_box_or_code_keeps_the_planners_words(imported, tmp_path):
    (tmp_path / "README.md").write_text(
        "# Execution Trace: Do it\n### Step 1\n**Planner**: Click the thing\n"
        "### Step 2\n**Planner**: Double-click it\n**Grounder**: [0, 0, 100, 100]\n## Notes\n"
    )
    one = imported("openadapt_trace", tmp_path)
    (name,) = one.records
    unit = "0 to 1000 of the picture"
    assert one.actions(name) == [
        ("as_recorded", {"value": "Click the thing"}),
        ("click", {"x": 50, "y": 50, "unit": unit, "button": "left", "num_clicks": 2}),
    ]


def test_a_number_in_a_picture_s_name_makes_no_steps_that_were_not_recorded(imported, tmp_path, picture):
    mind2web(tmp_path, "a", "<a> -> CLICK", "<b> -> CLICK")
    shots = [picture(tmp_path / "a" / "trajectory" / f"{n}_full_screenshot.png", n) for n in (0, 1, 2)]
    last = picture(tmp_path / "a" / "trajectory" / "300000_full_screenshot.png", 9)
    assert imported("online_mind2web", tmp_path).pictures("a") == [*shots, last]


def test_two_agents_results_of_one_task_are_two_recordings_with_their_own_labels(imported, tmp_path):
    for agent, label in (("one", 1), ("two", 0)):
        mind2web(tmp_path / agent, "a", "<a> -> CLICK")
        (tmp_path / agent / "human_label.json").write_text(json.dumps({"a": label}))
    assert imported("online_mind2web", tmp_path).labels == {"one/a": "positive", "two/a": "negative"}
    apart = imported("online_mind2web", tmp_path / "one", tmp_path / "two", name="apart")
    assert apart.labels == {"one/a": "positive", "two/a": "negative"}


def test_sources_of_one_name_do_not_hide_each_other(imported, tmp_path):
    for place in ("x", "y"):
        mind2web(tmp_path / place / "results", "a", "<a> -> CLICK")
    one = imported("online_mind2web", tmp_path / "x" / "results", tmp_path / "y" / "results")
    assert sorted(one.records) == ["results#2/a", "results/a"]
