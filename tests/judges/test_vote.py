"""Votes: more than half of all that were planned, or no verdict."""

import asyncio
import json
import linecache
import sys
from collections import Counter
from pathlib import Path

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.plugins import make_judge
from agenthorizon.running.checking import check
from agenthorizon.running.config import describe, short_hash
from agenthorizon.running.estimate import Estimate
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner
from agenthorizon.running.store import read_transcript
from agenthorizon.running.taken import answers_kept
from agenthorizon.source import load

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "recorded" / "scoring.jsonl").read_text("utf-8").splitlines()
    if json.loads(line).get("form") == "vote"
]
PLAIN = """
import json

from agenthorizon import Judge, Reply
VERDICT = json.dumps({"success": True, "reasoning": "It is done."})


class Plain:
    def judge(self, case):
        return VERDICT


class Texting:
    async def judge(self, case):
        return VERDICT


class Versioned(Judge):
    def facts(self):
        return {"version": "1.2"}

    async def judge(self, case):
        return Reply(text=VERDICT)
"""

CRITICAL, EFFECT = "Critical Mistake", "Bad Side Effect"


def answer(vote, reasoning="because", confidence="high", mistake_type=None):
    if vote == "invalid":
        return "I cannot say."
    return json.dumps({"success": vote, "reasoning": reasoning, "confidence": confidence, "mistake_type": mistake_type})


