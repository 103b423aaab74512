"""Runs as logs of Inspect AI, read back by its own reader."""

import sys

import pytest
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.errors import MissingExtra, UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.running.run_folder import RunFolder

REPLY = 'prose without a verdict </script> \ud800 \x1b[31m {"success":'


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A judge of AH that is asked twice: one reply is no verdict, one task was refused, one has no answer yet."""
    bench = ah.load("demo")
    ids = bench.splits["AH"]
    config = {
        "data": {"name": bench.name, "form": bench.form, "fingerprint": bench.fingerprint},
        "judge": {"name": "mine", "settings": {"model": "gpt-x"}},
        "location": bench.location,
        "asked": sorted(ids),
        "repeats": 2,
    }
    path = tmp_path_factory.mktemp("runs") / "run"
    with RunFolder(path, config) as folder:
        for repeat in (0, 1):
            for n, task_id in enumerate(ids[:-1]):
                folder.append(*answer(task_id, repeat, n))
    return path


def answer(task_id, repeat, n):
    telemetry = {"seconds": 2.5, "cost": 0.25, "tokens": {"input": 100, "output": 7, "cached_read": 40}}
    about = {"task_id": task_id, "repeat": repeat, "telemetry": telemetry}
    if n == 0:
        error = {"class": "no_verdict", "message": "prose", "passing": False}
        return Outcome(**about, status="malformed", error=error), {"text": REPLY}
    if n == 1:
        error = {"class": "refused", "message": "I cannot", "passing": False}
        return Outcome(**about, status="failed", error=error), None
    verdict = {"success": n % 2 == 0, "reasoning": f"seen {n}", "confidence": "low", "mistake_type": None}
    return Outcome(**about, status="verdict", verdict=verdict), {"text": f"raw {n}"}


def export(run, path):
    return CliRunner().invoke(app, ["export", str(run), "-f", "inspect", "-o", str(path)])


@pytest.fixture(scope="module", params=["eval", "json"])
def log(run, request, tmp_path_factory):
    """The log as Inspect AI reads it."""
    path = tmp_path_factory.mktemp("log") / f"mine.{request.param}"
    done = export(run, path)
    assert done.exit_code == 0, done.output or done.exception
    from inspect_ai.log import read_eval_log

    return read_eval_log(str(path))


outside = pytest.mark.outside  # inspect-ai, of the extra `inspect`


@outside
def test_there_is_a_sample_for_every_task_and_repeat_with_instruction_and_label(log):
    bench = ah.load("demo")
    ids = bench.splits["AH"]
    assert {(sample.id, sample.epoch) for sample in log.samples} == {(name, epoch) for name in ids for epoch in (1, 2)}
    assert {sample.id: sample.input for sample in log.samples} == {name: bench[name].instruction for name in ids}
    assert {sample.id: sample.target for sample in log.samples} == {name: bench.labels[name].label for name in ids}


@outside
def test_a_sample_is_correct_where_the_verdict_is_the_label(log):
    labels = ah.load("demo").labels
    answers = {"positive": True, "negative": False}
    for sample in log.samples:
        score = sample.scores["verdict"]
        is_right = score.answer is not None and answers[score.answer] is labels[sample.id].is_positive
        assert score.value == ("C" if is_right else "I")
    assert {sample.output.completion for sample in log.samples} >= {f"raw {n}" for n in range(2, 14)}
    assert {sample.scores["verdict"].explanation for sample in log.samples} >= {f"seen {n}" for n in range(2, 14)}


@outside
def test_what_is_no_verdict_is_incorrect_and_says_why(log):
    ids = ah.load("demo").splits["AH"]
    samples = {sample.id: sample for sample in log.samples if sample.epoch == 1}
    malformed, refused, missing = samples[ids[0]], samples[ids[1]], samples[ids[-1]]
    assert malformed.scores["verdict"].reason == "invalid_response_format"
    assert malformed.output.completion == REPLY.replace("\ud800", "?")
    assert refused.error.message == "refused: I cannot"
    assert missing.scores["verdict"].reason == "no_response"
    assert (log.status, log.results.completed_samples, log.results.total_samples) == ("cancelled", 28, 30)


@outside
def test_its_figures_are_those_of_the_scorecard(log, run):
    from agenthorizon.results.scorecards import score_runs

    [(_, card)] = score_runs([run])
    [scores] = log.results.scores
    found = {name: metric.value for name, metric in scores.metrics.items()}
    assert found == {
        f"AH {name}": getattr(card.main, name).value for name in ("balanced_accuracy", "tpr", "tnr", "accuracy")
    }


@outside
def test_usage_is_that_of_all_samples(log):
    usage = log.stats.model_usage["gpt-x"]
    assert (usage.input_tokens, usage.output_tokens, usage.input_tokens_cache_read) == (2800, 196, 1120)
    assert usage.total_cost == 7
    assert log.eval.model == "gpt-x"
    assert log.eval.metadata["data"]["fingerprint"] == ah.load("demo").fingerprint


def test_without_inspect_ai_the_extra_is_named(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    done = export(run, tmp_path / "mine.eval")
    assert isinstance(done.exception, MissingExtra)
    assert "[inspect]" in str(done.exception)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "mine.log"], "ends in .eval or .json"),
        ([], "is written to a file"),
        (["RUN", "-o", "m.eval"], "one run"),
    ],
)
def test_what_cannot_be_a_log_is_refused(run, more, said):
    words = [str(run) if word == "RUN" else word for word in more]
    done = CliRunner().invoke(app, ["export", str(run), "-f", "inspect", *words])
    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)
