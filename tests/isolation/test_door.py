"""The door between a CLI and its model: real requests through it to a real server."""

import asyncio
import base64
import hashlib
import io
import json
from typing import NamedTuple

import aiohttp
import pytest

from agenthorizon.isolation.door import Caps, Door
from agenthorizon.isolation.routes import Endpoint
from agenthorizon.prices import Prices
from agenthorizon.scripted.acting import Script
from agenthorizon.scripted.answering import TOKENS_CACHED, TOKENS_IN, TOKENS_OUT
from agenthorizon.scripted.server import KEY, ScriptedServer
from agenthorizon.usage import Usage

ASKING = {
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "messages": "/v1/messages",
    "gemini": "/v1beta/models/m1:generateContent",
}
STREAMED = ASKING | {"gemini": "/v1beta/models/m1:streamGenerateContent?alt=sse"}
KEY_HEADER = {
    "responses": ("authorization", f"Bearer {KEY}"),
    "chat": ("authorization", f"Bearer {KEY}"),
    "messages": ("x-api-key", KEY),
    "gemini": ("x-goog-api-key", KEY),
}
TWICE = b'{"model": "m2", "model": "m1", "messages": []}'
"""Which of the two an endpoint takes nobody knows."""
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
ENCODED = base64.b64encode(PICTURE).decode()
WITH_PICTURE = {
    "responses": {"input": [{"content": [{"type": "input_image", "image_url": f"data:image/png;base64,{ENCODED}"}]}]},
    "chat": {"messages": [{"content": [{"image_url": {"url": f"data:image/png;base64,{ENCODED}"}}]}]},
    "messages": {
        "messages": [
            {"content": [{"type": "image", "source": {"media_type": "image/png", "type": "base64", "data": ENCODED}}]}
        ]
    },
    "gemini": {"contents": [{"parts": [{"inlineData": {"mimeType": "image/png", "data": ENCODED}}]}]},
}


@pytest.fixture
def scripted():
    with ScriptedServer(Script("blind")) as server:
        yield server


def through(url, protocol, requests, caps=None):
    """Send requests (path, body, headers) through a door, one after the other; return the record and the answers."""

    async def play():
        limits = Caps(**({"requests": 100} | (caps or {})))
        async with Door(Endpoint(protocol, url, "m1", KEY), limits) as door:
            port = await door.listen_here()
            async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client:
                answers = [await _send(client, door.key, *request) for request in requests]
            return door.record, answers

    return asyncio.run(play())


class Answer(NamedTuple):
    status: int
    text: str


async def _send(client, key, method, path, body, headers=None):
    """Return the answer, or the error in its place. {key} in a path or header is the door's stand-in."""
    try:
        data = io.BytesIO(body if isinstance(body, bytes) else json.dumps(body).encode())
        brought = {"Authorization": "Bearer {key}"} if headers is None else headers
        named = {"Content-Type": "application/json"} | {name: text.format(key=key) for name, text in brought.items()}
        async with client.request(method, path.format(key=key), data=data, headers=named) as response:
            return Answer(response.status, await response.text())
    except aiohttp.ClientError as error:
        return error


def body(protocol, **more):
    named = {} if protocol == "gemini" else {"model": "m1"}
    return named | WITH_PICTURE[protocol] | more


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("protocol", ASKING)
def test_tokens_pictures_and_requests_are_counted_in_every_protocol(protocol, streamed, scripted):
    path = (STREAMED if streamed else ASKING)[protocol]
    record, answers = through(scripted.url, protocol, [("POST", path, body(protocol, stream=streamed))] * 2)
    assert [answer.status for answer in answers] == [200, 200]
    assert record.requests == record.answers == len(scripted.seen) == 2
    assert record.usage.input == 2 * TOKENS_IN
    assert record.usage.output == 2 * TOKENS_OUT
    assert record.usage.cached_read == 2 * TOKENS_CACHED
    assert record.unmetered == 0
    assert record.model == "m1"
    assert record.finish == "stop"
    (picture,) = record.pictures.values()
    assert (picture.sha256, picture.bytes) == (hashlib.sha256(PICTURE).hexdigest(), len(PICTURE))


