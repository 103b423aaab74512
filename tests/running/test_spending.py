"""Money: prices by kind, unknown is unknown, and a cap that is not passed."""

import asyncio
import json
import sys
import types
from pathlib import Path

import pytest

import agenthorizon as ah
from agenthorizon.errors import RunStopped, UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.plugins import make_judge
from agenthorizon.prices import Prices
from agenthorizon.running import price_table
from agenthorizon.running.estimate import Estimate
from agenthorizon.running.lanes import Work
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner
from agenthorizon.running.spending import Purse, costs
from agenthorizon.running.watching import Halt
from agenthorizon.usage import Usage

JUDGE_FILE = """
kind = "direct"
model = "mock"
base_url = "{url}"
[prices]
input = 2.0
cached_read = 0.5
cached_write = 2.5
output = 8.0
reasoning = 10.0
"""


@pytest.fixture
def priced(model_server, tmp_path):
    """A judge file with a price for every kind of token."""
    path = tmp_path / "priced.toml"
    path.write_text(JUDGE_FILE.format(url=model_server.url))
    return str(path)


def test_every_kind_of_token_is_priced_apart():
    prices = Prices(input=2, cached_read=0.5, cached_write=2.5, output=8, reasoning=10)
    usage = Usage(input=1000, cached_read=400, cached_write=100, output=300, reasoning=200)
    assert prices.cost(usage) == pytest.approx((500 * 2 + 400 * 0.5 + 100 * 2.5 + 100 * 8 + 200 * 10) / 1e6)


def test_what_is_unknown_makes_the_cost_unknown_and_never_zero():
    prices = Prices(input=2, output=8)
    assert prices.cost(Usage(input=None, output=10)) is None
    assert prices.cost(Usage(input=10, output=None)) is None
    assert prices.cost(Usage(input=10, output=10, cached_write=5)) is None
    assert prices.cost(Usage(input=10, output=0)) == pytest.approx(20 / 1e6)


def test_a_judge_file_s_prices_stand_in_every_attempt_failed_ones_too(priced, model_server, answer_body, small_bench):
    cut_short = {"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": "{"}}
    details = {"prompt_tokens_details": {"cached_tokens": 1000}, "completion_tokens_details": {"reasoning_tokens": 10}}
    usage = {"prompt_tokens": 1200, "completion_tokens": 40} | details
    model_server.script = [{"body": answer_body(usage=usage)}, {"body": answer_body(usage=usage, choices=[cut_short])}]
    run = ah.run(small_bench(2), priced, workers=1, out=Path(priced).parent / "runs")
    price = (200 * 2 + 1000 * 0.5 + 30 * 8 + 10 * 10) / 1e6
    assert [outcome.status for outcome in run.outcomes] == ["verdict", "failed"]
    assert [outcome.telemetry.cost for outcome in run.outcomes] == [pytest.approx(price)] * 2
    assert costs(run.outcomes).dollars == pytest.approx(2 * price)


def test_prices_are_no_configuration(priced, model_server, small_bench, tmp_path):
    bench = small_bench(2)
    first = ah.run(bench, priced, out=tmp_path / "runs")
    Path(priced).write_text(Path(priced).read_text().replace("input = 2.0", "input = 3.0"))
    assert ah.run(bench, priced, out=tmp_path / "runs").folder == first.folder
    assert len(model_server.received) == 2
    assert first.config["prices"]["input"] == 2.0
    assert "prices" not in first.config["judge"]["settings"]


def test_without_a_price_the_cost_is_null(model_server, small_bench, tmp_path):
    judge = make_judge("direct:nobody-knows-this", {"base_url": model_server.url})
    run = ah.run(small_bench(2), judge, out=tmp_path / "runs")
    assert json.loads((run.folder / "outcomes.jsonl").read_text().splitlines()[0])["telemetry"]["cost"] is None
    assert costs(run.outcomes).unknown == 2


def test_a_cap_is_refused_where_the_price_is_unknown(model_server, small_bench, tmp_path):
    judge = make_judge("direct:nobody-knows-this", {"base_url": model_server.url})
    with pytest.raises(UsageError, match="price"):
        ah.run(small_bench(2), judge, out=tmp_path / "runs", max_cost=1.0)
    assert model_server.received == []


@pytest.mark.parametrize("workers", [1, 16])
def test_a_cap_is_not_passed_however_many_are_in_flight(
    workers, priced, model_server, answer_body, small_bench, tmp_path
):
    usage = {"prompt_tokens": 100_000, "completion_tokens": 1000}  # far from any estimate for these pictures
    model_server.script = [{"body": answer_body(usage=usage), "delay_s": 0.02} for _ in range(200)]
    price = (100_000 * 2 + 1000 * 8) / 1e6
    with pytest.raises(RunStopped, match="cap") as stopped:
        ah.run(small_bench(60), priced, out=tmp_path / "runs", workers=workers, max_cost=20.5 * price)
    assert stopped.value.code == "cap"
    assert 15 <= len(model_server.received) <= 20


