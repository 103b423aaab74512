"""Whatever a judge's own code does ends in its outcome: nothing hangs, nothing is lost, the other tasks go on."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import agenthorizon as ah
from agenthorizon.errors import RunStopped
from agenthorizon.running.store import read_run, read_transcript
from agenthorizon.usage import Usage


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError("no words")


async def cancelled():
    raise asyncio.CancelledError


def raising(error):
    def judge(case):
        raise error

    return judge


def replying(**fields):
    def judge(case):
        return ah.Reply(text='{"success": true, "reasoning": "x"}', **fields)

    return judge


async def _cancels(case):
    raise asyncio.CancelledError


async def cancels_its_own_task(case):
    asyncio.current_task().cancel()
    await asyncio.sleep(0)


WRONG = {
    "stop-iteration": raising(StopIteration()),
    "system-exit": raising(SystemExit(0)),
    "base-exception": raising(BaseException("base")),
    "generator-exit": raising(GeneratorExit()),
    "cannot-say-itself": raising(Unspeakable()),
    "lone-surrogate": raising(ValueError("\ud800")),
    "cancels-itself": _cancels,
    "cancels-the-task-it-runs-in": cancels_its_own_task,
    "answers-nothing": lambda case: None,
}


def judge_that(act, first_only):
    """A judge of the user's own that does one wrong thing: for the first task it is asked, or for every one."""

    class Wrong:
        asked = 0

        def good(self):
            Wrong.asked += 1
            return first_only and Wrong.asked > 1

    if asyncio.iscoroutinefunction(act):

        async def judge(self, case):
            return '{"success": true, "reasoning": "x"}' if self.good() else await act(case)
    else:

        def judge(self, case):
            return '{"success": true, "reasoning": "x"}' if self.good() else act(case)

    Wrong.judge = judge
    return Wrong()


@pytest.mark.parametrize("name", WRONG)
def test_one_wrong_task_is_crashed_and_the_others_are_judged(name, tmp_path):
    run = ah.run("demo", judge_that(WRONG[name], first_only=True), split="AH", out=tmp_path, workers=1)
    statuses = [outcome.status for outcome in run.outcomes]
    assert statuses == ["failed", *["verdict"] * 14]
    assert run.outcomes[0].error.kind == "crashed"
    assert read_run(run.folder).outcomes == run.outcomes


STUCK = """
import json, time

class Stuck:
    sends_requests = False
    asked = 0

    def judge(self, case):
        Stuck.asked += 1
        if Stuck.asked == 1:
            time.sleep(3600)
        return json.dumps({"success": True, "reasoning": "x"})
"""


@pytest.mark.parametrize("judge", ["stuck:Stuck", "voting.toml"])
def test_a_plain_judge_that_never_returns_holds_up_neither_the_others_nor_the_end(judge, tmp_path):
    (tmp_path / "stuck.py").write_text(STUCK)
    (tmp_path / "voting.toml").write_text('kind = "vote"\nmembers = ["stuck:Stuck"]\n')
    command = [sys.executable, "-m", "agenthorizon", "run", "demo", "--judge", judge, "--split", "AH", "--out", "runs"]
    command += ["--workers", "1", "--attempts", "1", "--timeout", "2"]
    subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=120)
    (folder,) = (tmp_path / "runs").iterdir()
    endings = [outcome.error.kind if outcome.error else outcome.status for outcome in read_run(folder).outcomes]
    assert endings == ["timeout", *["verdict"] * 14]


NOT_A_FIGURE = {
    "cost-is-nan": ({"cost": float("nan")}, "cost", None),
    "cost-is-below-nothing": ({"cost": -5.0}, "cost", None),
    "cost-is-endless": ({"cost": float("inf")}, "cost", None),
    "cost-is-a-truth": ({"cost": True}, "cost", None),
    "usage-is-nothing": ({"usage": None}, "usage", None),
    "half-a-token": ({"usage": Usage(input=5.5, output=7)}, "usage", {"input": None, "output": 7}),
    "seconds-are-nan": ({"seconds": float("nan")}, "seconds", None),
    "seconds-are-text": ({"seconds": "5"}, "seconds", None),
    "requests-are-many": ({"requests": 10**5000}, "requests", None),
    "images-are-text": ({"images": "two"}, "images", None),
    "tool-calls-are-half": ({"tool_calls": 0.5}, "tool_calls", None),
    "model-is-a-number": ({"model": 5}, "model", None),
}


