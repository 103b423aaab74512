"""PyAutoGUI code is read as data and translated call by call; what has no translation is kept as its text."""

import pytest

from agenthorizon.importing.pyautogui_code import translate
from agenthorizon.importing.scale import Scale

LAPTOP = Scale(1, (1280, 720))


def actions(code, scale=None):
    found = translate(code, scale) if scale else translate(code)
    return [(done.action.type, done.action.parameters) for done in found]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("pyautogui.click(960, 540)", ("click", {"x": 960, "y": 540, "button": "left", "num_clicks": 1})),
        ("pyautogui.click(x=1, y=2, clicks=3)", ("click", {"x": 1, "y": 2, "button": "left", "num_clicks": 3})),
        ("pyautogui.click((7, 8))", ("click", {"x": 7, "y": 8, "button": "left", "num_clicks": 1})),
        ("pyautogui.click(5, 6, 2, 0.1, 'right')", ("click", {"x": 5, "y": 6, "button": "right", "num_clicks": 2})),
        ("pyautogui.click(5, 6, button='primary')", ("click", {"x": 5, "y": 6, "button": "left", "num_clicks": 1})),
        ("pyautogui.rightClick(3, 4)", ("click", {"x": 3, "y": 4, "button": "right", "num_clicks": 1})),
        ("pyautogui.middleClick(3, 4)", ("click", {"x": 3, "y": 4, "button": "middle", "num_clicks": 1})),
        ("pyautogui.doubleClick(3, 4)", ("click", {"x": 3, "y": 4, "button": "left", "num_clicks": 2})),
        ("computer.triple_click(x=3, y=4)", ("click", {"x": 3, "y": 4, "button": "left", "num_clicks": 3})),
        ("pyautogui.moveTo(10.9, 20.2, duration=1)", ("move", {"x": 10, "y": 20})),
        ("pyautogui.moveRel(5, -6)", ("move_by", {"dx": 5, "dy": -6})),
        ("pyautogui.dragTo(9, 8, button='left')", ("drag", {"end_x": 9, "end_y": 8})),
        ("pyautogui.dragTo(9, 8, 1.0, button='right')", ("drag", {"end_x": 9, "end_y": 8, "button": "right"})),
        ("pyautogui.drag(30, 0)", ("drag_by", {"dx": 30, "dy": 0})),
        ("pyautogui.mouseDown()", ("mouse_down", {"button": "left"})),
        ("pyautogui.mouseUp(1, 2, 'right')", ("mouse_up", {"x": 1, "y": 2, "button": "right"})),
        ("pyautogui.scroll(-3)", ("scroll", {"direction": "down", "amount": 3, "unit": "clicks"})),
        ("pyautogui.scroll(5, 1, 2)", ("scroll", {"x": 1, "y": 2, "direction": "up", "amount": 5, "unit": "clicks"})),
        ("pyautogui.hscroll(-2)", ("scroll", {"direction": "left", "amount": 2, "unit": "clicks"})),
        ("pyautogui.write('a\\nb', interval=0.1)", ("type", {"text": "a\nb"})),
        ("pyautogui.typewrite(message='naïve ☕')", ("type", {"text": "naïve ☕"})),
        ("pyautogui.typewrite(['a', 'Return'])", ("press", {"keys": ["a", "enter"]})),
        ("pyautogui.press('down', presses=3)", ("press", {"keys": ["down", "down", "down"]})),
        ("pyautogui.press(keys=['tab', 'enter'])", ("press", {"keys": ["tab", "enter"]})),
        ("pyautogui.hotkey('ctrl', 'shift', 't')", ("hotkey", {"keys": ["ctrl", "shift", "t"]})),
        ("pyautogui.hotkey(['ctrl', 'c'])", ("hotkey", {"keys": ["ctrl", "c"]})),
        ("pyautogui.keyDown('Shift_L')", ("key_down", {"key": "shift"})),
        ("pyautogui.keyUp('shift')", ("key_up", {"key": "shift"})),
        ("time.sleep(0.5)", ("wait", {"duration_s": 0.5})),
        ("pyautogui.sleep(2)", ("wait", {"duration_s": 2})),
        ("computer.terminate(status='success')", ("terminate", {"status": "success"})),
        ("WAIT", ("wait", {"duration_s": None})),
        ("DONE", ("terminate", {"status": "DONE"})),
        (" FAIL ", ("terminate", {"status": "FAIL"})),
    ],
)
def test_each_call_has_its_action(code, expected):
    assert actions(code) == [expected]


def test_calls_on_one_line_or_several_keep_their_order_and_their_own_text():
    found = translate("import pyautogui; pyautogui.moveTo(1, 2); pyautogui.dragTo(3, 4)\n# done!\ntime.sleep(1)")
    assert [done.action.type for done in found] == ["move", "drag", "wait"]
    assert [done.original for done in found] == ["pyautogui.moveTo(1, 2)", "pyautogui.dragTo(3, 4)", "time.sleep(1)"]


def test_a_fenced_block_is_read_like_the_code_in_it():
    assert actions("```python\npyautogui.press('esc')\n```") == [("press", {"keys": ["esc"]})]


def test_fractions_become_pixels_of_the_picture():
    assert actions("pyautogui.click(x=0.345, y=0.9675)", LAPTOP)[0][1]["x"] == 441
    assert actions("pyautogui.moveTo(1.0, 0)", LAPTOP) == [("move", {"x": 1279, "y": 0})]


def test_fractions_of_a_picture_of_unknown_size_say_their_unit():
    place = {"x": 0.5, "y": 0.25, "unit": "0 to 1 of the picture"}
    assert actions("pyautogui.moveTo(0.5, 0.25)", Scale(1)) == [("move", place)]


@pytest.mark.parametrize(
    "code",
    [
        "for _ in range(3): pyautogui.press('down')",
        "x = 5",
        "pyautogui.click(x, y)",
        "pyautogui.click(pyautogui.locateOnScreen('a.png'))",
        "pyautogui.click('button.png')",
        "pyautogui.write(open('/etc/passwd').read())",
        "pyautogui.press('a', presses=10**9)",
        "pyautogui.press('a', presses=1000000000)",
        "pyautogui.click(1e999, 3)",
        "pyautogui.click(**where)",
        "pyautogui.click(*where)",
        "with pyautogui.hold('shift'):\n    pyautogui.press('left')",
        "os.system('rm -rf /')",
        "__import__('os').system('true')",
        "pyautogui.alert('hello')",
        "pyautogui.click(",
        "click the button",
        "pyautogui.press('a'\0)",
    ],
)
def test_what_is_no_plain_call_is_kept_as_its_text(code):
    assert actions(code) == [("code", {"code": code})]


def test_code_is_never_run(tmp_path):
    mark = tmp_path / "mark"
    code = f"open({str(mark)!r}, 'w')\npyautogui.write(str(open({str(mark)!r}, 'w')))"
    assert [kind for kind, _ in actions(code)] == ["code", "code"]
    assert not mark.exists()


def test_deeply_nested_code_is_kept_and_harms_nobody():
    code = "pyautogui.press(" + "[" * 20_000 + "]" * 20_000 + ")"
    assert actions(code) == [("code", {"code": code})]


def test_an_empty_text_is_no_action():
    assert actions("  \n") == []
