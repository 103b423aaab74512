"""OpenCUA files, on samples written from a description: code a step, coordinates 0 to 1, monologues kept apart."""

import json

import pytest


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "opencua").mkdir()
    return tmp_path / "opencua"


def benchmark_task(**changes):
    return {
        "task_id": "20240927235321_5855063d",
        "user_task_description": "Sum the sales column.",
        "high_level_task_description": "Use SUM on the sales column of the open sheet.",
        "meta_info": {
            "system": "Windows",
            "screen_resolution": [2560, 1440],
            "applications": ["Excel"],
            "domain": "Office",
        },
        "steps": [
            {
                "step_num": 1,
                "image": "a.png",
                "action": "pyautogui.moveTo(x=0.1, y=0.2)\npyautogui.dragTo(x=0.5, y=0.2, button='left')",
                "inner_monologue": {"thought": "The previous step was successful."},
                "milestone": True,
            },
            {
                "step_num": 4,
                "image": "b.png",
                "action": "pyautogui.write(message='=SUM(A:A)')\npyautogui.press(keys=['enter'])",
            },
            {"step_num": 5, "image": "c.png", "action": "computer.terminate(status='success')"},
        ],
    } | changes


def test_a_benchmark_task_becomes_steps_in_pixels_of_its_pictures(imported, folder, picture):
    (folder / "t.json").write_text(json.dumps(benchmark_task()))
    a, b, c = (
        picture(folder / name, shade, (1280, 720)) for shade, name in enumerate(("a.png", "images/b.png", "c.png"))
    )
    one = imported("opencua", folder)
    (key,) = one.records
    assert key == "20240927235321_5855063d"
    assert one.actions(key) == [
        ("move", {"x": 128, "y": 144}),
        ("drag", {"start_x": 128, "start_y": 144, "end_x": 640, "end_y": 144}),
        ("type", {"text": "=SUM(A:A)"}),
        ("press", {"keys": ["enter"]}),
        ("wait", {"duration_s": 0.0}),
    ]
    assert one.pictures(key) == [a, None, b, None, c]
    record = one.records[key]
    assert record["environment"] == {"os": "windows", "screen_resolution": [1280, 720]}
    assert record["task"]["instruction"] == "Sum the sales column."
    assert record["task"]["applications"] == ["Excel"]
    assert "success" not in json.dumps(record)
    assert one.kept[key]["steps"][0]["inner_monologue"] == {"thought": "The previous step was successful."}
    assert [step["step_num"] for step in one.kept[key]["steps"]] == [1, 4, 5]
    assert one.kept[key]["claims"] == [{"status": "success"}]


def test_without_pictures_the_stated_screen_gives_the_pixels(imported, folder):
    (folder / "t.json").write_text(json.dumps(benchmark_task()))
    one = imported("opencua", folder)
    (key,) = one.records
    assert one.actions(key)[0] == ("move", {"x": 256, "y": 288})
    assert one.report.missing == {"missing_screenshot": 3}


def test_without_any_size_coordinates_say_their_unit_and_are_counted(imported, folder):
    (folder / "t.json").write_text(json.dumps(benchmark_task(meta_info={})))
    one = imported("opencua", folder)
    (key,) = one.records
    assert one.actions(key)[0] == ("move", {"x": 0.1, "y": 0.2, "unit": "0 to 1 of the picture"})
    assert one.report.unmapped["move in 0 to 1 of the picture"] == 1


def test_raw_examples_are_a_line_a_task(imported, folder, picture):
    traj = [
        {"index": 0, "image": "a.png", "value": {"code": "pyautogui.scroll(-3)"}},
        {"index": 1, "image": "b.png", "value": {"code": "pyautogui.rightClick(x=0.5, y=0.5)"}},
        {"index": 2, "image": "b.png", "value": {"code": "while True: pass"}},
    ]
    lines = [{"task_id": name, "instruction": f"Do {name}", "traj": traj} for name in ("one", "two")]
    (folder / "raw_example.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines) + '{"task_id": "cut')
    a, b = picture(folder / "a.png", 1), picture(folder / "b.png", 2)
    one = imported("opencua", folder / "raw_example.jsonl")
    assert sorted(one.records) == ["one", "two"]
    assert one.actions("one") == [
        ("scroll", {"direction": "down", "amount": 3, "unit": "clicks"}),
        ("click", {"x": 100, "y": 50, "button": "right", "num_clicks": 1}),
        ("code", {"code": "while True: pass"}),
    ]
    assert one.pictures("two") == [a, b, b]
    assert [note.code for note in one.report.lost] == ["unreadable_line"]
    assert one.report.unmapped == {"scroll in clicks": 2, "code": 2}
