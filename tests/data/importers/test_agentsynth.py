"""AgentSynth tasks, on samples written from a description: arrays of arrays, pictures as text, shared recordings."""

import base64
import json

import pytest


def task(shots, **changes):
    return {
        "task_id": "t1",
        "summary_task": "Search for trains and note the price.",
        "persona": "a commuter",
        "thoughts": [["open the browser", "done"], ["type it"]],
        "actions": [["click the browser", "DONE"], ["type"]],
        "commands": [["pyautogui.click(66, 559)", None], ["pyautogui.write('trains'); time.sleep(1)"]],
        "screenshots": shots,
        "done": [True, False],
    } | changes


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "synth").mkdir()
    return tmp_path / "synth"


@pytest.fixture
def shots(tmp_path, picture):
    return [picture(tmp_path / f"{shade}.png", shade) for shade in range(3)]


def text(data):
    return base64.b64encode(data).decode()


def test_pictures_in_the_file_stand_before_the_next_command(imported, folder, shots):
    first, second, third = shots
    (folder / "a.json").write_text(json.dumps(task([[text(first), text(second)], [text(third)]])))
    one = imported("agentsynth", folder)
    assert one.actions("a.json") == [
        ("click", {"x": 66, "y": 559, "button": "left", "num_clicks": 1}),
        ("wait", {"duration_s": 0.0}),
        ("type", {"text": "trains"}),
        ("wait", {"duration_s": 1}),
        ("wait", {"duration_s": 0.0}),
    ]
    assert one.pictures("a.json") == [None, first, second, None, third]
    assert one.report.actions == 3
    assert one.records["a.json"]["task"]["persona"] == "a commuter"
    told = json.dumps(one.records["a.json"]).lower()
    assert not any(word in told for word in ("done", "true", "open the browser"))
    assert one.kept["a.json"]["done"] == [True, False]


def test_pictures_may_be_files_beside(imported, folder, picture):
    picture(folder / "s" / "0.png", 7)
    (folder / "a.json").write_text(json.dumps(task([["s/0.png", "s/1.png"], []])))
    one = imported("agentsynth", folder)
    assert one.report.screenshots == 1
    assert one.report.missing == {"missing_screenshot": 1}


def test_one_recording_under_two_instructions_shares_its_pictures(imported, folder, shots):
    pictures = [[text(shots[0])], [text(shots[1])]]
    (folder / "a.json").write_text(json.dumps(task(pictures)))
    (folder / "b.json").write_text(json.dumps(task(pictures, summary_task="Search for buses and note the price.")))
    one = imported("agentsynth", folder)
    assert one.pictures("a.json") == one.pictures("b.json")
    assert len(list(one.folder.glob("media/images/*"))) == 1
    assert one.labels == {}


def test_a_text_that_is_no_picture_is_missing(imported, folder):
    (folder / "a.json").write_text(json.dumps(task([["A" * 400, "data:image/png;base64,AAAA"], [None]])))
    assert imported("agentsynth", folder).report.missing == {"not_an_image": 2}


def test_other_and_cut_files_are_passed_over(imported, folder, shots):
    (folder / "a.json").write_text(json.dumps(task([[text(shots[0])]])))
    (folder / "b.json").write_text(json.dumps(task([]))[:-40])
    (folder / "c.json").write_text('{"commands": [], "x": 1}')
    (folder / "d.json").write_text(json.dumps(task({"not": "a list"}, commands=[3, None, ["pyautogui.press('a')"]])))
    one = imported("agentsynth", folder)
    assert sorted(one.records) == ["a.json", "d.json"]
    assert [note.code for note in one.report.lost] == ["unreadable_file"]
