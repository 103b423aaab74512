"""OSWorld results, on samples written from a description: pictures after their step, odd lines, scores."""

import json

import pytest

TASK = "bb5e4c0d-f964-439c-97b6-bdb9747de3f4"


@pytest.fixture
def results(tmp_path, picture):
    """Write a result folder and its task file; return the two sources and the bytes of the pictures."""

    def do(lines, score=None, task=TASK):
        folder = tmp_path / "results" / "pyautogui" / "screenshot" / "model" / "chrome" / task
        folder.mkdir(parents=True)
        shots = {}
        for number, name in enumerate(dict.fromkeys(line.get("screenshot_file") for line in lines)):
            if name:
                shots[name] = picture(folder / name, number)
        (folder / "traj.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        if score is not None:
            (folder / "result.txt").write_text(score)
        example = tmp_path / "examples" / "chrome" / f"{task}.json"
        example.parent.mkdir(parents=True, exist_ok=True)
        example.write_text(json.dumps({"id": task, "instruction": "Bookmark it", "related_apps": ["chrome"]}))
        return tmp_path / "results", tmp_path / "examples", shots, folder

    return do


def line(number, action, second=0, **more):
    time = f"20250828@2116{second:02d}"
    shot = f"step_{number}_{time}.png"
    return {
        "step_num": number,
        "action_timestamp": time,
        "action": action,
        "response": "Bookmark saved successfully",
        "reward": 0,
        "done": False,
        "info": {},
        "screenshot_file": shot,
    } | more


def only(one):
    (key,) = one.records
    return key


def test_a_picture_stands_before_the_next_action(imported, results):
    lines = [line(1, "pyautogui.click(960, 540)", 1), line(2, "pyautogui.write('x')", 4), line(3, "DONE", 9)]
    *sources, shots, _ = results(lines, "1.0\n")
    one = imported("osworld", *sources)
    key = only(one)
    first, second, third = (shots[entry["screenshot_file"]] for entry in lines)
    assert one.pictures(key) == [None, first, second, third]
    assert [kind for kind, _ in one.actions(key)] == ["click", "type", "wait", "wait"]
    assert [step["timestamp_us"] for step in one.records[key]["steps"]] == [0, 3_000_000, None, None]
    record = one.records[key]
    assert record["task"] == {"instruction": "Bookmark it", "category": "chrome", "applications": ["chrome"]}
    assert record["environment"]["screen_resolution"] == [200, 100]


def test_claims_answers_and_rewards_never_stand_in_the_trajectory(imported, results):
    *sources, _, _ = results([line(1, "pyautogui.press('a')"), line(2, "FAIL", 2, reward=1, done=True)], "1")
    one = imported("osworld", *sources)
    told = (one.folder / "trajectories.jsonl").read_text()
    assert not any(word in told for word in ("FAIL", "successfully", "reward", "done"))
    kept = one.kept[only(one)]
    assert (kept["score"], kept["claims"]) == (1.0, [{"status": "FAIL"}])
    assert [step["reward"] for step in kept["steps"]] == [0, 1]


@pytest.mark.parametrize(
    ("score", "label"), [("1", "positive"), ("0.0", "negative"), ("0.5", None), ("", None), (None, None)]
)
def test_a_whole_score_is_a_label_and_a_part_is_none(imported, results, score, label):
    *sources, _, _ = results([line(1, "pyautogui.press('a')")], score)
    one = imported("osworld", *sources)
    assert list(one.labels.values()) == ([label] if label else [])


def test_several_actions_of_one_step_share_its_picture(imported, results):
    shot = "step_1_20250828@211601.png"
    lines = [line(1, "pyautogui.click(1, 2)", screenshot_file=shot), line(1, "pyautogui.press('b')", 1)]
    lines += [line(2, "pyautogui.click(5, 6); pyautogui.press('c')\npyautogui.hotkey('ctrl', 's')", 2)]
    *sources, shots, _ = results(lines)
    one = imported("osworld", *sources)
    after_first, after_second = shots[shot], shots[lines[2]["screenshot_file"]]
    assert one.pictures(only(one)) == [None, None, after_first, None, None, after_second]
    assert [kind for kind, _ in one.actions(only(one))] == ["click", "press", "click", "press", "hotkey", "wait"]


def test_a_repeated_line_is_left_out_and_noted(imported, results):
    lines = [line(1, "pyautogui.press('a')", 1), line(2, "pyautogui.press('b')", 2)]
    *sources, _, _ = results([lines[0], lines[0], lines[1], lines[0]])
    one = imported("osworld", *sources)
    assert [given["keys"] for kind, given in one.actions(only(one)) if kind == "press"] == [["a"], ["b"]]
    assert [(note.code, note.line) for note in one.report.findings] == [("repeated_line", 2), ("repeated_line", 4)]


def test_a_later_attempt_in_the_same_file_replaces_the_earlier_one_which_is_kept_apart(imported, results):
    first = [line(1, "pyautogui.press('a')", 1), line(2, "pyautogui.press('b')", 2)]
    *sources, _, _ = results([*first, line(1, "pyautogui.press('z')", 30)])
    one = imported("osworld", *sources)
    assert [given["keys"] for kind, given in one.actions(only(one)) if kind == "press"] == [["z"]]
    assert one.kept[only(one)]["earlier_attempts"] == [first]
    assert [note.code for note in one.report.findings] == ["earlier_attempt"]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (
            {"action_type": "CLICK", "parameters": {"x": 9, "y": 8, "button": "right", "num_clicks": 2}},
            ("click", {"x": 9, "y": 8, "button": "right", "num_clicks": 2}),
        ),
        (
            {"action_type": "DOUBLE_CLICK", "x": 9, "y": 8},
            ("click", {"x": 9, "y": 8, "button": "left", "num_clicks": 2}),
        ),
        ({"action_type": "TYPING", "parameters": {"text": "hi"}}, ("type", {"text": "hi"})),
        ({"action_type": "PRESS", "parameters": {"key": "Return"}}, ("press", {"keys": ["enter"]})),
        ({"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "c"]}}, ("hotkey", {"keys": ["ctrl", "c"]})),
        ({"action_type": "KEY_DOWN", "parameters": {"key": "shift"}}, ("key_down", {"key": "shift"})),
        ({"action_type": "MOVE_TO", "parameters": {"x": 1, "y": 2}}, ("move", {"x": 1, "y": 2})),
        (
            {"action_type": "SCROLL", "parameters": {"dx": 0, "dy": -3}},
            ("scroll", {"direction": "down", "amount": 3, "unit": "clicks"}),
        ),
        ({"action_type": "WAIT"}, ("wait", {})),
        ({"name": "computer", "command": "pyautogui.press('a')"}, ("press", {"keys": ["a"]})),
        ({"action_type": "FLY"}, ("as_recorded", {"value": {"action_type": "FLY"}})),
        (["odd"], ("as_recorded", {"value": ["odd"]})),
    ],
)
def test_actions_that_are_objects_are_translated_too(imported, results, action, expected):
    *sources, _, _ = results([line(1, action)])
    one = imported("osworld", *sources)
    assert one.actions(only(one))[0] == expected


def test_missing_and_pointer_pictures_are_counted_and_their_steps_say_so(imported, results):
    lines = [line(1, "pyautogui.press('a')", 1), line(2, "pyautogui.press('b')", 2), line(3, "DONE", 3)]
    *sources, _, folder = results(lines)
    (folder / lines[0]["screenshot_file"]).unlink()
    (folder / lines[1]["screenshot_file"]).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    one = imported("osworld", *sources)
    assert one.report.missing == {"missing_screenshot": 1, "pointer_file": 1}
    assert [picture == "missing" for picture in one.pictures(only(one))] == [False, True, True, False]


def test_a_cut_last_line_is_noted_and_the_rest_is_taken(imported, results):
    *sources, _, folder = results([line(1, "pyautogui.press('a')")])
    with (folder / "traj.jsonl").open("a") as file:
        file.write('{"step_num": 2, "action": "pyauto')
    one = imported("osworld", *sources)
    assert [note.code for note in one.report.lost] == ["unreadable_line"]
    assert len(one.actions(only(one))) == 2


def test_a_task_without_its_task_file_is_not_taken(imported, results):
    source, *_ = results([line(1, "pyautogui.press('a')")])
    assert [note.code for note in imported("osworld", source).report.lost] == ["no_instruction"]


def test_a_picture_name_that_leads_out_of_the_results_is_never_opened(imported, results, tmp_path, picture):
    secret = picture(tmp_path / "secret.png", 99)
    *sources, _, _ = results([line(1, "pyautogui.press('a')", screenshot_file=None)])
    folder = next((tmp_path / "results").rglob("traj.jsonl"))
    name = "../../../../../../secret.png"
    folder.write_text(json.dumps(line(1, "pyautogui.press('a')", screenshot_file=name)) + "\n")
    one = imported("osworld", *sources)
    assert one.report.missing == {"unsafe_path": 1}
    assert all(path.read_bytes() != secret for path in one.folder.rglob("*") if path.is_file())
