"""`judges check` asks once and names what is wrong."""

import asyncio
import json
import threading
from io import BytesIO

import pytest
from PIL import Image

from agenthorizon.plugins import make_judge
from agenthorizon.running.checking import NUMBER, check

GOOD = json.dumps({"success": True, "reasoning": f"It shows {NUMBER}.", "confidence": "high", "mistake_type": None})


def checked(server, **settings):
    judge = make_judge("direct", {"model": "m", "base_url": server.url} | settings)
    return asyncio.run(check(judge))


def faults(found):
    return [one.what for one in found if not one.ok]


def test_working_judge_has_no_fault_and_is_asked_once_with_one_small_picture(model_server, answer_body):
    model_server.script = [{"body": answer_body(GOOD)}]
    assert faults(checked(model_server)) == []
    (request,) = model_server.received
    pictures = [part for part in request.json["messages"][1]["content"] if part["type"] == "image_url"]
    assert len(pictures) == 1
    assert len(request.body) < 20_000


def test_picture_shows_its_number_in_black_on_white(model_server):
    import base64

    checked(model_server)
    content = model_server.received[0].json["messages"][1]["content"]
    (url,) = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    with Image.open(BytesIO(base64.b64decode(url.split(",")[1]))) as image:
        dark = sum(image.convert("L").histogram()[:64])
    assert 300 < dark < 10_000


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ({"status": 401, "body": {"error": {"message": "Incorrect API key"}}}, "key: .*right variable"),
        ({"status": 404, "body": {"error": {"message": "model not found"}}}, "model: .*spelt"),
        ({"status": 402, "body": {"error": {"message": "no credit"}}}, "quota: .*nothing left"),
        (
            {"status": 400, "body": {"error": {"message": "m is not a multimodal model"}}},
            "pictures: .*takes no pictures",
        ),
        (
            {"status": 500, "body": {"error": {"message": "image input is not supported"}}},
            "pictures: .*takes no pictures",
        ),
        (
            {"status": 400, "body": {"error": {"message": "response_format is not supported"}}},
            "schema: .*json_schema = false",
        ),
    ],
)
def test_refusal_is_named_with_its_mend(model_server, reply, fault):
    model_server.script = [reply]
    (only,) = checked(model_server)
    import re

    assert not only.ok
    assert re.match(fault, only.what)
    assert len(model_server.received) == 1


def test_server_that_is_not_there_is_named():
    judge = make_judge("direct", {"model": "m", "base_url": "http://127.0.0.1:9/v1"})
    (only,) = asyncio.run(check(judge))
    assert only.what.startswith("connection: ")


def test_model_that_never_got_the_picture_is_found_out(model_server, answer_body):
    model_server.script = [{"body": answer_body(GOOD.replace(NUMBER, "nothing"))}]
    (fault,) = faults(checked(model_server))
    assert fault.startswith("did not see the picture")


def test_answer_in_another_form_and_unreported_tokens_are_faults(model_server, answer_body):
    model_server.script = [{"body": answer_body(f"The number is {NUMBER}.", usage=None)}]
    form, tokens = faults(checked(model_server))
    assert "does not answer in the form" in form
    assert "no tokens" in tokens


class Plain:
    """A judge of the user's own: a plain function that answers with text."""

    def judge(self, case):
        return GOOD


def test_plain_judge_that_answers_with_text_is_checked_like_any_other():
    assert faults(asyncio.run(check(Plain()))) == []


def test_server_that_never_answers_is_given_up_and_named(model_server, answer_body):
    model_server.script = [{"delay_s": 3, "body": answer_body(GOOD)}]
    judge = make_judge("direct", {"model": "m", "base_url": model_server.url})
    (only,) = asyncio.run(check(judge, seconds=0.2))
    assert only.what.startswith("timeout: ")


def test_plain_judge_that_never_returns_is_given_up_and_named():
    end, returned = threading.Event(), []

    class Stuck:
        def judge(self, case):
            returned.append(end.wait(30))

    (only,) = asyncio.run(check(Stuck(), seconds=0.2))
    assert returned == []
    end.set()
    assert only.what.startswith("timeout: ")
