"""Submissions: written, checked, and scored as the run they came from."""

import hashlib
import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import agenthorizon as ah
from agenthorizon.cli.app import app
from agenthorizon.outcome import Outcome
from agenthorizon.report.exports.run_card import run_card
from agenthorizon.report.page.answers import JudgeAnswers
from agenthorizon.running.run_folder import RunFolder
from agenthorizon.running.run_state import state_of
from agenthorizon.running.store import read_run
from agenthorizon.running.taken import dollars_taken
from agenthorizon.scoring.submission_check import check_submission
from agenthorizon.verdict import MISTAKE_TYPES


@pytest.fixture(scope="module")
def submission(tmp_path_factory):
    """A coin's run over AH as a submission of the whole manifest: the other splits are without verdicts."""
    folder = tmp_path_factory.mktemp("submission")
    run = ah.run("demo", "coin", split="AH", out=folder)
    done = CliRunner().invoke(app, ["export", str(run.folder), "-f", "submission", "-o", str(folder / "mine.jsonl")])
    assert done.exit_code == 0, done.output
    return run, folder / "mine.jsonl"


def test_it_has_a_sorted_row_for_every_task_and_nulls_where_there_is_no_verdict(submission):
    run, path = submission
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["trajectory_id"] for row in rows] == sorted(ah.load("demo").labels)
    assert {tuple(row) for row in rows} == {("trajectory_id", "success", "confidence", "mistake_type", "reasoning")}
    asked = set(run.config["asked"])
    assert {row["trajectory_id"] for row in rows if row["success"] is not None} == asked
    assert all(set(row.values()) == {row["trajectory_id"], None} for row in rows if row["trajectory_id"] not in asked)


def test_it_scores_as_its_run_does(submission):
    run, path = submission
    labels = ah.load("demo").labels
    from agenthorizon.results.scorecards import score_submission

    assert score_submission(path, labels, ["AH"]).splits == ah.score(run, labels).splits


def test_a_run_with_named_mistakes_malformed_replies_and_gaps_scores_the_same_too(tmp_path, typed_run):
    labels = ah.load("desktop").labels
    path = tmp_path / "mine.jsonl"
    done = CliRunner().invoke(app, ["export", str(typed_run), "-f", "submission", "-o", str(path)])
    assert done.exit_code == 0, done.output
    from agenthorizon.results.scorecards import score_run, score_submission

    mine, theirs = score_run(read_run(typed_run), labels), score_submission(path, labels)
    assert mine.main.malformed == 1
    assert mine.main.mistake_type_recall.overall.numerator > 0
    for name, split in mine.splits.items():
        # A submission has nulls for a malformed reply: it says that there is no verdict, not why.
        kinds = {"malformed": 0, "missing": split.missing + split.malformed}
        assert replace(split, **kinds) == theirs.splits[name]


@pytest.fixture
def typed_run(tmp_path):
    """A judge of the desktop set that names mistakes, one reply of which is no verdict and one of which never came."""
    bench = ah.load("desktop")
    config = {
        "data": {"name": bench.name, "form": bench.form, "fingerprint": bench.fingerprint},
        "judge": {"name": "typed", "settings": {}},
        "location": bench.location,
        "asked": sorted(bench.labels),
    }
    with RunFolder(tmp_path / "run", config) as folder:
        for n, (task_id, label) in enumerate(list(bench.labels.items())[1:]):
            says = label.is_positive is (n % 4 > 0)
            kind = None if says else MISTAKE_TYPES[n % 3] if n % 2 else label.mistake_type
            verdict = {"success": says, "reasoning": "café \u2028 </script>", "confidence": "low", "mistake_type": kind}
            folder.append(Outcome(task_id=task_id, status="verdict", verdict=verdict), None)
            if n == 5:
                error = {"class": "no_verdict", "message": "prose", "passing": False}
                folder.append(Outcome(task_id=task_id, status="malformed", error=error), None)
    return tmp_path / "run"


def test_the_card_says_how_it_was_made(submission):
    run, path = submission
    card = json.loads(path.with_suffix(".card.json").read_text())
    assert card["judge"]["name"] == "coin"
    assert card["data"] == run.config["data"]
    assert card["submission_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (card["coverage"]["tasks"], card["coverage"]["verdict"], card["coverage"]["missing"]) == (41, 15, 26)
    assert card["cost_usd"] == {"total": 0, "mean": 0, "known_of": 15}


def test_it_passes_its_own_check(submission):
    done = CliRunner().invoke(app, ["submission", "check", str(submission[1]), "--labels", "demo"])
    assert (done.exit_code, "a submission of 41 tasks" in done.output) == (0, True)


def test_rows_of_another_split_are_passed_over(submission):
    words = ["submission", "check", str(submission[1]), "--labels", "demo", "--split", "AH"]
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, "a submission of 15 tasks" in done.output) == (0, True)


