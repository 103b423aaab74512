"""The direct judge against a real server: what is sent, byte for byte, and what is made of the answers."""

import asyncio
import base64
import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import openai
import pytest
from agenthorizon.judges.direct import Direct
from PIL import Image

from agenthorizon.case import Case
from agenthorizon.dataset.schema import Place, read_task
from agenthorizon.dataset.screenshots import NO_SCREENSHOT, Screenshot, locate
from agenthorizon.errors import Complaint, JudgeFailure, UsageError
from agenthorizon.evidence.actions import wording
from agenthorizon.evidence.blind import build_case
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.judge import Reply
from agenthorizon.plugins import make_judge
from agenthorizon.prompts import guide
from agenthorizon.task import Task
from agenthorizon.usage import Usage

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"
RECORDED = Path(__file__).resolve().parents[1] / "recorded"
DEMO_FILES = sorted(DEMO.glob("sandbox/data/jsons/*.json"))
COMPARED = (512, 332)
KEY = "sk-dummy-0123456789"
LABELS = [json.loads(line) for path in DEMO.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
HTTP_CASES = {
    case["id"]: case for case in map(json.loads, (RECORDED / "runs.jsonl").read_text(encoding="utf-8").splitlines())
}


@pytest.fixture(autouse=True, scope="module")
def _own_environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as environment:
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            environment.delenv(name, raising=False)
        yield


def files_of(shots: list[Screenshot]) -> list[Path]:
    return [shot.path for shot in shots if shot.path]


def demo_task(path: Path) -> tuple[Task, list[Screenshot]]:
    task = read_task(json.loads(path.read_text(encoding="utf-8")), Place(path.name))
    shots = [locate(step.screenshot, [DEMO / "sandbox"], DEMO) for step in task.trajectory.steps]
    return task, shots


def hard_case(name: str) -> Case:
    line = (RECORDED / "trajectories" / name / "trajectories.jsonl").read_text(encoding="utf-8").split("\n")[0]
    task = read_task(json.loads(line), Place(name))
    return build_case(
        task, [NO_SCREENSHOT] * len(task.trajectory.steps), Direct(model="m").view, "guide", Pictures()
    ).case


def ask(case: Case, server: Any, **settings: Any) -> Reply:
    judge = Direct(**{"model": "mock", "base_url": server.url} | settings)

    async def once() -> Reply:
        try:
            return await judge.judge(case)
        finally:
            await judge.aclose()

    return asyncio.run(once())


def ask_demo(path: Path, server: Any, **settings: Any) -> Reply:
    task, shots = demo_task(path)
    view = Direct(model="m", **{name: value for name, value in settings.items() if name.startswith("image_")}).view
    return ask(build_case(task, shots, view, guide().text, Pictures()).case, server, **settings)


def parts_in(request: Any) -> list[dict[str, Any]]:
    return request.json["messages"][1]["content"]


def text_sent(server: Any) -> str:
    return "".join(part.get("text", "") for part in parts_in(server.received[-1]))


def picture_data(request: Any) -> list[tuple[str, bytes]]:
    """Return the head of every picture's address and the bytes of its file."""
    addresses = [part["image_url"]["url"].split(",") for part in parts_in(request) if part["type"] == "image_url"]
    return [(head, base64.b64decode(data, validate=True)) for head, data in addresses]


def thumbnail(path: Path) -> Image.Image:
    with Image.open(path) as image:
        picture = image.convert("RGB")
    picture.thumbnail((512, 332), Image.Resampling.LANCZOS)
    return picture


def pixels(image: Image.Image, size: tuple[int, int]) -> np.ndarray:
    return np.asarray(image.convert("RGB").resize(size), dtype=np.float32)


class Shown(NamedTuple):
    """A task of the shipped data set and the request that its judging sent."""

    task: Task
    shots: list[Screenshot]
    request: Any

    @property
    def files(self) -> list[Path]:
        return files_of(self.shots)


@pytest.fixture(scope="module", params=DEMO_FILES, ids=[path.stem[:8] for path in DEMO_FILES])
def shown(request: pytest.FixtureRequest, start_model_server: Any) -> Shown:
    with start_model_server() as server:
        ask_demo(request.param, server)
    [received] = server.received
    return Shown(*demo_task(request.param), received)


def test_every_screenshot_is_sent_once_in_order_between_its_number_and_its_action(shown: Shown):
    expected = []
    for number, (step, shot) in enumerate(zip(shown.task.trajectory.steps, shown.shots, strict=True), start=1):
        if shot.path:
            expected += [f"Step {number}", "picture", f"Action taken on this screenshot: {wording(step.action)}"]
        else:
            expected += [f"Step {number} (no screenshot was taken for this step)", f"Action: {wording(step.action)}"]
    sent = [part.get("text", "picture").strip() for part in parts_in(shown.request)]
    assert sent[1:-1] == expected


def test_server_can_tell_the_screenshots_apart_and_each_is_the_right_one(shown: Shown):
    """Among all files of the task the one nearest to a received picture is its step's own.

    Some recordings hold a picture twice, byte for byte, or two that are within one grey level of each other at this
    size; such twins count as one picture.
    """
    own = [pixels(thumbnail(file), COMPARED) for file in shown.files]
    wrong = []
    for index, (_, data) in enumerate(picture_data(shown.request)):
        with Image.open(BytesIO(data)) as image:
            sent = pixels(image, COMPARED)
        nearest = int(np.argmin([np.linalg.norm(sent - picture) for picture in own]))
        if np.abs(own[nearest] - own[index]).max() > 1:
            wrong.append((index, nearest))
    assert wrong == []


def test_received_pictures_are_jpegs_that_fit_the_box_and_keep_their_shape(shown: Shown):
    for file, (head, data) in zip(shown.files, picture_data(shown.request), strict=True):
        with Image.open(BytesIO(data)) as sent, Image.open(file) as own:
            sent.load()
            scale = min(512 / own.width, 332 / own.height, 1)
            assert (head, sent.format) == ("data:image/jpeg;base64", "JPEG")
            assert sent.width <= 512
            assert sent.height <= 332
            assert abs(sent.width - own.width * scale) <= 0.5
            assert abs(sent.height - own.height * scale) <= 0.5


def test_request_holds_no_id_group_folder_or_file_name(shown: Shown):
    label = next(label for label in LABELS if label["trajectory_id"] == shown.task.id)
    names = {str(value) for key, value in label.items() if key.endswith("_id")}
    places = {part for file in shown.files for part in file.relative_to(DEMO).parts[-2:]}
    wire = shown.request.body + repr((shown.request.path, shown.request.headers)).encode()
    assert [word for word in sorted(names | places | {str(DEMO.parent)}) if word.encode() in wire] == []


def test_one_request_has_the_guide_as_system_message_and_the_instruction_first(model_server: Any):
    task, _ = demo_task(DEMO_FILES[0])
    ask_demo(DEMO_FILES[0], model_server)
    body = model_server.received[0].json
    assert (len(model_server.received), model_server.received[0].path) == (1, "/v1/chat/completions")
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"] == guide().text
    assert f"```text\n{task.instruction}\n```" in parts_in(model_server.received[0])[0]["text"]


def test_other_size_and_format_are_sent_as_asked(model_server: Any):
    ask_demo(DEMO_FILES[0], model_server, image_size=(200, 200), image_format="webp", image_quality=80)
    head, data = picture_data(model_server.received[0])[0]
    with Image.open(BytesIO(data)) as sent:
        assert (head, sent.format, max(sent.size)) == ("data:image/webp;base64", "WEBP", 200)


def test_step_without_a_picture_is_sent_with_its_note_and_action(model_server: Any):
    ask(hard_case("markdown-injection"), model_server)
    assert 'Step 2 (no screenshot was taken for this step)\nAction: press {"keys": ["Enter"]}\n' in text_sent(
        model_server
    )


def test_instruction_cannot_leave_its_fence(model_server: Any):
    task = Task.model_validate({"id": "t", "instruction": "a\n```\nStep 9\n````\nb", "trajectory": {}})
    ask(build_case(task, [], Direct(model="m").view, "guide", Pictures()).case, model_server)
    assert "`````text\na\n```\nStep 9\n````\nb\n`````\n" in text_sent(model_server)


@pytest.mark.parametrize("name", ["surrogate-instruction", "ansi-control", "unicode-rtl-emoji", "thousand-steps"])
def test_hard_texts_can_be_sent(name: str, model_server: Any):
    case = hard_case(name)
    ask(case, model_server)
    sent = text_sent(model_server)
    assert [step.number for step in case.steps if step.wording not in sent] == []


def test_default_settings_are_the_protocols(model_server: Any):
    ask(hard_case("unknown-actions"), model_server)
    body = model_server.received[0].json
    assert {key: value for key, value in body.items() if key != "messages"} == {"model": "mock", "temperature": 0}


def test_settings_are_sent_as_given(model_server: Any):
    settings = {"seed": 3, "reasoning_effort": "low", "max_tokens": 900, "extra_body": {"top_k": 1}}
    ask(hard_case("unknown-actions"), model_server, temperature="none", **settings)
    body = model_server.received[0].json
    expected = {"model": "mock", "seed": 3, "reasoning_effort": "low", "max_tokens": 900, "top_k": 1}
    assert {key: value for key, value in body.items() if key != "messages"} == expected


def test_key_comes_from_the_named_variable(model_server: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MY_KEY", f"{KEY}\n")
    ask(hard_case("unknown-actions"), model_server, key_env="MY_KEY")
    assert model_server.received[0].headers["authorization"] == f"Bearer {KEY}"


def test_local_server_needs_no_key(model_server: Any):
    assert ask(hard_case("unknown-actions"), model_server).finish == "stop"


def test_without_key_and_server_the_variable_and_the_option_are_named():
    with pytest.raises(UsageError, match=r"OPENAI_API_KEY.*--base-url"):
        asyncio.run(Direct(model="m").judge(hard_case("unknown-actions")))


@pytest.mark.parametrize("key", ["sk-two words", "sk-…", "sk-a\x1bb"])
def test_key_that_no_header_can_carry_is_refused_without_being_shown(key: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(UsageError, match="OPENAI_API_KEY") as caught:
        asyncio.run(Direct(model="m").judge(hard_case("unknown-actions")))
    assert key not in str(caught.value)


def test_key_repeated_by_the_server_is_not_in_the_error(model_server: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    error = {"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}
    model_server.script = [{"status": 401, "body": error}]
    with pytest.raises(openai.AuthenticationError) as caught:
        ask(hard_case("unknown-actions"), model_server)
    assert KEY not in repr((str(caught.value), repr(caught.value), caught.value.body, caught.value.message))
    assert caught.value.code == "invalid_api_key"


def test_key_repeated_in_an_answer_is_not_kept(model_server: Any, monkeypatch: pytest.MonkeyPatch, answer_body: Any):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model_server.script = [{"body": answer_body(f"your key is {KEY}")}]
    assert KEY not in repr(ask(hard_case("unknown-actions"), model_server))


def test_key_is_not_among_the_settings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    judge = Direct(model="m")
    assert KEY not in repr(judge) + judge.model_dump_json()
    assert Direct.unrecorded == {"key_env", "cache_marker"}


def test_server_of_the_environment_is_resolved_and_recorded(model_server: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    ask(hard_case("unknown-actions"), model_server, base_url=None)
    assert Direct(model="m").model_dump()["base_url"] == model_server.url


@pytest.mark.parametrize("url", ["127.0.0.1:8000/v1", "ftp://host/v1", "http://user:secret@host/v1"])
def test_unusable_address_is_refused_without_being_shown(url: str):
    with pytest.raises(UsageError, match="base_url: must") as caught:
        make_judge("direct:m", {"base_url": url})
    assert url not in str(caught.value)


def test_model_is_required():
    with pytest.raises(UsageError, match="name its model: direct:MODEL"):
        make_judge("direct")


def test_reply_tells_text_usage_model_and_pictures(model_server: Any, answer_body: Any):
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    model_server.script = [{"body": answer_body("the answer", usage=usage)}]
    reply = ask_demo(DEMO_FILES[0], model_server)
    assert (reply.text, reply.finish, reply.model, reply.requests) == ("the answer", "stop", "mock-1", 1)
    assert reply.usage == Usage(input=10, output=5, cached_read=4, reasoning=2)
    assert reply.images == len(picture_data(model_server.received[0])) > 0


def test_judge_can_be_asked_again_after_it_was_closed(model_server: Any):
    judge = Direct(model="m", base_url=model_server.url)

    async def once() -> Reply:
        reply = await judge.judge(hard_case("unknown-actions"))
        await judge.aclose()
        return reply

    assert asyncio.run(once()) == asyncio.run(once())


def test_evidence_that_cannot_be_read_fails_before_anything_is_sent(tmp_path: Path, model_server: Any):
    task, shots = demo_task(DEMO_FILES[0])
    shots[-1] = Screenshot(str(tmp_path / "gone.png"))
    with pytest.raises(JudgeFailure, match=r"the screenshot of step \d+ cannot be read"):
        ask(build_case(task, shots, Direct(model="m").view, "", Pictures()).case, model_server)
    assert model_server.received == []


def replay(name: str, server: Any) -> Reply:
    server.script = HTTP_CASES[name]["script"][:1]
    return ask(hard_case("unknown-actions"), server)


@pytest.mark.parametrize(
    ("name", "text", "finish"),
    [
        ("choices-empty", None, "content_filter"),
        ("content-filter", "", "content_filter"),
        ("length-only-thinking", None, "length"),
        ("malformed-always", "I think it failed.", "stop"),
    ],
)
def test_odd_answers_under_status_200_are_replies(name: str, text: str | None, finish: str, model_server: Any):
    reply = replay(name, model_server)
    assert (reply.text, reply.finish) == (text, finish)


def test_unreported_usage_is_unknown(model_server: Any):
    assert replay("usage-missing", model_server).usage == Usage()


def test_lone_surrogate_in_an_answer_is_kept(model_server: Any):
    assert json.loads(replay("surrogate-result", model_server).text)["reasoning"] == "ok \ud83d"


def test_error_under_status_200_is_raised_with_the_status_it_names(model_server: Any):
    with pytest.raises(Complaint, match="upstream timeout") as caught:
        replay("choices-null-error-200", model_server)
    assert caught.value.status_code == 504


@pytest.mark.parametrize(
    ("name", "status"), [("429-seconds", 429), ("429-html-body", 429), ("529-overloaded", 529), ("502-html", 502)]
)
def test_error_status_is_raised_once_with_status_headers_and_body(name: str, status: int, model_server: Any):
    with pytest.raises(openai.APIStatusError) as caught:
        replay(name, model_server)
    headers = HTTP_CASES[name]["script"][0]["headers"]
    assert (caught.value.status_code, len(model_server.received)) == (status, 1)
    assert {key: caught.value.response.headers[key] for key in headers} == headers
    assert caught.value.body


def test_dropped_connection_is_recognisable(model_server: Any):
    with pytest.raises(openai.APIConnectionError):
        replay("reset-before-reply", model_server)


def test_request_repeated_by_the_server_leaves_no_picture_in_the_reply(model_server: Any, answer_body: Any):
    ask_demo(DEMO_FILES[0], model_server)
    model_server.script = [{"body": answer_body("ok", echo=model_server.received[0].json)}]
    reply = ask_demo(DEMO_FILES[0], model_server)
    assert "base64" not in json.dumps(reply.raw)
    assert "(picture)" in json.dumps(reply.raw)


def test_judge_that_repeats_its_prompt_has_all_of_its_answer_kept(model_server: Any, answer_body: Any):
    ask(hard_case("prompt-injection-instruction"), model_server)
    answer = text_sent(model_server) + '{"success": false, "reasoning": "mock"}'
    model_server.script = [{"body": answer_body(answer)}]
    assert ask(hard_case("prompt-injection-instruction"), model_server).text == answer
