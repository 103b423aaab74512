"""Asking again and reading anew: --repeats, --retry, --reask, rerun, reread."""

import gzip
import json

import pytest

import agenthorizon as ah
from agenthorizon.errors import JudgeFailure, RunStopped, UsageError
from agenthorizon.plugins import make_judge
from agenthorizon.running.remaking import remade_judge
from agenthorizon.running.rereading import reread
from agenthorizon.running.run_state import state_of
from agenthorizon.running.store import read_run, transcript_path

VERDICT = {"success": True, "reasoning": "It is done.", "confidence": "high", "mistake_type": None}


@pytest.fixture
def judge(model_server):
    return make_judge("direct:mock", {"base_url": model_server.url})


def test_repeats_are_asked_each_and_more_of_them_go_on(judge, model_server, small_bench, tmp_path):
    bench = small_bench(3)
    ah.run(bench, judge, out=tmp_path / "runs", repeats=2)
    run = ah.run(bench, judge, out=tmp_path / "runs", repeats=5)
    assert len(model_server.received) == 15
    assert {repeat for _, repeat in run.latest} == {0, 1, 2, 3, 4}
    assert run.config["repeats"] == 5
    fewer = ah.run(bench, judge, out=tmp_path / "runs", repeats=1)
    assert (len(model_server.received), fewer.config["repeats"]) == (15, 5)


def test_a_class_that_is_named_is_asked_again_and_no_other(judge, model_server, answer_body, small_bench, tmp_path):
    bench = small_bench(3)
    filtered = answer_body(choices=[{"index": 0, "finish_reason": "content_filter", "message": {"content": ""}}])
    cut = answer_body(choices=[{"index": 0, "finish_reason": "length", "message": {"content": "{"}}])
    model_server.script = [{"body": filtered}, {"body": cut}]
    ah.run(bench, judge, out=tmp_path / "runs", workers=1)
    run = ah.run(bench, judge, out=tmp_path / "runs", workers=1, retry=["refused"])
    assert len(model_server.received) == 4
    assert sorted(str(each.error and each.error.kind) for each in run.latest.values()) == ["None", "None", "truncated"]


def test_asking_again_after_invalid_replies_is_configuration(judge, small_bench, tmp_path):
    bench = small_bench(2)
    once, more = (ah.run(bench, judge, out=tmp_path / "runs", reask=reask) for reask in (0, 2))
    assert once.folder != more.folder
    assert "asks again 2×" in more.config["protocol"]


def test_a_run_s_judge_can_be_made_again_from_its_folder(judge, model_server, small_bench, tmp_path):
    run = ah.run(small_bench(2), judge, out=tmp_path / "runs")
    remade = remade_judge(run)
    assert (type(remade.judge), remade.judge.model_dump()) == (type(judge), judge.model_dump())
    assert remade.folder == run.folder


def spoil(run, text):
    """Replace the kept reply of a run's first outcome and say that it was malformed."""
    first = run.outcomes[0]
    kept = {"text": text, "finish": "stop", "raw": None}
    transcript_path(run.folder, first).write_bytes(gzip.compress(json.dumps(kept).encode()))
    return first


def test_reading_anew_appends_what_is_read_otherwise_and_pays_nothing(judge, model_server, small_bench, tmp_path):
    run = ah.run(small_bench(3), judge, out=tmp_path / "runs", workers=1)
    first = spoil(run, "no verdict here")
    found = reread(run.folder)
    assert (found.replies, len(found.changed), found.without) == (3, 1, 0)
    again = read_run(run.folder)
    assert [outcome.status for outcome in again.outcomes] == ["verdict"] * 3 + ["malformed"]
    last = again.outcomes[-1]
    assert (last.task_id, last.attempt, last.telemetry) == (first.task_id, first.attempt, first.telemetry)
    assert last.model_extra["reread"] is True
    assert len(model_server.received) == 3
    assert reread(run.folder).changed == ()
    assert state_of(read_run(run.folder)).attempts == 3


