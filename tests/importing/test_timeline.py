"""Pictures before, after or around actions all become steps whose picture stands before the action."""

from agenthorizon.importer import Frame
from agenthorizon.importing.recorded import done
from agenthorizon.importing.timeline import TERMINATE, Timeline


def frame(name):
    return Frame(name, data=name.encode())


def press(key):
    return done("press", key, keys=[key])


def rows(line):
    return [(step.frame and step.frame.name, step.action.type, step.original) for step in line.steps()]


def test_pictures_before_actions_stay_with_them_and_the_last_one_waits():
    line = Timeline()
    for name, key in (("0", "a"), ("1", "b")):
        line.see(frame(name))
        line.do([press(key)])
    line.see(frame("2"))
    assert rows(line) == [("0", "press", "a"), ("1", "press", "b"), ("2", "wait", None)]


def test_pictures_after_actions_move_to_the_next_action():
    line = Timeline()
    for name, key in (("after a", "a"), ("after b", "b")):
        line.do([press(key)])
        line.see(frame(name))
    assert rows(line) == [(None, "press", "a"), ("after a", "press", "b"), ("after b", "wait", None)]


def test_the_first_of_several_actions_has_the_picture():
    line = Timeline()
    line.see(frame("0"), at=7)
    line.do([press("a"), press("b")])
    assert rows(line) == [("0", "press", "a"), (None, "press", "b")]
    assert [step.timestamp_us for step in line.steps()] == [7, None]


def test_a_picture_seen_twice_is_kept_once_if_equal_and_twice_if_not():
    line = Timeline()
    line.see(frame("x"))
    line.see(frame("x"))
    line.see(frame("y"))
    line.do([press("a")])
    assert rows(line) == [("x", "wait", None), ("y", "press", "a")]
    assert line.repeated == 1


def test_missing_pictures_are_not_taken_for_the_same():
    line = Timeline()
    line.see(Frame("1.png", fault="missing_screenshot"))
    line.see(Frame("2.png", fault="missing_screenshot"))
    assert [step.frame.name for step in line.steps()] == ["1.png", "2.png"]


def test_a_claim_about_the_end_is_kept_apart_and_only_its_picture_stays():
    line = Timeline()
    line.see(frame("0"))
    line.do([done(TERMINATE, "computer.terminate(status='success')", status="success")])
    assert rows(line) == [("0", "wait", None)]
    assert line.claims == [{"status": "success"}]
    assert line.actions == 0


def parameters(*actions):
    line = Timeline()
    line.do([done(kind, "", **given) for kind, given in actions])
    return [step.action.parameters for step in line.steps()]


def test_a_drag_begins_where_the_pointer_was():
    moved = ("move", {"x": 10, "y": 20})
    assert parameters(moved, ("drag", {"end_x": 30, "end_y": 40}), ("drag", {"end_x": 5, "end_y": 6}))[1:] == [
        {"start_x": 10, "start_y": 20, "end_x": 30, "end_y": 40},
        {"start_x": 30, "start_y": 40, "end_x": 5, "end_y": 6},
    ]


def test_a_scroll_or_a_click_without_a_place_is_done_at_the_pointer():
    found = parameters(("click", {"x": 1, "y": 2}), ("scroll", {"direction": "down"}), ("click", {"button": "left"}))
    assert [(one["x"], one["y"]) for one in found] == [(1, 2)] * 3


def test_before_the_first_place_nobody_knows_where_the_pointer_is():
    assert parameters(("scroll", {"direction": "down"}), ("drag", {"end_x": 3, "end_y": 4})) == [
        {"direction": "down"},
        {"end_x": 3, "end_y": 4},
    ]


def test_relative_moves_become_places_once_one_is_known():
    line = Timeline()
    line.do([done("move_by", "", dx=1, dy=1), done("click", "", x=10, y=10), done("move_by", "", dx=-3, dy=4)])
    line.do([done("drag_by", "", dx=1, dy=0)])
    kinds = [(step.action.type, step.action.parameters) for step in line.steps()]
    assert kinds[0] == ("move_by", {"dx": 1, "dy": 1})
    assert kinds[2:] == [
        ("move", {"x": 7, "y": 14}),
        ("drag", {"start_x": 7, "start_y": 14, "end_x": 8, "end_y": 14}),
    ]


def test_an_element_on_a_page_is_not_where_the_pointer_was():
    found = parameters(("click", {"x": 1, "y": 2}), ("scroll", {"direction": "down", "element": "WINDOW"}))
    assert found[1] == {"direction": "down", "element": "WINDOW"}
