"""A request's body: what is written is what is sent, in small pieces, from files that are used again."""

import asyncio
import base64
import json
import os
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from agenthorizon.judges._body import PIECE, Body, Scratch
from agenthorizon.judges._route import Said

from agenthorizon.errors import RunStopped


@dataclass
class Bytes:
    """A picture of the bytes given."""

    data: bytes

    def encoded(self) -> bytes:
        return self.data


@pytest.fixture
def scratch():
    files = Scratch()
    yield files
    files.close()


def sent(scratch: Scratch, *content: Any) -> tuple[list[bytes], int]:
    """Return the pieces of a body, and the length it says it has."""

    with Body(scratch) as body:
        body.write({"model": "m"}, "guide", content, "image/jpeg")
        return asyncio.run(pieces_of(body)), body.length


async def pieces_of(body: Body) -> list[bytes]:
    return [piece async for piece in body]


def suppressed(function, *given):
    with suppress(ValueError):  # its file was closed
        function(*given)


def said(pieces: list[bytes]) -> Any:
    return json.loads(b"".join(pieces))["messages"][1]["content"]


@pytest.mark.parametrize("size", [10, 5_000, 150_000, 400_000])
def test_what_is_sent_is_what_was_written_in_pieces_of_the_length_announced(scratch, size):
    pictures = [os.urandom(size) for _ in range(9)]
    pieces, length = sent(scratch, "first", *map(Bytes, pictures), "last")
    assert sum(map(len, pieces)) == length
    assert max(map(len, pieces)) <= PIECE
    first, *shown, last = said(pieces)
    assert (first["text"], last["text"]) == ("first", "last")
    urls = [part["image_url"]["url"] for part in shown]
    assert [base64.b64decode(url.removeprefix("data:image/jpeg;base64,")) for url in urls] == pictures


def test_nothing_of_a_longer_body_is_left_in_the_next_one(scratch):
    sent(scratch, *[Bytes(b"\xff" * 300_000)] * 4)
    pieces, length = sent(scratch, Bytes(b"short" * 60_000))
    assert sum(map(len, pieces)) == length
    assert len(said(pieces)) == 1


def test_bodies_in_hand_at_one_time_do_not_share_a_file(scratch):
    with Body(scratch) as one, Body(scratch) as other:
        one.write({"model": "m"}, "", [Bytes(b"1" * 600_000)], "image/png")
        other.write({"model": "m"}, "", [Bytes(b"2" * 600_000)], "image/png")

        async def pieces(body: Body) -> bytes:
            return b"".join([piece async for piece in body])

        whole = asyncio.run(pieces(one)), asyncio.run(pieces(other))
    assert [base64.b64encode(digit * 600) in body for digit, body in zip((b"1", b"2"), whole, strict=True)] == [
        True
    ] * 2


def test_a_request_that_is_over_sends_nothing_more_and_leaves_the_next_one_alone(scratch):
    async def both():
        with Body(scratch) as one:
            one.write({"model": "m"}, "", [Bytes(b"1" * 600_000)], "image/png")
            late = aiter(one)
            await anext(late)
        with Body(scratch) as other:
            other.write({"model": "m"}, "", [Bytes(b"2" * 600_000)], "image/png")
            with pytest.raises(BrokenPipeError, match="over"):
                await anext(late)
            return b"".join([piece async for piece in other]), other.length

    whole, length = asyncio.run(both())
    assert len(whole) == length
    assert json.loads(whole)["messages"][1]["content"][0]["image_url"]["url"].endswith("MjIy")


def test_a_file_that_is_still_being_written_to_is_no_other_bodys(scratch):
    begun, go_on = threading.Event(), threading.Event()

    def slow():
        yield Bytes(b"1" * 600_000)
        begun.set()
        go_on.wait(20)
        yield Bytes(b"1" * 600_000)

    with Body(scratch) as cancelled:
        writer = threading.Thread(target=lambda: suppressed(cancelled.write, {"model": "m"}, "", slow(), "image/png"))
        writer.start()
        assert begun.wait(20)
    with Body(scratch) as other:
        other.write({"model": "m"}, "", [Bytes(b"2" * 600_000)], "image/png")
        go_on.set()
        writer.join(20)
        assert len(said([b"".join(asyncio.run(pieces_of(other)))])) == 1


def test_a_small_body_needs_no_disk(scratch, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    pieces, _ = sent(scratch, "text alone")
    assert said(pieces) == [{"type": "text", "text": "text alone"}]


def test_answers_stand_between_the_users_messages(scratch):
    pieces, _ = sent(scratch, "first", Said("noted"), "second")
    messages = json.loads(b"".join(pieces))["messages"]
    assert [(message["role"], message["content"]) for message in messages[1:]] == [
        ("user", [{"type": "text", "text": "first"}]),
        ("assistant", "noted"),
        ("user", [{"type": "text", "text": "second"}]),
    ]


def test_a_full_disk_stops_the_run_and_says_where(scratch):
    scratch.give_back(open("/dev/full", "r+b", buffering=0), 0)  # noqa: SIM115, PTH123
    with Body(scratch) as body, pytest.raises(RunStopped, match=r"no space for requests in .*TMPDIR"):
        body.write({"model": "m"}, "", [Bytes(b"1" * 600_000)], "image/png")
