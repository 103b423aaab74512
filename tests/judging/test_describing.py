"""What a judge of the user's own is recorded as: what JSON can hold, and nothing that may be a secret."""

import json
import threading
from typing import ClassVar

import pytest

import agenthorizon as ah
from agenthorizon.judge import Judge, Reply
from agenthorizon.judging.describing import described
from agenthorizon.running.config import describe

SECRET = "sk-not-for-anybody-s-eyes"


class Plain:
    def __init__(self, **attributes):
        self.__dict__ |= attributes

    def judge(self, case):
        return json.dumps({"success": True, "reasoning": "x"})


@pytest.mark.parametrize(
    "name",
    ["api_key", "apiKey", "TOKEN", "client_secret", "password", "passwd", "credentials", "Authorization", "x-api-key"],
)
def test_a_text_that_is_named_like_a_secret_is_left_out_at_any_depth(name):
    attributes = {name: SECRET, "headers": [{name: SECRET, "accept": "json"}], f"old_{name}": [SECRET]}
    assert described(Plain(**attributes))["settings"] == {"headers": [{"accept": "json"}]}


@pytest.mark.parametrize("name", ["tokenizer", "keyboard", "author", "key_env", "monkey"])
def test_a_text_whose_name_only_begins_like_a_secret_is_part_of_the_judge(name):
    assert described(Plain(**{name: "llama"}))["settings"] == {name: "llama"}


def test_a_number_is_no_secret_whatever_its_name():
    settings = {"max_tokens": 400, "skip_special_tokens": True, "stop_token_ids": [1, 2], "key": None}
    assert described(Plain(**settings))["settings"] == settings


def test_what_json_does_not_have_is_left_out_and_the_rest_is_recorded_as_it_is():
    ring = []
    ring.append(ring)
    no_json = {"client": object(), "lock": threading.Lock(), "ring": ring, "nan": float("nan"), "raw": b"x"}
    plain = {"model": "m", "temperature": 0.5, "sizes": [1, 2], "extra": {"a": None}}
    assert described(Plain(**no_json, **plain, _hidden=1))["settings"] == plain


def test_a_class_without_attributes_has_no_settings():
    class Slotted:
        __slots__ = ()

        def judge(self, case):
            return ""

    assert described(Slotted())["settings"] == {}


def test_a_judge_s_own_fields_are_held_to_the_same():
    class Mine(Judge):
        api_key: str
        strictness: float = 0.5

        async def judge(self, case):
            return Reply(text="")

    assert described(Mine(api_key=SECRET))["settings"] == {"strictness": 0.5}


def test_fields_that_change_nothing_are_kept_for_a_rerun_but_no_secret_among_them():
    class Mine(Judge):
        unrecorded: ClassVar[frozenset[str]] = frozenset({"api_key", "key_env", "pause"})
        api_key: str
        key_env: str = "MY_KEY"
        pause: float = 0.5

        async def judge(self, case):
            return Reply(text="")

    config = describe(ah.load("demo"), Mine(api_key=SECRET), "mine", 0)
    assert config["remake"]["settings"] == {"key_env": "MY_KEY", "pause": 0.5}
    assert SECRET not in json.dumps(config)


def test_a_run_of_a_judge_with_a_client_and_a_key_goes_on_and_its_folder_holds_no_key(tmp_path):
    def judge():
        return Plain(client=object(), api_key=SECRET, model="m")

    first = ah.run("demo", judge(), split="AH", out=tmp_path)
    again = ah.run("demo", judge(), split="AH", out=tmp_path)
    assert (again.folder, len(again.outcomes)) == (first.folder, len(first.outcomes))
    assert not any(SECRET in path.read_bytes().decode("latin-1") for path in first.folder.glob("*") if path.is_file())