@pytest.mark.parametrize("protocol", ASKING)
def test_the_key_is_put_in_outside_and_the_stand_in_stays_inside(protocol, scripted):
    headers = {"authorization": "Bearer {key}", "x-api-key": "{key}", "x-goog-api-key": "{key}"}
    path = ASKING[protocol] + ("?key={key}" if protocol == "gemini" else "")
    through(scripted.url, protocol, [("POST", path, body(protocol), headers)])
    (seen,) = scripted.seen
    name, value = KEY_HEADER[protocol]
    assert seen.headers[name] == value
    assert "agenthorizon-" not in json.dumps(seen.headers) + seen.path


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"Authorization": "Bearer {key}"}, ""),
        ({"authorization": "bearer {key}"}, ""),
        ({"x-api-key": "{key}"}, ""),
        ({"x-goog-api-key": "{key}"}, ""),
        ({}, "?key={key}"),
        ({"Authorization": "Bearer mine", "x-api-key": "{key}"}, ""),
    ],
)
def test_the_stand_in_may_be_brought_wherever_a_cli_puts_a_key(headers, query, scripted):
    _, (answer,) = through(scripted.url, "gemini", [("POST", ASKING["gemini"] + query, body("gemini"), headers)])
    assert (answer.status, len(scripted.seen)) == (200, 1)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer agenthorizon-stand-in"},
        {"Authorization": "{key}"},
        {"Authorization": "Bearer {key}x"},
        {"x-api-key": "{key:.20}"},
        {"x-goog-api-key": "\u00e9"},
    ],
)
@pytest.mark.parametrize("protocol", ASKING)
def test_a_process_without_the_stand_in_spends_nothing(protocol, headers, scripted):
    record, (answer,) = through(scripted.url, protocol, [("POST", ASKING[protocol], body(protocol), headers)])
    assert (answer.status, scripted.seen, record.requests) == (401, [], 0)


def test_a_list_of_models_needs_the_stand_in_too(scripted):
    record, answers = through(scripted.url, "chat", [("GET", "/v1/models", {}, {}), ("GET", "/v1/models", {})])
    assert answers[0].status == 401
    assert "not passed on" not in answers[1].text
    assert len(record.turned_away) == 1


def test_each_door_has_a_stand_in_of_its_own():
    doors = [Door(Endpoint("chat", "http://127.0.0.1:9", "m1", KEY), Caps(requests=1)) for _ in range(20)]
    assert len({door.key for door in doors}) == 20
    assert min(len(door.key) for door in doors) > 40


def test_a_request_of_many_megabytes_gets_through_whole(scripted):
    large = "x" * 5_000_000
    request = {"model": "m1", "messages": [{"role": "user", "content": large}]}
    _, (answer,) = through(scripted.url, "chat", [("POST", ASKING["chat"], request)])
    assert answer.status == 200
    assert scripted.seen[0].body["messages"][0]["content"] == large


def test_an_endpoint_may_be_given_with_or_without_its_version(scripted):
    for protocol, url in (("messages", f"{scripted.url}/v1"), ("chat", f"{scripted.url}/v1"), ("chat", scripted.url)):
        _, (answer,) = through(url, protocol, [("POST", ASKING[protocol], body(protocol))])
        assert answer.status == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/files"),
        ("POST", "/v1/files"),
        ("DELETE", "/v1/models"),
        ("POST", "/v1/embeddings"),
        ("GET", "/v1/chat/completions"),
        ("POST", "/v1/chat/completions/../files"),
        ("GET", "/"),
    ],
)
def test_what_asks_the_model_nothing_is_turned_away(method, path, scripted):
    record, (answer,) = through(scripted.url, "chat", [(method, path, {})])
    assert answer.status == 404
    assert scripted.seen == []
    assert len(record.turned_away) == 1


def test_another_model_is_turned_away(scripted):
    record, (answer,) = through(scripted.url, "chat", [("POST", ASKING["chat"], {"model": "m2", "messages": []})])
    assert answer.status == 403
    assert scripted.seen == []
    assert "m2" in record.turned_away[0]


@pytest.mark.parametrize(
    "sent", [b"", b"{", b"[]", b'{"messages": []}', b'{"model": null}', b'{"model": ["m1"]}', TWICE]
)
@pytest.mark.parametrize("protocol", ["responses", "chat", "messages"])
def test_a_request_that_names_no_model_is_turned_away(protocol, sent, scripted):
    record, (answer,) = through(scripted.url, protocol, [("POST", ASKING[protocol], sent)])
    assert (answer.status, scripted.seen, record.requests) == (403, [], 0)


def test_a_model_named_before_the_path_that_is_sent_on_opens_nothing(scripted):
    path = "/models/m1/v1beta/models/m2:generateContent"
    _, (answer,) = through(scripted.url, "gemini", [("POST", path, {"contents": []})])
    assert (answer.status, scripted.seen) == (403, [])


def test_another_model_in_a_gemini_path_is_turned_away(scripted):
    path = "/v1beta/models/m2:generateContent"
    _, (answer,) = through(scripted.url, "gemini", [("POST", path, {"contents": []})])
    assert answer.status == 403
    assert scripted.seen == []