def test_a_higher_cap_goes_on_and_counts_what_was_spent_before(
    priced, model_server, answer_body, small_bench, tmp_path
):
    usage = {"prompt_tokens": 100_000, "completion_tokens": 1000}
    model_server.script = [{"body": answer_body(usage=usage)} for _ in range(200)]
    price, bench = (100_000 * 2 + 1000 * 8) / 1e6, small_bench(30)
    for cap in (5.9, 10.9):
        with pytest.raises(RunStopped, match="cap"):
            ah.run(bench, priced, out=tmp_path / "runs", workers=4, max_cost=cap * price)
        assert len(model_server.received) <= cap
    run = ah.run(bench, priced, out=tmp_path / "runs", workers=4, max_cost=100 * price)
    assert (len(model_server.received), len(run.latest)) == (30, 30)


def test_a_timed_out_attempt_may_have_been_billed_and_counts(
    priced, model_server, answer_body, small_bench, quick_clock
):
    usage = {"prompt_tokens": 100_000, "completion_tokens": 1000}
    price = (100_000 * 2 + 1000 * 8) / 1e6
    answered = {"body": answer_body(usage=usage)}
    model_server.script = [answered, *({"delay_s": 1.5, "body": answer_body()} for _ in range(50))]
    options = Options(out=Path(priced).parent / "runs", workers=1, attempts=9, timeout=0.2, max_cost=4 * price)
    runner = Runner(bench := small_bench(5), options, clock=quick_clock)
    with pytest.raises(RunStopped, match="cap"):
        asyncio.run(runner.run([NamedJudge("priced", make_judge(priced))], bench.select()))
    assert len(model_server.received) <= 4


def test_going_on_counts_an_attempt_of_unknown_cost_as_the_command_that_made_it_did(
    priced, model_server, answer_body, small_bench, quick_clock
):
    bench, named = small_bench(5), [NamedJudge("priced", make_judge(priced))]
    model_server.script = [{"delay_s": 1.0, "body": answer_body()}]
    options = Options(out=Path(priced).parent / "runs", workers=1, attempts=1, timeout=0.2, max_cost=1000.0)
    runner = Runner(bench, options, clock=quick_clock)
    ids = bench.select()
    (run,) = asyncio.run(runner.run(named, ids[:1]))
    assert (run.outcomes[0].error.kind, run.outcomes[0].telemetry.cost) == ("timeout", None)
    assert runner._purse.spent > 0
    again = Runner(bench, options, halt=(halt := Halt()), clock=quick_clock)
    halt.ask()
    asyncio.run(again.run(named, ids))
    assert again._purse.spent == pytest.approx(runner._purse.spent)


def test_going_on_counts_nothing_for_what_the_provider_refused_before_doing_anything(
    priced, model_server, small_bench, tmp_path
):
    model_server.script = [{"status": 413, "body": {"error": {"message": "too large"}}}]
    bench, named = small_bench(5), [NamedJudge("priced", make_judge(priced))]
    options = Options(out=tmp_path / "runs", workers=1, attempts=1, max_cost=1000.0)
    asyncio.run(Runner(bench, options).run(named, bench.select()[:1]))
    again = Runner(bench, options, halt=(halt := Halt()))
    halt.ask()
    asyncio.run(again.run(named, bench.select()))
    assert again._purse.spent == 0


def test_answers_of_unknown_cost_before_a_refusal_count_as_estimated(tmp_path):
    error = {"class": "bad_request", "message": "no", "passing": False}
    outcome = {"task_id": "a", "attempt": 1, "status": "failed", "error": error}
    refused_at_once = Outcome.model_validate(outcome | {"telemetry": {"requests": 0}})
    refused_at_last = Outcome.model_validate(outcome | {"telemetry": {"requests": 5}})
    bench, judge = ah.load("demo"), make_judge("coin")
    purse = Purse(cap=100.0)
    ids = bench.select()[:1]
    purse.add("run", Prices(input=1.0, output=1.0), Estimate(bench, judge, "coin", ids))
    for found, spent in ((refused_at_once, False), (refused_at_last, True)):
        work = Work("run", ids[0], 0)
        assert purse.admits(work)
        purse.settle(work, found)
        assert (purse.spent > 0) == spent


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A litellm that can be found and not imported, with a table of its own."""
    package = tmp_path / "site" / "litellm"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    entries = {
        "known": {"input_cost_per_token": 2e-06, "output_cost_per_token": 8e-06, "cache_read_input_token_cost": 5e-07},
        "openrouter/known": {"input_cost_per_token": 3e-06, "output_cost_per_token": 9e-06},
        "half": {"input_cost_per_token": 2e-06},
    }
    (package / "model_prices_and_context_window_backup.json").write_text(json.dumps(entries))
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    price_table._table.cache_clear()
    yield
    price_table._table.cache_clear()


@pytest.mark.usefixtures("table")
def test_the_table_of_litellm_is_read_without_importing_it():
    assert price_table.table_price("known") == Prices(input=2, output=8, cached_read=0.5)
    assert price_table.table_price("known", "https://openrouter.ai/api/v1") == Prices(input=3, output=9)
    assert price_table.table_price("half") is None
    assert price_table.table_price("unheard-of") is None
    assert not isinstance(sys.modules.get("litellm"), types.ModuleType)


@pytest.mark.usefixtures("table")
def test_a_judge_s_own_prices_go_before_the_table():
    own = make_judge("direct:known", {"base_url": "http://127.0.0.1:9/v1"})
    assert price_table.prices_of(own) == Prices(input=2, output=8, cached_read=0.5)
    assert price_table.prices_of(own.model_copy(update={"prices": Prices(input=1, output=1)})).input == 1