@pytest.mark.parametrize("name", NOT_A_FIGURE)
def test_a_figure_that_is_none_is_left_unknown_and_its_verdict_stands(name, tmp_path):
    fields, figure, left = NOT_A_FIGURE[name]
    run = ah.run("demo", judge_that(replying(**fields), first_only=False), split="AH", out=tmp_path, workers=1)
    (warning,) = {tuple(outcome.model_extra["warnings"]) for outcome in run.outcomes}
    first = run.outcomes[0]
    assert {outcome.status for outcome in run.outcomes} == {"verdict"}
    assert warning == (f"unusable_{figure}",)
    found = getattr(first.telemetry, "tokens" if figure == "usage" else figure)
    assert (found if left is None else {kind: found[kind] for kind in left}) == left
    assert read_run(run.folder).outcomes == run.outcomes
    assert read_transcript(run.folder, first)["text"] == first_answer()


def first_answer():
    return replying()(None).text


NO_JSON = {
    "agent": (
        {"agent": {1: {2}, "kept": "x"}},
        lambda outcome: outcome.model_extra["agent"] == {"1": "{2}", "kept": "x"},
    ),
    "evidence": ({"evidence": {"own": float("nan")}}, lambda outcome: outcome.evidence["own"] == "nan"),
    "evidence-that-is-no-record": ({"evidence": [1]}, lambda outcome: "ablation" not in outcome.evidence),
}


@pytest.mark.parametrize("name", NO_JSON)
def test_records_that_json_lacks_are_put_into_words_beside_a_verdict_that_stands(name, tmp_path):
    fields, is_kept = NO_JSON[name]
    run = ah.run("demo", judge_that(replying(**fields), first_only=False), split="AH", limit=1, out=tmp_path)
    first = run.outcomes[0]
    assert first.status == "verdict"
    assert first.model_extra["warnings"] == [f"unusable_{name.partition('-')[0]}"]
    assert is_kept(first)
    assert read_run(run.folder).outcomes == run.outcomes


class Mute:
    def __repr__(self):
        raise RuntimeError("no words")


def ring():
    made = []
    made.append(made)
    return made


RAW = {
    "a-key-that-is-no-text": ({(1, 2): 3}, {"(1, 2)": 3}),
    "an-object-that-cannot-say-itself": ([Mute()], ["a Mute that cannot be put into words"]),
    "a-number-too-long-to-write": ({"n": 10**5000}, None),
    "a-ring": (ring(), None),
    "a-set-beside-text": ({"s": {1}, "t": "x"}, {"s": "{1}", "t": "x"}),
}


@pytest.mark.parametrize("name", RAW)
def test_a_raw_answer_of_any_kind_ends_no_run_and_its_text_is_kept(name, tmp_path):
    raw, kept = RAW[name]
    run = ah.run("demo", judge_that(replying(raw=raw), first_only=False), split="AH", out=tmp_path)
    assert [outcome.status for outcome in run.outcomes] == ["verdict"] * 15
    found = read_transcript(run.folder, run.outcomes[0])
    assert found["text"] == first_answer()
    assert kept is None or found["raw"] == kept


def test_an_outcome_that_cannot_be_written_is_that_tasks_failure_alone(tmp_path, small_bench):
    """An outcome is checked where it is made; one that another engine brings may hold anything."""
    from agenthorizon.running.engines.local import LocalEngine
    from agenthorizon.running.named_judges import NamedJudge
    from agenthorizon.running.options import Options
    from agenthorizon.running.runner import Runner

    bench = small_bench(3)

    class Spoiling(LocalEngine):
        async def attempt(self, ask):
            made = await super().attempt(ask)
            if ask.task_id.endswith("1"):
                made = made._replace(outcome=made.outcome.model_copy(update={"evidence": {"steps": object()}}))
            return made

    runner = Runner(bench, Options(out=tmp_path / "runs"), engine=Spoiling(bench))
    judge = judge_that(replying(), first_only=False)
    (run,) = asyncio.run(runner.run([NamedJudge("own", judge)], bench.select()))
    found = {task_id: (each.status, each.error and each.error.kind) for (task_id, _), each in run.latest.items()}
    good = ("verdict", None)
    assert found == {"task-0000": good, "task-0001": ("failed", "crashed"), "task-0002": good}


def test_a_judge_that_cancels_every_task_of_the_loop_stops_the_run_with_a_reason(tmp_path):
    class Vandal:
        async def judge(self, case):
            mine = asyncio.current_task()
            for task in asyncio.all_tasks() - {mine}:
                if "Dispatcher._one" in repr(task):
                    task.cancel()
            await asyncio.sleep(0)
            return first_answer()

    with pytest.raises(RunStopped, match="cancelled"):
        ah.run("demo", Vandal(), split="AH", out=tmp_path, workers=1)


