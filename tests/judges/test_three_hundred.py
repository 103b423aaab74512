"""Three hundred screenshots, each with its step's number in its pixels, as real servers received them.

OpenAI's wire form, and Anthropic's and Gemini's through litellm; every screenshot alone, and merged 2×2. What was sent
is decoded, read and compared with the recording's JSON.
"""

import asyncio
import base64
import importlib.util
import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image

from agenthorizon.plugins import make_judge
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.runner import Options, Runner
from agenthorizon.source import load

# litellm's own types make pydantic warn while they are built; its transport warns of large bodies, which these are.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Items? .*ReadOnly:UserWarning"),
    pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning"),
]

ROOT = Path(__file__).resolve().parents[2]
VERDICT = json.dumps({"success": True, "reasoning": "r", "confidence": "low", "mistake_type": None})
BOX = (512, 332)


def script() -> Any:
    spec = importlib.util.spec_from_file_location("chain_recordings", ROOT / "scripts" / "chain_recordings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHAIN = script()


class Part(NamedTuple):
    """A text, or a picture's type and bytes."""

    text: str | None = None
    media: str | None = None
    data: bytes | None = None


def openai_parts(body: dict[str, Any]) -> Iterator[Part]:
    for part in body["messages"][1]["content"]:
        if part["type"] == "text":
            yield Part(part["text"])
        else:
            head, data = part["image_url"]["url"].split(",")
            yield Part(media=head.removeprefix("data:").removesuffix(";base64"), data=base64.b64decode(data))


def anthropic_parts(body: dict[str, Any]) -> Iterator[Part]:
    for part in body["messages"][0]["content"]:
        if part["type"] == "text":
            yield Part(part["text"])
        else:
            yield Part(media=part["source"]["media_type"], data=base64.b64decode(part["source"]["data"]))


def gemini_parts(body: dict[str, Any]) -> Iterator[Part]:
    for part in body["contents"][0]["parts"]:
        if "text" in part:
            yield Part(part["text"])
        else:
            yield Part(media=part["inline_data"]["mime_type"], data=base64.b64decode(part["inline_data"]["data"]))


ANTHROPIC_REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-recorded",
    "content": [{"type": "text", "text": VERDICT}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 10, "output_tokens": 5},
}
GEMINI_REPLY = {
    "candidates": [
        {"content": {"role": "model", "parts": [{"text": VERDICT}]}, "finishReason": "STOP", "index": 0},
    ],
    "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 4, "totalTokenCount": 15},
}
FEW, MANY = {"images": 100}, {"images": 600, "context": "none"}
WIRES = {
    "openai": ({"model": "gpt-5.5"}, None, openai_parts, "/v1/chat/completions"),
    "anthropic": (
        {"model": "anthropic/claude-opus-4-6", "route": "litellm"},
        ANTHROPIC_REPLY,
        anthropic_parts,
        "/v1/messages",
    ),
    "gemini": (
        {"model": "gemini/gemini-2.5-pro", "route": "litellm"},
        GEMINI_REPLY,
        gemini_parts,
        "/models/gemini-2.5-pro:generateContent",
    ),
}


class Sent(NamedTuple):
    """What a server received for the chained task, and what became of it."""

    record: dict[str, Any]
    folder: Path
    request: Any
    parts: list[Part]
    outcome: Any
    is_merged: bool
    path: str


@pytest.fixture(scope="session")
def chained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("chained") / "data"
    return folder, CHAIN.chain(folder, 300)


@pytest.fixture(
    scope="module",
    params=[(wire, merged) for wire in WIRES for merged in (False, True)],
    ids=lambda p: f"{p[0]}-{'merged' if p[1] else 'alone'}",
)
def sent(request, chained, start_model_server, tmp_path_factory) -> Iterator[Sent]:
    wire, is_merged = request.param
    folder, record = chained
    settings, reply, parts_of, path = WIRES[wire]
    with pytest.MonkeyPatch.context() as environment, start_model_server() as server:
        for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
            environment.setenv(name, "dummy-key-for-loopback")
        if reply:
            server.script = [{"body": reply}]
        url = server.url if wire == "openai" else server.url.removesuffix("/v1")
        judge = make_judge("direct", settings | {"base_url": url, "limits": FEW if is_merged else MANY})
        runner = Runner(load(str(folder)), Options(out=tmp_path_factory.mktemp("runs"), attempts=1))
        (run,) = asyncio.run(runner.run([NamedJudge("direct", judge)], [record["trajectory_id"]]))
        (outcome,) = run.outcomes
        assert outcome.error is None
        (received,) = server.received
        yield Sent(record, folder, received, list(parts_of(received.json)), outcome, is_merged, path)


def worded(action: dict[str, Any]) -> str:
    return f"{action['type']} {json.dumps(action['parameters'], ensure_ascii=False)}"