def test_requests_end_at_their_cap(scripted):
    request = ("POST", ASKING["chat"], body("chat"))
    record, answers = through(scripted.url, "chat", [request] * 3, {"requests": 2})
    assert [answer.status for answer in answers] == [200, 200, 403]
    assert len(scripted.seen) == 2
    assert record.exceeded == "requests"


def test_money_ends_at_its_cap(scripted):
    price = Prices(input=10, output=100, cached_read=1).cost
    one = price(Usage(input=TOKENS_IN, output=TOKENS_OUT, cached_read=TOKENS_CACHED))
    assert one == pytest.approx((1000 * 10 + 200 * 1 + 34 * 100) / 1e6)
    request = ("POST", ASKING["chat"], body("chat"))
    record, answers = through(scripted.url, "chat", [request] * 4, {"dollars": one * 1.5, "price": price})
    assert [answer.status for answer in answers] == [200, 200, 403, 403]
    assert record.exceeded == "spending"
    assert record.cost == pytest.approx(2 * one)


@pytest.mark.parametrize(("scenario", "status"), [("refused_key", 401), ("bad_request", 400), ("busy", 429)])
def test_a_refusal_is_passed_on_and_kept_with_its_headers(scenario, status, scripted):
    scripted.script = Script(scenario)
    record, (answer,) = through(scripted.url, "chat", [("POST", ASKING["chat"], body("chat"))])
    assert answer.status == status
    assert record.last_failure.status_code == status
    assert record.last_failure.headers["Retry-After"] == "1"


def test_a_good_answer_ends_a_row_of_failures(scripted):
    scripted.script = Script("broken")
    record, _ = through(scripted.url, "chat", [("POST", ASKING["chat"], body("chat"))] * 12)
    assert record.exceeded == "refusals"
    scripted.script = Script("blind")
    record, _ = through(scripted.url, "chat", [("POST", ASKING["chat"], body("chat"))])
    assert record.last_failure is None


def test_an_answer_that_breaks_off_breaks_off_for_the_cli_too(scripted):
    scripted.script = Script("cut")
    record, (answer,) = through(scripted.url, "messages", [("POST", ASKING["messages"], body("messages", stream=True))])
    assert isinstance(answer, aiohttp.ClientError)
    assert record.last_failure.code == "cut"
    assert record.usage.input == TOKENS_IN  # it was begun, and is paid for


def test_an_answer_that_is_none_is_a_failure_of_the_server(scripted):
    scripted.script = Script("malformed")
    record, (answer,) = through(scripted.url, "chat", [("POST", ASKING["chat"], body("chat"))])
    assert answer.text.startswith("<html>")
    assert record.last_failure.code == "server"


def test_an_endpoint_that_is_not_there_is_told_to_the_cli():
    record, (answer,) = through("http://127.0.0.1:9", "chat", [("POST", ASKING["chat"], body("chat"))])
    assert answer.status == 502
    assert record.last_failure.code == "connection"


def test_a_refusal_that_repeats_the_key_is_passed_on_without_it(model_server):
    model_server.script = [{"status": 400, "body": {"error": {"message": f"bad key {KEY}"}}}]
    url = model_server.url.removesuffix("/v1")
    record, (answer,) = through(url, "chat", [("POST", ASKING["chat"], body("chat"))])
    assert KEY not in answer.text
    assert KEY not in str(record.last_failure)


def test_an_answer_without_usage_is_counted_as_unmetered(model_server):
    model_server.script = [{"body": {"model": "m1", "choices": [{"finish_reason": "length"}]}}]
    url = model_server.url.removesuffix("/v1")
    record, _ = through(url, "chat", [("POST", ASKING["chat"], body("chat"))])
    assert record.unmetered == 1
    assert record.usage == Usage()
    assert record.finish == "length"


def test_a_cli_that_hangs_up_at_the_last_event_is_no_failure_of_the_endpoint(scripted):
    async def play():
        async with Door(Endpoint("responses", scripted.url, "m1", KEY), Caps(requests=5)) as door:
            port = await door.listen_here()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            data = json.dumps(body("responses", stream=True)).encode()
            key = f"Authorization: Bearer {door.key}"
            head = f"POST /v1/responses HTTP/1.1\r\nHost: x\r\n{key}\r\nContent-Length: {len(data)}\r\n\r\n"
            writer.write(head.encode() + data)
            await reader.readuntil(b"response.created")
            writer.transport.abort()
            while not door.record.answers and not door.record.failures:
                await asyncio.sleep(0.02)
            return door.record

    record = asyncio.run(asyncio.wait_for(play(), 20))
    assert (record.answers, record.last_failure, record.usage.input) == (1, None, TOKENS_IN)
