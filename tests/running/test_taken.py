"""What a run took: answers found on disk, in runs of this version and of one before."""

import json

from agenthorizon.outcome import Outcome, Telemetry
from agenthorizon.running.outcome_lines import parse_outcomes
from agenthorizon.running.store import Run
from agenthorizon.running.taken import answers_kept


def run_of(folder, *lines):
    return Run(folder, {}, tuple(parse_outcomes(b"".join(lines)).outcomes), ())


def line(**of_judge):
    """Return an outcome's line as this version writes it."""
    return Outcome(task_id="t", status="failed", error={"class": "x", "message": "x", "passing": True}, **of_judge)


def test_answers_kept_are_what_the_attempts_say(tmp_path):
    lines = [line(attempt=number, telemetry=Telemetry(answers_kept=number)).to_line() for number in (1, 2)]
    assert answers_kept(run_of(tmp_path, *lines)) == 3


def test_what_a_judge_says_in_its_evidence_too_is_counted_once(tmp_path):
    said = line(telemetry=Telemetry(answers_kept=4), evidence={"described": {"asked": 1, "kept": 4}, "notes_kept": 4})
    assert answers_kept(run_of(tmp_path, said.to_line())) == 4


def test_a_run_of_a_version_that_had_it_in_the_evidence_alone_is_read_as_before(tmp_path):
    evidence = [
        {"described": {"asked": 1, "kept": 5}},
        {"notes_kept": 2},
        {},
        {"described": "odd", "notes_kept": "odd"},
    ]
    records = [
        {"task_id": "t", "attempt": number, "status": "malformed", "evidence": said, "telemetry": {"requests": 1}}
        for number, said in enumerate(evidence, start=1)
    ]
    assert answers_kept(run_of(tmp_path, *(json.dumps(each).encode() + b"\n" for each in records))) == 5 + 2