def test_a_run_read_by_another_reader_must_be_read_anew_first(judge, small_bench, tmp_path):
    bench = small_bench(2)
    run = ah.run(bench, judge, out=tmp_path / "runs")
    path = run.folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"reader": 0}))
    with pytest.raises(UsageError, match="agenthorizon reread"):
        ah.run(bench, judge, out=tmp_path / "runs")
    reread(run.folder)
    assert ah.run(bench, judge, out=tmp_path / "runs").folder == run.folder


def test_a_reply_that_is_gone_is_counted_and_its_outcome_kept(judge, small_bench, tmp_path):
    run = ah.run(small_bench(2), judge, out=tmp_path / "runs")
    transcript_path(run.folder, run.outcomes[0]).unlink()
    assert reread(run.folder).without == 1
    assert read_run(run.folder).outcomes == run.outcomes


class Explorer:
    """A judge of the user's own whose every reply holds a whole verdict, beside a failure."""

    def __init__(self, failure):
        self._failure = failure

    async def judge(self, case):
        return ah.Reply(text=json.dumps(VERDICT), failure=self._failure)


@pytest.mark.parametrize(("kind", "passing"), [("truncated", False), ("refused", False), ("no_answer", True)])
def test_reading_anew_leaves_an_attempt_that_failed_for_another_reason_than_its_text(
    kind, passing, small_bench, tmp_path
):
    failure = JudgeFailure(kind, "the agent was ended", passing=passing)
    run = ah.run(small_bench(2), Explorer(failure), out=tmp_path / "runs", attempts=1)
    found = reread(run.folder)
    assert (found.replies, found.changed, found.without) == (2, (), 0)
    assert read_run(run.folder).outcomes == run.outcomes


def test_reading_anew_takes_a_tool_s_error_message_for_a_failure_as_the_first_reading_does(
    judge, small_bench, tmp_path
):
    run = ah.run(small_bench(2), judge, out=tmp_path / "runs", workers=1)
    spoil(run, "API Error: Rate limit reached")
    assert reread(run.folder).replies == 2
    last = read_run(run.folder).outcomes[-1]
    assert (last.status, last.error.kind, last.error.passing) == ("failed", "rate_limited", True)
    before = ah.run(small_bench(3), Explorer(None), out=tmp_path / "runs", workers=1)
    spoil(before, "API Error: 401 invalid api key")
    reread(before.folder)
    last = read_run(before.folder).outcomes[-1]
    assert (last.status, last.error.kind, last.error.passing) == ("failed", "key", True)


def test_a_judge_whose_first_tasks_all_end_the_same_bad_way_is_stopped(judge, model_server, small_bench, tmp_path):
    wrong = {"status": 400, "body": {"error": {"message": "temperature must be 1"}}}
    model_server.script = [wrong] * 30
    with pytest.raises(RunStopped, match="first 5 tasks all ended as bad_request"):
        ah.run(small_bench(20), judge, out=tmp_path / "runs", workers=1)
    assert len(model_server.received) == 5


def test_one_good_answer_among_the_first_keeps_the_run_going(judge, model_server, answer_body, small_bench, tmp_path):
    wrong = {"status": 400, "body": {"error": {"message": "temperature must be 1"}}}
    model_server.script = [wrong, wrong, {"body": answer_body()}, *[wrong] * 30]
    run = ah.run(small_bench(20), judge, out=tmp_path / "runs", workers=1)
    assert len(run.latest) == 20


def test_the_state_of_a_run_is_told_in_figures(judge, model_server, answer_body, small_bench, tmp_path):
    filtered = answer_body(choices=[{"index": 0, "finish_reason": "content_filter", "message": {"content": ""}}])
    model_server.script = [{"body": filtered}, {"body": answer_body("what?")}, {"status": 500, "body": {}}]
    run = ah.run(small_bench(5), judge, out=tmp_path / "runs", workers=1, attempts=1)
    told = state_of(run)
    assert (told.tasks, told.verdicts, told.malformed, told.failed) == (5, 2, 1, {"refused": 1})
    assert (told.passing, told.settled, told.open, told.attempts) == ({"server": 1}, 4, 1, 5)
    assert told.tokens["input"] == 4 * 1200
    assert told.spent.unknown == 5
