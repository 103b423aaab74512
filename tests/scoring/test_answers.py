"""Answers of a run are taken from its outcomes."""

import pytest

from agenthorizon.outcome import Outcome, OutcomeError
from agenthorizon.scoring.answers import FAILED, MALFORMED, Answer, Answers, from_outcomes, keep_known
from agenthorizon.verdict import Verdict


def judged(task_id, success, mistake_type=None, **more):
    return Outcome(
        task_id=task_id, status="verdict", verdict=Verdict(success=success, mistake_type=mistake_type), **more
    )


def broken(task_id, status):
    error = OutcomeError(**{"class": "x", "message": "x", "passing": status == "failed"})
    return Outcome(task_id=task_id, status=status, error=error)


def test_a_verdict_is_an_answer():
    answers = from_outcomes([judged("t", False, "Bad Side Effect")], judge="j")
    assert answers.by_id == {"t": Answer("verdict", False, "Bad Side Effect")}


@pytest.mark.parametrize(("status", "answer"), [("malformed", MALFORMED), ("failed", Answer("failed", failure="x"))])
def test_what_is_no_verdict_keeps_its_kind(status, answer):
    assert from_outcomes([broken("t", status)], judge="j").by_id == {"t": answer}


def test_the_last_outcome_of_a_task_counts():
    answers = from_outcomes([broken("t", "failed"), judged("t", True), judged("u", False)], judge="j")
    assert answers.by_id["t"] == Answer("verdict", True)


def test_later_repeats_are_not_scored_and_the_reader_is_told():
    answers = from_outcomes([judged("t", True), judged("t", False, repeat=1)], judge="j")
    assert answers.by_id == {"t": Answer("verdict", True)}
    assert [warning.code for warning in answers.warnings] == ["repeats_not_scored"]


def test_a_mistake_type_on_success_is_dropped():
    assert from_outcomes([judged("t", True, "Bad Side Effect")], judge="j").by_id["t"].mistake_type is None


def test_answers_without_a_label_are_left_out_with_a_warning_each():
    answers = Answers("j", "results", {"t": FAILED, "ZZ\n": FAILED})
    kept = keep_known(answers, {"t"})
    assert kept.by_id == {"t": FAILED}
    assert [str(warning) for warning in kept.warnings] == ["j unknown_result_id: 'ZZ\\n' has no label"]