def voted(server, answer_body, tmp_path, votes, monkeypatch, **options):
    """Run a vote of one model asked as often as there are answers; return its outcome."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    replies = [vote if isinstance(vote, str) and vote != "invalid" else answer(vote) for vote in votes]
    server.script = [reply if isinstance(reply, dict) else {"body": answer_body(reply)} for reply in replies]
    judge = make_judge("vote", {"members": ("direct:mock",), "repeats": len(votes)})
    bench = load("demo")
    (run,) = asyncio.run(
        Runner(bench, Options(out=tmp_path, attempts=1, **options)).run(
            [NamedJudge("vote", judge)], [bench.select()[0]]
        )
    )
    return run.outcomes[-1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_unusable_vote_is_not_dropped_to_make_a_majority(case, model_server, answer_body, tmp_path, monkeypatch):
    outcome = voted(model_server, answer_body, tmp_path, case["labels"]["votes"], monkeypatch)
    assert case["expect"]["majority"] == "no verdict"
    assert (outcome.status, outcome.verdict) == ("malformed", None)


@pytest.mark.parametrize(
    ("votes", "success"),
    [
        ([True, True, False], True),
        ([False, False, True], False),
        ([True, True, "invalid"], True),
        ([True, False], None),
        ([True, True, False, False], None),
        ([True, "invalid", "invalid"], None),
        ([True, True, "invalid", False], None),
        (["invalid"], None),
        ([False], False),
    ],
)
def test_more_than_half_of_the_planned_votes_decide(votes, success, model_server, answer_body, tmp_path, monkeypatch):
    outcome = voted(model_server, answer_body, tmp_path, votes, monkeypatch)
    assert (outcome.verdict.success if outcome.verdict else None) is success
    assert Counter(vote["vote"] for vote in outcome.evidence["votes"]) == Counter(
        {True: "yes", False: "no", "invalid": "unusable"}[vote] for vote in votes
    )


def test_every_vote_is_kept_and_counted(model_server, answer_body, tmp_path, monkeypatch):
    outcome = voted(model_server, answer_body, tmp_path, [True, True, False], monkeypatch)
    assert len(model_server.received) == outcome.telemetry.requests == 3
    assert outcome.telemetry.tokens["input"] == 3 * 1200
    assert outcome.verdict.reasoning.startswith("Of 3 votes: 2 yes, 1 no.")


@pytest.mark.parametrize(
    ("named", "expected"),
    [([CRITICAL, CRITICAL, EFFECT], CRITICAL), ([CRITICAL, EFFECT, None], None), ([None, None, None], None)],
)
def test_mistake_type_is_the_one_most_of_the_majority_name(
    named, expected, model_server, answer_body, tmp_path, monkeypatch
):
    votes = [answer(False, mistake_type=kind) for kind in named]
    assert voted(model_server, answer_body, tmp_path, votes, monkeypatch).verdict.mistake_type == expected


def test_least_sure_of_the_majority_gives_the_confidence(model_server, answer_body, tmp_path, monkeypatch):
    votes = [answer(True), answer(True, confidence="medium"), answer(False, confidence="low")]
    assert voted(model_server, answer_body, tmp_path, votes, monkeypatch).verdict.confidence == "medium"


def test_failing_member_fails_the_vote_only_without_a_majority(model_server, answer_body, tmp_path, monkeypatch):
    good, busy = {"body": answer_body(answer(True))}, {"status": 429, "body": {"error": {"message": "slow down"}}}
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    bench = load("demo")
    endings = []
    for script in ([good, good, busy], [good, busy, busy]):
        model_server.script = list(script)
        judge = make_judge("vote", {"members": ("direct:mock",), "repeats": 3})
        runner = Runner(bench, Options(out=tmp_path / str(len(endings)), attempts=1))
        (run,) = asyncio.run(runner.run([NamedJudge("vote", judge)], [bench.select()[0]]))
        endings.append(run.outcomes[-1])
    assert endings[0].verdict.success is True
    assert (endings[1].status, endings[1].error.kind, endings[1].error.passing) == ("failed", "rate_limited", True)


def test_replies_that_were_paid_for_are_kept_and_counted_where_another_member_s_error_fails_the_vote(
    model_server, answer_body, tmp_path, monkeypatch
):
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    good, busy = {"body": answer_body(answer(True))}, {"status": 429, "body": {"error": {"message": "slow down"}}}
    model_server.script = [good, busy, busy]
    settings = {"members": ("direct:mock",), "repeats": 3, "prices": {"input": 1.0, "output": 10.0}}
    bench = load("demo")
    runner = Runner(bench, Options(out=tmp_path, attempts=1))
    (run,) = asyncio.run(runner.run([NamedJudge("vote", make_judge("vote", settings))], [bench.select()[0]]))
    (outcome,) = run.outcomes
    assert (outcome.telemetry.requests, outcome.telemetry.tokens["input"]) == (1, 1200)
    assert outcome.telemetry.cost == pytest.approx((1200 * 1.0 + 40 * 10.0) / 1e6)
    texts = [vote["text"] for vote in read_transcript(run.folder, outcome)["raw"]["votes"]]
    assert [text for text in texts if text] == [answer(True)]


def test_what_nobody_was_paid_for_has_no_cost(model_server, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    model_server.script = [{"status": 429, "body": {"error": {"message": "slow down"}}}]
    bench = load("demo")
    judge = make_judge("vote", {"members": ("direct:mock",)})
    runner = Runner(bench, Options(out=tmp_path, attempts=1))
    (run,) = asyncio.run(runner.run([NamedJudge("vote", judge)], [bench.select()[0]]))
    assert (run.outcomes[0].error.kind, run.outcomes[0].telemetry.cost) == ("rate_limited", None)


def config_of(members):
    return describe(load("demo"), make_judge("vote", {"members": members}), "vote", 0)


def test_members_prompts_versions_and_code_are_part_of_what_a_vote_is(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    module = tmp_path / "changing.py"
    module.write_text(PLAIN)
    monkeypatch.syspath_prepend(tmp_path)
    before = config_of(("filter:mock", "changing:Plain", "changing:Versioned"))
    assert before["prompt"]["name"] == "guide+pick"
    assert before["prompt"] == describe(load("demo"), make_judge("filter:mock"), "filter", 0)["prompt"]
    members = before["judge"]["facts"]
    assert members["filter:mock"]["settings"]["keep"] == 12
    assert members["changing:Versioned"]["facts"] == {"version": "1.2"}
    module.write_text(PLAIN.replace("return VERDICT", "return str(VERDICT)"))
    linecache.checkcache(str(module))
    del sys.modules["changing"]
    after = config_of(("filter:mock", "changing:Plain", "changing:Versioned"))
    assert members["changing:Plain"]["code"] != after["judge"]["facts"]["changing:Plain"]["code"]
    assert short_hash(before) != short_hash(after)


def test_members_of_different_kinds_are_each_shown_what_they_want(model_server, answer_body, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", model_server.url)
    model_server.script = [{"body": answer_body(answer(True))}]
    judge = make_judge("vote", {"members": ("direct:mock", "always_yes", "always_no")})
    bench = load("demo")
    (run,) = asyncio.run(Runner(bench, Options(out=tmp_path)).run([NamedJudge("vote", judge)], [bench.select()[0]]))
    assert run.outcomes[-1].verdict.success is True
    assert "image/jpeg" in model_server.received[0].body.decode()
    assert run.config["judge"]["facts"]["direct:mock"]["settings"]["model"] == "mock"
    assert "a vote of 3" in run.config["protocol"]


@pytest.mark.parametrize(
    ("members", "message"),
    [((), "at least 1"), (("coin", "coin"), "use repeats"), (("nobody",), "unknown judge 'nobody'")],
)
def test_impossible_vote_is_refused(members, message):
    with pytest.raises(UsageError, match=message):
        make_judge("vote", {"members": members})


def test_plain_judges_and_those_that_answer_with_text_vote_too(tmp_path, monkeypatch):
    (tmp_path / "plain_members.py").write_text(PLAIN)
    monkeypatch.syspath_prepend(tmp_path)
    judge = make_judge("vote", {"members": ("plain_members:Plain", "plain_members:Texting", "always_no")})
    bench = load("demo")
    runner = Runner(bench, Options(out=tmp_path / "runs"))
    (run,) = asyncio.run(runner.run([NamedJudge("vote", judge)], [bench.select()[0]]))
    assert run.outcomes[-1].verdict.success is True
    assert [vote["vote"] for vote in run.outcomes[-1].evidence["votes"]] == ["yes", "yes", "no"]


def test_what_its_members_ask_is_planned_as_often_as_it_is_asked(tmp_path, monkeypatch):
    (tmp_path / "windows.toml").write_text(
        'kind = "stream"\nmodel = "m"\nbase_url = "http://127.0.0.1:1/v1"\nwindow = 2\n'
    )
    monkeypatch.chdir(tmp_path)
    vote = make_judge("vote", {"members": ("windows.toml", "always_yes"), "repeats": 3})
    bench = load("demo")
    ids = bench.select()[:1]
    alone = Estimate(bench, make_judge("windows.toml"), "one", ids).usage(ids[0])
    voted = Estimate(bench, vote, "three", ids).usage(ids[0])
    assert voted.output == 3 * alone.output
    assert voted.input >= 3 * alone.input


def test_a_member_that_is_not_there_is_named_with_its_address(tmp_path):
    address = "http://127.0.0.1:9/v1"
    (tmp_path / "gone.toml").write_text(f'kind = "describe"\nmodel = "m"\nbase_url = "{address}"\n')
    judge = make_judge("vote", {"members": (str(tmp_path / "gone.toml"), "always_no")})
    bench = load("demo")
    runner = Runner(bench, Options(out=tmp_path, attempts=1))
    (run,) = asyncio.run(runner.run([NamedJudge("vote", judge)], bench.select()[:1]))
    said = f"the member {tmp_path}/gone.toml: the model that describes, m, at {address}: is it running"
    assert run.outcomes[-1].error.message.startswith(said)
    (only,) = asyncio.run(check(judge))
    assert only.what.startswith(f"connection: {said}")


@pytest.fixture
def _own_texts(tmp_path, monkeypatch):
    monkeypatch.setenv("AGENTHORIZON_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_own_texts")
def test_answers_that_its_members_found_on_disk_are_counted(model_server, tmp_path):
    """A vote of two that read the same descriptions, which are all there from a run before."""
    members = [tmp_path / "one.toml", tmp_path / "two.toml"]
    for member in members:
        settings = f'kind = "describe"\nmodel = "{member.stem}"\ndescriber_model = "eyes"\n'
        member.write_text(f'{settings}base_url = "{model_server.url}"\n')
    bench = load("demo")
    task = bench[bench.select()[0]]
    shots = sum(shot.path is not None for shot in bench.screenshots(task))

    def run_of(name, judge):
        return asyncio.run(Runner(bench, Options(out=tmp_path / name)).run([NamedJudge("j", judge)], [task.id]))[0]

    run_of("first", make_judge(str(members[0])))
    run = run_of("second", make_judge("vote", {"members": tuple(map(str, members))}))
    assert run.outcomes[-1].telemetry.requests == 2
    assert answers_kept(run) == 2 * shots


def test_a_check_names_an_unusable_member_of_a_member(tmp_path):
    (tmp_path / "gone.toml").write_text('kind = "direct"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n')
    (tmp_path / "no.toml").write_text('kind = "always_no"\n')
    gone, other, inner = (str(tmp_path / f"{name}.toml") for name in ("gone", "no", "inner"))
    Path(inner).write_text(f'kind = "vote"\nmembers = ["always_no", "{other}", "{gone}"]\n')
    found = asyncio.run(check(make_judge("vote", {"members": (inner,)})))
    (fault,) = [one.what for one in found if not one.ok]
    assert fault.startswith(f"the vote of {inner}: the vote of {gone} cannot be used: ")


def test_a_check_names_a_member_that_a_majority_of_the_others_hides(tmp_path):
    (tmp_path / "gone.toml").write_text('kind = "direct"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n')
    (tmp_path / "no.toml").write_text('kind = "always_no"\n')
    gone, other = str(tmp_path / "gone.toml"), str(tmp_path / "no.toml")
    found = asyncio.run(check(make_judge("vote", {"members": ("always_no", other, gone)})))
    (fault,) = [one.what for one in found if not one.ok]
    assert fault.startswith(f"the vote of {gone} cannot be used: ")
    sound = asyncio.run(check(make_judge("vote", {"members": ("always_no", other)})))
    assert [one.what for one in sound if not one.ok] == []
