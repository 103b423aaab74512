"""What a judge says of itself: a plain class that says nothing is taken the same way everywhere."""

import ast
from pathlib import Path

import pytest

import agenthorizon as ah
from agenthorizon.case import FULL_SIZE
from agenthorizon.judge import Judge
from agenthorizon.judging.judge_traits import Traits, traits_of
from agenthorizon.running.config import protocol
from agenthorizon.running.estimate import Estimate

ROOT = Path(__file__).parents[2]
NAMES = {name for name, value in vars(Traits).items() if isinstance(value, property)} | {
    "aclose",
    "json_schema",
    "max_tokens",
    "see_from",
}
VERDICT = '{"success": true, "reasoning": "x"}'


class Plain:
    """The least that is a judge."""

    def judge(self, case):
        return VERDICT


class Least(Judge):
    async def judge(self, case):
        return ah.Reply(text=VERDICT)


def saying(**said):
    return type("Saying", (Plain,), said)()


@pytest.mark.parametrize("name", sorted(NAMES & vars(Traits).keys() - {"sends_requests", "may_cost", "aclose"}))
def test_a_plain_class_is_taken_as_a_judge_that_sets_nothing(name):
    assert getattr(traits_of(Plain()), name) == getattr(traits_of(Least()), name)


def test_a_plain_class_may_cost_and_is_not_held_to_the_protocol(tmp_path):
    bench = ah.load("demo")
    assert protocol(Plain(), reask=0) == "does not apply"
    assert Estimate(bench, Plain(), "plain", bench.select()).may_cost
    run = ah.run(bench, Plain(), split="AH-D", limit=1, out=tmp_path)
    assert {outcome.telemetry.cost for outcome in run.outcomes} == {None}
    with pytest.raises(ah.UsageError, match="price of Plain is unknown"):
        ah.run(bench, Plain(), split="AH-D", limit=1, out=tmp_path / "capped", max_cost=1.0)


@pytest.mark.parametrize("judge", [Least(), saying(sends_requests=False)], ids=["a Judge", "a plain class"])
def test_a_judge_that_says_it_asks_no_model_is_free_and_not_held_to_the_protocol(judge, tmp_path):
    assert protocol(judge, reask=0) == "does not apply"
    run = ah.run("demo", judge, split="AH-D", limit=1, out=tmp_path, max_cost=1.0)
    assert {outcome.telemetry.cost for outcome in run.outcomes} == {0.0}


def test_a_plain_class_that_says_it_asks_a_model_is_held_to_the_protocol():
    judge = saying(sends_requests=True, deviations=("asks twice",))
    assert protocol(judge, reask=0) == "asks twice; screenshots full size png"


def test_what_is_said_as_something_of_another_type_is_not_said():
    said = dict.fromkeys(NAMES - {"aclose", "see_from"}, object())
    for name in NAMES & vars(Traits).keys() - {"aclose"}:
        assert getattr(traits_of(saying(**said)), name) == getattr(traits_of(Plain()), name)


class Failing:
    """What it says of itself cannot be read."""

    @property
    def model(self):
        raise RuntimeError("not today")


def test_what_fails_in_its_own_code_is_named():
    with pytest.raises(ah.UsageError, match=r"Failing\.model cannot be read: RuntimeError: not today"):
        _ = traits_of(Failing()).model


def test_a_judge_may_be_closed_by_a_plain_function_or_by_none(tmp_path):
    closed = []
    for name, close in (("plain", lambda self: closed.append("plain")), ("none", None)):
        run = ah.run("demo", saying(aclose=close), split="AH-D", limit=1, out=tmp_path / name)
        assert run.latest
    assert closed == ["plain"]


def test_closing_that_fails_is_told_and_loses_nothing(tmp_path):
    def close(self):
        raise RuntimeError("still open")

    with pytest.raises(ah.UsageError, match=r"the runs are good, but Saying\.aclose failed: RuntimeError: still open"):
        ah.run("demo", saying(aclose=close), split="AH-D", limit=1, out=tmp_path)
    (folder,) = tmp_path.iterdir()
    assert ah.read_run(folder).latest


def test_an_address_is_where_requests_go_unless_the_judge_knows_better():
    assert traits_of(saying(base_url="http://one")).endpoint == "http://one"
    assert traits_of(saying(base_url="http://one", endpoint="http://two")).endpoint == "http://two"


def test_a_screenshot_is_shown_in_full_size_to_who_does_not_say_how():
    assert traits_of(Plain()).view == FULL_SIZE


def test_a_judge_of_ones_own_may_have_a_setting_named_endpoint():
    class Own(Least):
        endpoint: str = "http://one"

    assert traits_of(Own(endpoint="http://two")).endpoint == "http://two"


def test_nothing_else_reads_a_judge_with_a_default_of_its_own():
    found = set()
    for room in ("agenthorizon", "judges"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr"):
                    name = node.args[1]
                    if isinstance(name, ast.Constant) and name.value in NAMES:
                        found.add(path.name)
    assert found == set()
