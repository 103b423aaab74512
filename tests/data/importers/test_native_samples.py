"""Every untouched sample imports, with the steps, actions and pictures that its own files hold.

The expected numbers are counted here straight from the samples' files, not through the importers.
"""

import json
import re
from hashlib import md5

import pytest

import agenthorizon as ah

WORDS = {
    "recording": "Log in as nurse.demo and file a triage note",
    "run": "Check whether service A1 is eligible for insuree 999000002",
}
SAMPLES = {
    "screenagent": "screenagent",
    "pc_agent": "pc-agent",
    "openadapt_flow": "openadapt-flow",
    "openadapt_trace": "openadapt-evals-trace",
    "webvoyager": "webvoyager",
    "online_mind2web": "online-mind2web-example",
    "web_user_demo": "nathan-user-demo",
}


@pytest.fixture
def sample(imported, native):
    return lambda name: imported(name, native / SAMPLES[name], instructions=WORDS)


def digests(paths):
    return [md5(path.read_bytes()).hexdigest() for path in paths]


def shown(one, key):
    return [md5(data).hexdigest() if isinstance(data, bytes) else data for data in one.pictures(key)]


@pytest.mark.parametrize("name", SAMPLES)
def test_it_loads_without_a_fault_and_loses_nothing(sample, name):
    one = sample(name)
    assert one.report.lost == []
    assert len(ah.load(one.folder)) == one.report.recordings > 0


@pytest.mark.parametrize("name", SAMPLES)
def test_every_picture_of_the_sample_is_there_byte_for_byte(sample, native, name):
    folder = native / SAMPLES[name]
    taken = {path for path in folder.rglob("*") if path.suffix in (".png", ".jpg")}
    one = sample(name)
    written = {md5(path.read_bytes()).hexdigest() for path in one.folder.glob("media/images/*/*")}
    assert written == set(digests(taken))
    assert one.report.screenshots == len(list(one.folder.glob("media/images/*/*")))


@pytest.mark.parametrize("name", SAMPLES)
def test_no_word_about_success_is_in_a_trajectory(sample, name):
    told = (sample(name).folder / "trajectories.jsonl").read_text()
    leaks = 'success|sub_task|need_retry|"ok"|halt|refuted|score|completed|finish|confirmed|fail|fault|_marked'
    assert re.findall(leaks, told, re.IGNORECASE) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_no_name_of_the_sample_is_in_a_trajectory_or_a_path(sample, native, name):
    one = sample(name)
    told = (one.folder / "trajectories.jsonl").read_text()
    paths = [path.relative_to(one.folder).as_posix() for path in one.folder.rglob("*")]
    for path in (native / SAMPLES[name]).rglob("*"):
        if path.suffix in (".png", ".jpg"):
            assert path.stem not in told or re.fullmatch(r"step_\d+", path.stem)
    assert all(
        re.fullmatch(r"[\w-]+\.jsonl?|media(/images(/[0-9a-f-]{36}(/step_\d+\.\w+)?)?)?", path) for path in paths
    )


def test_screenagent_has_its_calls_actions_and_every_frame(sample, native):
    folder = native / "screenagent" / "session2"
    calls = [json.loads(path.read_bytes()) for path in sorted(folder.glob("*_translate.json"))]
    gui = [one for call in calls for one in call["actions"] if one["action_type"].startswith(("Mouse", "Keyboard"))]
    frames = digests(folder / "images" / call["saved_image_name"] for call in calls)
    one = sample("screenagent")
    distinct = [frame for frame, following in zip(frames, [*frames[1:], None], strict=True) if frame != following]
    assert shown(one, "session2") == distinct
    clicks = [
        (kind, given["x"], given["y"], given["button"]) for kind, given in one.actions("session2") if "x" in given
    ]
    places = [one["mouse_position"] for one in gui]
    assert clicks == [
        ("click", at["width"], at["height"], one["mouse_button"]) for at, one in zip(places, gui, strict=True)
    ]
    from_00_17_13_209382_to_00_20_38_361470 = (3 * 60 + 25) * 1_000_000 + 361_470 - 209_382
    assert one.records["session2"]["steps"][-1]["timestamp_us"] == from_00_17_13_209382_to_00_20_38_361470


def test_screenagent_keeps_mouse_down_and_up_as_two_actions(sample):
    found = sample("screenagent").actions("session49-json-only")
    assert found == [
        ("mouse_down", {"x": 626, "y": 440, "button": "left"}),
        ("mouse_up", {"x": 550, "y": 435, "button": "left"}),
    ]


def test_pc_agent_has_a_step_an_event_and_its_four_missing_pictures(sample, native):
    events = (native / "pc-agent" / "free_task_20241126_161517.jsonl").read_text().splitlines()
    one = sample("pc_agent")
    (key,) = one.records
    pictures = one.pictures(key)
    assert len(pictures) == len(events) == 8
    present = [(native / "pc-agent" / json.loads(event)["screenshot"]).exists() for event in events]
    assert [picture != "missing" for picture in pictures] == present
    assert one.records[key]["task"]["instruction"] == 'create a new blank slide with title "Hello, world" on desktop.'
    assert [step["timestamp_us"] for step in one.records[key]["steps"]] == [
        seconds * 1_000_000 for seconds in (0, 2, 5, 7, 9, 17, 19, 21)
    ]
    assert one.actions(key)[4] == ("type", {"text": "Hello, world"})