def test_one_wrong_id_is_out_of_order_once(tmp_path):
    rows = [dict.fromkeys(("success", "confidence", "mistake_type", "reasoning")) for _ in range(5)]
    path = tmp_path / "mine.jsonl"
    lines = [json.dumps({"trajectory_id": task_id, **row}) for task_id, row in zip("zabcd", rows, strict=True)]
    path.write_text("\n".join(lines))
    codes = [(fault.line, fault.code) for fault in check_submission(path, set("abcdz"))]
    assert codes == [(2, "not_sorted")]


def test_every_fault_is_said_at_once(tmp_path):
    rows = [
        {"trajectory_id": "b", "success": "true", "confidence": "sure", "mistake_type": None, "reasoning": "x"},
        {"trajectory_id": "a", "success": True, "confidence": "low", "mistake_type": "Bad Side Effect", "reasoning": 1},
        {"trajectory_id": "a", "success": None, "confidence": None, "mistake_type": None, "reasoning": "left over"},
        {
            "trajectory_id": "x",
            "success": False,
            "confidence": None,
            "mistake_type": "Typo",
            "reasoning": None,
            "more": 1,
        },
        {"success": True},
        {"trajectory_id": "y"},
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{broken\n")
    faults = check_submission(path, {"a", "b", "c"})
    assert [(fault.line, fault.code) for fault in faults] == [
        (1, "bad_verdict"),
        (1, "bad_verdict"),
        (2, "bad_verdict"),
        (2, "bad_verdict"),
        (2, "not_sorted"),
        (3, "duplicate_result"),
        (3, "bad_verdict"),
        (4, "unknown_result_id"),
        (4, "bad_verdict"),
        (4, "unknown_field"),
        (5, "no_task_id"),
        (6, "unknown_result_id"),
        (6, "missing_field"),
        (7, "bad_json"),
        (None, "no_row"),
    ]


def test_faults_make_exit_code_1(tmp_path):
    (tmp_path / "mine.jsonl").write_text("")
    done = CliRunner().invoke(app, ["submission", "check", str(tmp_path / "mine.jsonl"), "--labels", "demo"])
    assert (done.exit_code, "41 faults" in done.output) == (1, True)


def test_two_runs_are_no_submission(submission):
    run, path = submission
    words = ["export", str(run.folder), str(run.folder), "-f", "submission", "-o", str(path)]
    assert "of one run" in str(CliRunner().invoke(app, words).exception)


def test_costs_of_a_card_and_of_the_page_are_those_of_every_attempt_as_status_counts_them(tmp_path):
    """Three attempts at one task of which one was read anew, a second repeat, and a task of unknown cost."""
    first, second = sorted(ah.load("demo").labels)[:2]
    error = {"class": "truncated", "message": "", "passing": False}
    said = {"success": True, "reasoning": "x"}

    def line(task_id, attempt, cost, repeat=0, **more):
        ending = {"status": "verdict", "verdict": said} if attempt == 3 else {"status": "failed", "error": error}
        about = {"task_id": task_id, "repeat": repeat, "attempt": attempt, "telemetry": {"cost": cost}}
        return Outcome(**about, **ending, **more)

    run = ah.run("demo", "coin", ids=[first, second], out=tmp_path / "made")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_bytes((run.folder / "config.json").read_bytes())
    lines = [line(first, 1, 0.5), line(first, 1, 0.5, reread=True), line(first, 2, None), line(first, 3, 0.25)]
    lines += [line(first, 3, 4.0, repeat=1), line(second, 1, None)]
    (tmp_path / "run" / "outcomes.jsonl").write_bytes(b"".join(each.to_line() for each in lines))
    made = read_run(tmp_path / "run")
    card = run_card(made, {first, second}, "")
    assert card["cost_usd"] == {"total": 0.75, "mean": 0.75, "known_of": 1}
    answers = JudgeAnswers(made)
    assert sorted(dollars_taken(made)) == [0.75, 4.0]
    assert sum(dollars_taken(made)) == state_of(made).spent.dollars
    assert answers.told(first)["cost"] == 0.75