def expected_alone(steps: list[dict[str, Any]]) -> Iterator[str | list[int]]:
    for number, step in enumerate(steps, start=1):
        if step["screenshot"]:
            yield f"Step {number}\n"
            yield [number]
            yield f"Action taken on this screenshot: {worded(step['action'])}\n"
        else:
            yield f"Step {number} (no screenshot was taken for this step)\n"
            yield f"Action: {worded(step['action'])}\n"


def expected_merged(steps: list[dict[str, Any]]) -> Iterator[str | list[int]]:
    with_picture = [number for number, step in enumerate(steps, start=1) if step["screenshot"]]
    first = 1
    for start in range(0, len(with_picture), 4):
        a, b, c, d = with_picture[start : start + 4]
        yield (
            f"Steps {first} to {d}. The next picture is a grid of 2×2 screenshots, read row by row from left to right: "
            f"step {a}, step {b}; step {c}, step {d}.\n"
        )
        yield [a, b, c, d]
        for number in range(first, d + 1):
            step = steps[number - 1]
            taken = bool(step["screenshot"])
            yield f"Step {number}\n" if taken else f"Step {number} (no screenshot was taken for this step)\n"
            yield f"Action{' taken on its screenshot' if taken else ''}: {worded(step['action'])}\n"
        first = d + 1


def numbers_in(part: Part, numbers: list[int], sent: Sent) -> list[int | None]:
    """Read the step numbers in a picture's pixels, cell by cell where it is a grid."""
    with Image.open(BytesIO(part.data)) as opened:
        opened.load()
        if not sent.is_merged:
            return [CHAIN.read_number(opened)]
        found = []
        for index, number in enumerate(numbers):
            row, column = divmod(index, 2)
            width, height = shrunk(sent, number)
            left = column * BOX[0] + (BOX[0] - width) // 2
            top = row * BOX[1] + (BOX[1] - height) // 2
            found.append(CHAIN.read_number(opened.crop((left, top, left + width, top + height))))
        return found


def shrunk(sent: Sent, number: int) -> tuple[int, int]:
    with Image.open(sent.folder / sent.record["steps"][number - 1]["screenshot"]) as own:
        scale = min(BOX[0] / own.width, BOX[1] / own.height, 1)
        return round(own.width * scale), round(own.height * scale)


def test_every_step_is_told_in_order_with_the_right_screenshot(sent: Sent):
    steps = sent.record["steps"]
    expected = list(expected_merged(steps) if sent.is_merged else expected_alone(steps))
    told = sent.parts[1:-1]
    assert len(told) == len(expected)
    assert [part.text for part in told] == [None if isinstance(item, list) else item for item in expected]
    numbers = [item for item in expected if isinstance(item, list)]
    pictures = [part for part in told if part.data is not None]
    read = [numbers_in(part, wanted, sent) for part, wanted in zip(pictures, numbers, strict=True)]
    assert read == numbers


def test_count_and_sizes_are_the_protocols(sent: Sent):
    pictures = [part for part in sent.parts if part.data is not None]
    assert len(pictures) == (75 if sent.is_merged else 300)
    assert {part.media for part in pictures} == {"image/jpeg"}
    sizes = []
    for part in pictures:
        with Image.open(BytesIO(part.data)) as opened:
            sizes.append((opened.format, opened.size))
    if sent.is_merged:
        assert set(sizes) == {("JPEG", (1024, 664))}
    else:
        taken = [number for number, step in enumerate(sent.record["steps"], start=1) if step["screenshot"]]
        assert sizes == [("JPEG", shrunk(sent, number)) for number in taken]


def test_request_went_where_the_provider_listens_with_its_length_stated(sent: Sent):
    assert sent.request.path.split("?")[0] == sent.path
    assert int(sent.request.headers["content-length"]) == len(sent.request.body)
    assert "transfer-encoding" not in sent.request.headers


def test_outcome_says_how_the_task_was_shown(sent: Sent):
    evidence = sent.outcome.evidence
    across = 2 if sent.is_merged else 1
    assert sent.outcome.status == "verdict"
    assert sent.outcome.telemetry.images == evidence["sent"] == (75 if sent.is_merged else 300)
    assert (evidence["merged"], evidence["grid"]) == (sent.is_merged, [across, across])
    assert (evidence["fit"], evidence["pictures"]) == ([512, 332], 300)
    assert evidence["picture_size"] == [512 * across, 332 * across]
    assert evidence["why"] == (["at most 100 pictures a request"] if sent.is_merged else [])


def test_instruction_comes_first_and_the_call_for_an_answer_last(sent: Sent):
    assert sent.record["task"]["instruction"] in sent.parts[0].text
    assert "answer with the one JSON object" in sent.parts[-1].text
