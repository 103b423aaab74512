"""Recorded screenshot paths and addresses: whatever stands there is a reason, never a crash."""

import json

import pytest

from agenthorizon.dataset.screenshots import Locator, address_parts, locate
from agenthorizon.source import load

REMOTE = [
    "http://[x/a.png",
    "https://[::1",
    "HTTP://x.org/a.png",
    " s3://[/a",
    "http://\u2100.org/a.png",
    "ftp://a]b/c",
]


@pytest.mark.parametrize("recorded", REMOTE)
def test_a_web_address_is_not_fetched_however_broken(tmp_path, recorded):
    assert locate(recorded, [tmp_path], tmp_path).fault == "remote_screenshot"


@pytest.mark.parametrize("recorded", ["file://[x/a.png", "x-y+z.1://a", "data:image/png;base64,AAAA", "C://a.png"])
def test_another_scheme_is_never_opened(tmp_path, recorded):
    assert locate(recorded, [tmp_path], tmp_path).fault == "unsafe_path"


def test_two_slashes_inside_a_path_make_no_address(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.png").write_bytes(b"x")
    assert locate("a//b.png", [tmp_path], tmp_path).path == tmp_path / "a//b.png"


def test_each_file_of_a_folder_is_found_in_the_first_base_that_holds_it(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for file in (first / "a" / "1.png", second / "a" / "1.png", second / "a" / "2.png", second / "3.png"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x")
    locator = Locator(tmp_path, [first, second])
    found = [locator.locate(recorded).path for recorded in ("a/1.png", "./a/2.png", "a/1.png", "3.png", "a/3.png")]
    assert found == [first / "a" / "1.png", second / "a" / "2.png", first / "a" / "1.png", second / "3.png", None]


def test_a_link_among_files_that_lie_inside_is_looked_at_for_itself(tmp_path):
    folder = tmp_path / "root" / "a"
    folder.mkdir(parents=True)
    (folder / "1.png").write_bytes(b"x")
    (tmp_path / "secret.png").write_bytes(b"x")
    (folder / "2.png").symlink_to(tmp_path / "secret.png")
    (folder / "3.png").symlink_to("1.png")
    locator = Locator(tmp_path / "root", [tmp_path / "root"])
    shots = [locator.locate(f"a/{number}.png") for number in (1, 2, 3)]
    assert [shot.fault for shot in shots] == [None, "unsafe_path", None]


@pytest.mark.parametrize(
    ("recorded", "scheme", "path"),
    [
        ("https://x.org/a/b.PNG?c=/d.jpg#e", "https", "/a/b.PNG"),
        ("http://x.org", "http", ""),
        ("http://[x/a.png", "http", "/a.png"),
        ("images/a.png", "", "images/a.png"),
        ("", "", ""),
    ],
)
def test_scheme_and_path_of_an_address(recorded, scheme, path):
    assert address_parts(recorded) == (scheme, path)


def test_a_data_set_with_a_broken_address_loads_and_says_so(tmp_path):
    step = {"step_id": 0, "screenshot": "http://[x/a.png", "action": {"type": "wait", "parameters": {}}}
    screen = {"source": {"name": "human"}, "environment": {"os": "linux", "screen_resolution": [64, 40]}}
    record = {"version": "1.0", "trajectory_id": "a", "task": {"instruction": "Do it."}, "steps": [step]}
    (tmp_path / "trajectories.jsonl").write_text(json.dumps(record | screen | {"milestones": []}) + "\n")
    codes = [warning.code for warning in load(tmp_path).check()]
    assert codes.count("remote_screenshot") == 1
