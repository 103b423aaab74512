"""A submission covers the manifest, task by task, or is refused with all its faults."""

import json

import pytest

from agenthorizon.errors import DataError, UsageError
from agenthorizon.scoring.answers import MALFORMED, MISSING, Answer
from agenthorizon.scoring.scorecard import score
from agenthorizon.scoring.submission import from_submission

NULL = {"success": None, "confidence": None, "mistake_type": None, "reasoning": None}


def test_a_row_is_an_answer(results_file):
    row = {"success": False, "confidence": "low", "mistake_type": "Critical Mistake", "reasoning": "r"}
    answers = from_submission(results_file([("A", row)]), {"A"})
    assert answers.by_id == {"A": Answer("verdict", False, "Critical Mistake")}


def test_a_null_row_is_missing(results_file):
    assert from_submission(results_file([("A", NULL)]), {"A"}).by_id == {"A": MISSING}


@pytest.mark.parametrize("success", ["false", 1])
def test_a_success_that_is_not_boolean_is_malformed(success, results_file):
    assert from_submission(results_file([("A", success)]), {"A"}).by_id == {"A": MALFORMED}


def test_unknown_and_repeated_ids_are_all_named(results_file):
    path = results_file([("A", True), ("A", True), ("X", True), ("Y", True)])
    with pytest.raises(DataError) as caught:
        from_submission(path, {"A", "B"})
    assert [(fault.code, fault.line) for fault in caught.value.faults] == [
        ("duplicate_result", 2),
        ("unknown_result_id", 3),
        ("unknown_result_id", 4),
    ]


def test_lines_that_are_no_rows_are_refused(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('[]\n{"success": true}\n{"trajectory_id": "A", "succ')
    with pytest.raises(DataError) as caught:
        from_submission(path, {"A"})
    assert [fault.code for fault in caught.value.faults] == ["no_task_id", "no_task_id", "bad_json"]


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no submission file"):
        from_submission(tmp_path / "none.jsonl", {"A"})


def test_all_null_scores_nothing_not_half(manifest, results_file):
    labels = manifest([{"id": "A", "label": "positive"}, {"id": "B", "label": "negative"}])
    card = score(from_submission(results_file([("A", NULL), ("B", NULL)]), labels), labels)
    assert card.balanced_accuracy.value == 0
    assert card.main.missing == 2


def test_rows_that_are_not_there_are_missing(manifest, results_file):
    labels = manifest([{"id": "A", "label": "positive"}, {"id": "B", "label": "negative"}])
    card = score(from_submission(results_file([("A", True)]), labels), labels)
    assert (card.main.missing, card.tnr.value, json.loads(json.dumps(card.to_json()))) == (1, 0, card.to_json())


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_a_file_without_any_row_is_refused(content, tmp_path):
    (tmp_path / "mine.jsonl").write_bytes(content)
    with pytest.raises(DataError, match="no row can be read"):
        from_submission(tmp_path / "mine.jsonl", {"A"})