def test_half_a_surrogate_pair_in_what_a_server_says_spoils_no_line(tmp_path, model_server):
    from agenthorizon.plugins import make_judge

    model_server.script[:] = [{"status": 400, "body_text": '{"error": {"message": "bad \\ud800 thing"}}'}]
    judge = make_judge("direct:m", {"base_url": model_server.url})
    run = ah.run("demo", judge, split="AH-D", limit=2, out=tmp_path, workers=1)
    assert run.outcomes[0].status == "failed"
    lines = (run.folder / "outcomes.jsonl").read_bytes().splitlines()
    assert all(json.loads(line) for line in lines)
    assert read_run(run.folder).outcomes == run.outcomes


class Wanderer:
    """A judge whose code changes the working folder of the process."""

    def judge(self, case):
        os.chdir("/")
        return '{"success": true, "reasoning": "x"}'


def test_a_judge_that_changes_the_working_folder_changes_nothing_else(demo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo, "data")
    run = ah.run("data", Wanderer(), split="AH", out="runs")
    assert Path.cwd() == tmp_path
    assert not run.folder.is_absolute()
    assert {outcome.status for outcome in read_run(tmp_path / run.folder).latest.values()} == {"verdict"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "runs"]


def test_a_judge_that_changes_the_working_folder_is_shown_every_screenshot(demo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo, "data")

    class Looking(Wanderer):
        def judge(self, case):
            assert all(step.picture.encoded() for step in case.steps if step.picture)
            return super().judge(case)

    run = ah.run("data", Looking(), split="AH", limit=4, out="runs")
    assert {outcome.status for outcome in run.latest.values()} == {"verdict"}


def test_a_screenshot_that_does_not_decode_is_named_by_its_step_to_the_judge_and_by_its_file_in_the_outcome(
    demo, tmp_path
):
    data = shutil.copytree(demo, tmp_path / "data")
    bench = ah.load(data)
    (task_id,) = bench.select("AH", limit=1)[:1]
    shot = next(shot for shot in bench.screenshots(bench[task_id]) if shot.path)
    shot.path.write_bytes(shot.path.read_bytes()[:3000])
    recorded = next(step.screenshot for step in bench[task_id].trajectory.steps if step.screenshot)
    heard = []

    class Looking:
        def judge(self, case):
            try:
                return [step.picture.encoded() for step in case.steps if step.picture] and "never"
            except Exception as error:
                heard.append(str(error))
                raise

    outcome = ah.run(ah.load(data), Looking(), ids=[task_id], out=tmp_path / "runs").latest[task_id, 0]
    assert (outcome.error.kind, outcome.error.passing) == ("evidence", False)
    assert Path(recorded).name in outcome.error.message
    assert Path(recorded).name not in heard[0]
    assert heard[0].startswith("the screenshot of step ")


MINE = """
import json
def helper(case):
    return {}["verdict"]
class Fails:
    def judge(self, case):
        return helper(case)
class Exits:
    def judge(self, case):
        raise SystemExit(2)
class Parses:
    async def judge(self, case):
        return json.loads("no")
class Returns:
    def judge(self, case):
        return 5
"""


@pytest.fixture
def of_file(tmp_path, monkeypatch):
    """Run a judge of the module `crashing`, and return its outcomes' first and the run's folder, or why it stopped."""
    (tmp_path / "crashing.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield lambda name, **more: ah.run("demo", f"crashing:{name}", split="AH", out=tmp_path / "runs", **more)
    sys.modules.pop("crashing", None)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("Fails", "KeyError: 'verdict' (crashing.py:4)"),
        ("Exits", "(crashing.py:10)"),
        ("Parses", "(crashing.py:13)"),
        ("Returns", "expected agenthorizon.Reply or a text (crashing.py:15)"),
    ],
)
def test_what_a_judge_s_own_code_does_wrong_is_told_with_its_file_and_line(of_file, name, end):
    run = of_file(name, limit=1, attempts=1)
    assert run.outcomes[0].error.message.endswith(end)


def test_the_traceback_of_a_crash_is_kept_in_the_transcript(of_file):
    run = of_file("Fails", limit=1)
    kept = read_transcript(run.folder, run.outcomes[0])
    assert kept["failure"] == "crashed"
    assert "in helper" in kept["traceback"]
    assert kept["traceback"].endswith("KeyError: 'verdict'\n")


@pytest.mark.parametrize("name", ["Fails", "Returns"])
def test_a_run_that_stops_over_crashes_does_not_blame_a_setting(of_file, name):
    with pytest.raises(RunStopped, match=r"first 5 tasks all ended as crashed.*own code.*\(crashing.py:") as stopped:
        of_file(name)
    assert "setting" not in str(stopped.value)
