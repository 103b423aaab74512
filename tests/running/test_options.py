"""How a run is carried out: what cannot be meant is refused, from the shell and from Python, before it is asked."""

import math

import pytest

import agenthorizon as ah
from agenthorizon.api import make_options
from agenthorizon.errors import UsageError
from agenthorizon.outcome import MOST_REPEATS
from agenthorizon.running.chosen_classes import refuse_unknown_classes
from agenthorizon.running.forecast import forecast
from agenthorizon.running.named_judges import named_judges
from agenthorizon.running.options import Options
from agenthorizon.running.sharding import read_shard
from agenthorizon.running.watching import Silent

AMOUNTS = ("timeout", "rpm", "tpm", "max_cost")
COUNTS = ("workers", "repeats", "attempts", "reask")


@pytest.mark.parametrize("name", AMOUNTS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0, 0, True, "5"])
def test_an_amount_that_is_no_positive_number_is_refused(name, value):
    with pytest.raises(UsageError, match=f"{name} must be a positive number"):
        Options(**{name: value})


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -1, 1.5, True, "5"])
def test_a_count_that_is_no_whole_number_is_refused(name, value):
    with pytest.raises(UsageError, match=f"{name} must be at least [01]"):
        Options(**{name: value})


def test_a_number_too_long_to_be_written_out_is_refused_in_words():
    with pytest.raises(UsageError, match=r"repeats must be .* not so long a number"):
        Options(repeats=10**5000)


def test_the_largest_and_the_smallest_that_are_allowed_are_taken():
    made = Options(workers=1, repeats=MOST_REPEATS, attempts=1, reask=0, timeout=0.01, rpm=1, tpm=1e9, max_cost=1e-6)
    assert (made.repeats, made.max_cost) == (MOST_REPEATS, 1e-6)


def test_python_refuses_what_the_shell_refuses_and_leaves_nothing_behind(tmp_path):
    with pytest.raises(UsageError, match="max_cost must be a positive number, not nan"):
        ah.run("demo", "coin", out=tmp_path / "runs", max_cost=math.nan)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("text", ["3/2", "0/2", "٣/٤", "²/3", "1/" + "9" * 5000, "1/2/3", " 1/2", "1/2\n", "+1/2", ""])
def test_a_shard_that_is_none_is_refused(text):
    with pytest.raises(UsageError, match="i/n"):
        read_shard(text)


def test_a_shard_is_read():
    assert read_shard("2/8") == (2, 8)


def test_a_class_that_nothing_has_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match=r"no outcome is of class nope; known: .*refused"):
        ah.run("demo", "coin", retry=["refused", "nope"])


def test_a_class_of_a_judge_of_ones_own_is_known_once_an_outcome_has_it(tmp_path):
    class Own:
        def judge(self, case):
            raise ah.JudgeFailure("my_own", "not today", passing=False)

    run = ah.run("demo", Own(), split="AH-D", limit=1, out=tmp_path)
    refuse_unknown_classes("retry", ["my_own"], run.outcomes)
    again = ah.run("demo", Own(), split="AH-D", limit=1, out=tmp_path, retry=["my_own"])
    assert len(again.outcomes) == 2 * len(run.outcomes)


def test_a_refused_class_leaves_an_earlier_run_as_it_was(tmp_path):
    run = ah.run("demo", "coin", split="AH-D", limit=1, out=tmp_path)
    before = (run.folder / "config.json").read_bytes()
    with pytest.raises(UsageError, match="no outcome is of class nope"):
        ah.run("demo", "coin", split="AH-D", out=tmp_path, retry=["nope"])
    assert (run.folder / "config.json").read_bytes() == before


def test_a_dry_run_refuses_a_class_that_nothing_has(tmp_path):
    options = make_options(out=tmp_path, retry=["nope"])
    bench = ah.load("demo")
    with pytest.raises(UsageError, match="no outcome is of class nope"):
        forecast(bench, named_judges(["coin"]), bench.select("AH-D"), options, Silent())