def test_openadapt_flows_recording_has_its_events_and_frames(sample, native):
    folder = native / "openadapt-flow" / "recording"
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    one = sample("openadapt_flow")
    before = [folder / "frames" / f"{event['i']:04d}_before.png" for event in events]
    assert shown(one, "recording") == digests([*before, folder / "frames" / "0010_after.png"])
    found = one.actions("recording")
    assert [kind for kind, _ in found] == [event["kind"] for event in events] + ["wait"]
    assert [given["text"] for kind, given in found if kind == "type"] == [e["text"] for e in events if "text" in e]
    assert "recording" not in one.labels


def test_openadapt_flows_run_takes_typed_text_from_its_parameters_and_success_to_the_labels(sample, native):
    folder = native / "openadapt-flow" / "run"
    results = json.loads((folder / "report.json").read_bytes())["results"]
    one = sample("openadapt_flow")
    pictures = [folder / result["before_png"] for result in results] + [folder / results[-1]["after_png"]]
    assert shown(one, "run") == digests(pictures)
    assert one.actions("run")[:5] == [
        ("click", {"x": 859, "y": 63, "button": "left", "num_clicks": 1}),
        ("type", {"text": "999000002"}),
        ("press", {"keys": ["enter"]}),
        ("click", {"x": 323, "y": 627, "button": "left", "num_clicks": 1}),
        ("type", {"text": "General"}),
    ]
    assert one.labels == {"run": "negative"}


def test_openadapts_trace_clicks_where_its_own_terminal_says_and_shows_the_screen_before(sample, native):
    """The executed calls can be read on the screenshots: click(441, 696), (597, 308), (841, 700), (865, 700)."""
    one = sample("openadapt_trace")
    (key,) = one.records
    folder = native / "openadapt-evals-trace"
    names = ["step_00_reset.png", *(f"step_{number:02d}.png" for number in range(1, 7))]
    assert shown(one, key) == digests(folder / name for name in names)
    places = [(given["x"], given["y"]) for _, given in one.actions(key) if "x" in given]
    assert places == [(441, 696), (597, 308), (841, 700), (865, 700)]
    assert one.actions(key)[4:6] == [("hotkey", {"keys": ["ctrl", "a"]}), ("type", {"text": "Hello World"})]
    assert one.labels == {}


def test_webvoyager_has_a_step_an_assistant_turn(sample, native):
    (folder,) = (path for path in (native / "webvoyager").iterdir() if path.is_dir())
    turns = [one for one in json.loads((folder / "interact_messages.json").read_bytes()) if one["role"] == "assistant"]
    one = sample("webvoyager")
    assert shown(one, folder.name) == digests(folder / f"screenshot{number}.png" for number in (1, 2, 3))
    found = one.actions(folder.name)
    assert len(found) == len(turns) == 3
    assert found[0][1]["text"] == "x^5-20x^4+163x^3-676x^2+1424x-1209"
    assert found[0][1]["element"] == '[8] <input> ""'
    assert found[1] == ("scroll", {"direction": "down", "element": "WINDOW"})
    assert found[2] == ("answer", {"text": "(x - 4)^5 + 3(x - 4)^3 + 7"})


def test_online_mind2web_has_a_picture_more_than_actions(sample, native):
    (folder,) = (path for path in (native / "online-mind2web-example").iterdir() if path.is_dir())
    history = json.loads((folder / "result.json").read_bytes())["action_history"]
    one = sample("online_mind2web")
    expected = [folder / "trajectory" / f"{number}_full_screenshot.png" for number in range(len(history) + 1)]
    assert shown(one, folder.name) == [digests([path])[0] if path.exists() else "missing" for path in expected]
    assert [given.get("element", "") + " -> CLICK" for _, given in one.actions(folder.name)[:-1]] == history


def test_the_web_users_demonstration_has_a_step_an_interaction(sample, native):
    folder = native / "nathan-user-demo" / "recording_0"
    recording = json.loads((folder / "Interactions_recording.json").read_bytes())["userInteraction_recording"]
    one = sample("web_user_demo")
    shots = [folder / "screenshot_recording" / f"screenshot_{number}.png" for number in range(1, len(recording))]
    expected = [digests([path])[0] if path.exists() else "missing" for path in shots]
    assert shown(one, "recording_0") == [None, *expected]
    assert [picture for picture in expected if picture == "missing"] == ["missing"] * 2
    found = one.actions("recording_0")
    assert len(found) == len(recording)
    typed = re.findall(r'Input \\"(.*?)\\" into', (folder / "Interactions_recording.json").read_text())
    assert [given["text"] for kind, given in found if kind == "type"] == typed
    assert found[7] == (
        "click",
        {"x": 182, "y": 545, "unit": "CSS pixels", "button": "left", "num_clicks": 1, "element": "DIV"},
    )


def test_a_sample_without_an_instruction_is_not_taken_until_one_is_given(imported, native):
    one = imported("openadapt_flow", native / "openadapt-flow")
    assert not one.folder.exists()
    assert [(note.code, note.file) for note in one.report.lost] == [
        ("no_instruction", "recording"),
        ("no_instruction", "run"),
    ]
