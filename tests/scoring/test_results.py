"""Result files of other harnesses are read as they lie, and never silently."""

import json
import os

import pytest

from agenthorizon.errors import DataError, MalformedVerdict, UsageError
from agenthorizon.scoring.answers import FAILED, MALFORMED, Answer
from agenthorizon.scoring.results import from_results
from agenthorizon.verdict import read_verdict


def codes(answers):
    return [warning.code for warning in answers.warnings]


def test_a_folder_has_one_file_a_task(tmp_path):
    record = {"success": False, "reasoning": "r", "confidence": "HIGH", "mistake_type": "bad side effect"}
    (tmp_path / "A.json").write_text(json.dumps({**record, "deliverable_id": "A", "_meta": {"raw": "…"}}))
    assert from_results(tmp_path).by_id == {"A": Answer("verdict", False, "Bad Side Effect")}


def test_files_that_are_no_verdicts_are_skipped(tmp_path):
    for name in ("A.json", "_progress.json", "._A.json", "summary.json", "log.txt"):
        (tmp_path / name).write_text('{"success": true}')
    assert list(from_results(tmp_path).by_id) == ["A"]


def test_the_judge_is_named_by_the_place_unless_told(results_file):
    path = results_file([("A", True)], name="opus.jsonl")
    assert from_results(path).judge == "opus"
    assert from_results(path, judge="Opus").judge == "Opus"


def test_a_half_written_file_is_malformed_and_reported(tmp_path):
    (tmp_path / "A.json").write_text('{"success": true, "reas')
    answers = from_results(tmp_path)
    assert answers.by_id == {"A": MALFORMED}
    assert codes(answers) == ["unreadable_result"]


@pytest.mark.parametrize("success", ["true", 1, 0, None, [], {}])
def test_success_counts_only_as_a_boolean(success, results_file):
    assert from_results(results_file([("A", {"success": success})])).by_id == {"A": MALFORMED}


def test_a_kept_raw_reply_without_success_is_malformed(results_file):
    rows = [("A", {"raw_response": "I think it failed.", "short_truncation": True})]
    assert from_results(results_file(rows)).by_id == {"A": MALFORMED}


def test_a_recorded_infrastructure_error_is_a_failure(results_file):
    assert from_results(results_file([("A", {"status": "infra_error"})])).by_id == {"A": FAILED}


def test_a_list_instead_of_an_object_is_malformed(tmp_path):
    (tmp_path / "A.json").write_text("[true]")
    assert from_results(tmp_path).by_id == {"A": MALFORMED}


def test_the_file_name_counts_where_the_record_names_another_task(tmp_path):
    (tmp_path / "A.json").write_text('{"success": true, "deliverable_id": "B"}')
    answers = from_results(tmp_path)
    assert list(answers.by_id) == ["A"]
    assert codes(answers) == ["id_differs"]


def test_a_folder_may_hold_one_table(tmp_path, results_file):
    results_file([("A", True)])
    assert from_results(tmp_path).by_id == {"A": Answer("verdict", True)}


def test_two_tables_in_a_folder_are_refused(tmp_path, results_file):
    results_file([("A", True)], name="a.jsonl")
    results_file([("A", True)], name="b.jsonl")
    with pytest.raises(UsageError, match=r"2 \.jsonl files"):
        from_results(tmp_path)


@pytest.mark.parametrize("name", ["trajectory_id", "id", "deliverable_id"])
def test_a_row_names_its_task_in_any_of_three_fields(name, tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({name: "A", "success": True}) + "\n")
    assert from_results(path).by_id == {"A": Answer("verdict", True)}


def test_a_torn_line_is_malformed_for_the_task_it_names(tmp_path):
    path = tmp_path / "results.jsonl"
    torn = ['{"_meta": {"id": "X"}, "trajectory_id": "B", "id": "Y", "succ', '{"_meta": {"id": "C", "succ', '{"id": "D']
    path.write_text("\n".join(['{"trajectory_id": "A", "success": true}', *torn]))
    answers = from_results(path)
    assert answers.by_id == {"A": Answer("verdict", True), "B": MALFORMED}
    assert codes(answers) == ["bad_json"] * 3


def test_a_row_without_an_id_is_reported(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text('{"success": true}\n{"id": 7, "success": true}\n{"id": "A", "success": true}\n')
    answers = from_results(path)
    assert list(answers.by_id) == ["A"]
    assert codes(answers) == ["no_task_id", "no_task_id"]


UNREADABLE = {
    "empty": (b"", "nothing in it"),
    "blank": (b"\n \n", "nothing in it"),
    "utf-16": ('{"id": "A", "success": true}\n'.encode("utf-16"), "UTF-16, expected UTF-8"),
    "utf-16 without its mark": ('{"id": "A", "success": true}\n'.encode("utf-16-le"), "1 bad_json"),
    "an array": (b'[{"id": "A", "success": true}]', "expected UTF-8 with one JSON object a line"),
    "an array over lines": (b'[\n {"id": "A",\n "success": true}\n]\n', "4 lines, none of them a result"),
    "no ids": (b'{"success": true}\n', "trajectory_id, id, deliverable_id"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_table_without_one_readable_row_is_refused(name, tmp_path):
    data, said = UNREADABLE[name]
    (tmp_path / "results.jsonl").write_bytes(data)
    for place in (tmp_path, tmp_path / "results.jsonl"):
        with pytest.raises(DataError, match="no result can be read from") as refused:
            from_results(place)
        assert said in str(refused.value)


def test_a_folder_of_unreadable_files_is_malformed_throughout(tmp_path):
    for name, data in {"A": b"", "B": '{"success": true}'.encode("utf-16"), "C": b"[]", "D": b"\x00"}.items():
        (tmp_path / f"{name}.json").write_bytes(data)
    assert from_results(tmp_path).by_id == dict.fromkeys("ABCD", MALFORMED)


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    (tmp_path / "A.json").write_bytes(b'\xef\xbb\xbf{"success": true}')
    assert from_results(tmp_path).by_id == {"A": Answer("verdict", True)}


def test_a_named_pipe_among_the_files_is_malformed_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "A.json")
    answers = from_results(tmp_path)
    assert answers.by_id == {"A": MALFORMED}
    assert "is a named pipe" in str(answers.warnings[0])


def test_a_named_pipe_in_place_of_the_table_is_refused(tmp_path):
    os.mkfifo(tmp_path / "results.jsonl")
    with pytest.raises(DataError, match="is a named pipe"):
        from_results(tmp_path / "results.jsonl")


def test_a_file_that_says_success_twice_is_malformed(tmp_path):
    (tmp_path / "A.json").write_text('{"success": false, "success": true}')
    answers = from_results(tmp_path)
    assert answers.by_id == {"A": MALFORMED}
    assert "the key 'success' stands twice" in str(answers.warnings[0])


def test_a_row_that_says_success_twice_is_malformed(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text('{"id": "A", "success": false, "success": true}\n')
    answers = from_results(path)
    assert answers.by_id == {"A": MALFORMED}
    assert codes(answers) == ["repeated_key"]


SAME = {
    "success twice, the same": ('"success": true, "success": true', Answer("verdict", True)),
    "success twice, two things": ('"success": true, "success": false', MALFORMED),
    "reasoning twice": ('"success": true, "reasoning": "a", "reasoning": "b"', Answer("verdict", True)),
    "mistake type twice, two things": (
        '"success": false, "mistake_type": "Critical Mistake", "mistake_type": "Bad Side Effect"',
        Answer("verdict", False),
    ),
    "a key twice deep inside": ('"success": true, "_meta": {"a": [{"b": 1, "b": 2}]}', Answer("verdict", True)),
    "a number of 5,000 digits": (f'"success": true, "_meta": {{"seed": {"9" * 5000}}}', Answer("verdict", True)),
    "NaN beside": ('"success": true, "_meta": {"cost": NaN, "more": -Infinity}', Answer("verdict", True)),
    "NaN as success": ('"success": NaN', MALFORMED),
    "nested too deeply": ('"success": true, "_meta": ' + "[" * 100_000 + "]" * 100_000, MALFORMED),
    "cut": ('"success": true, "reasoning": "a', MALFORMED),
}


@pytest.mark.parametrize("name", SAME)
def test_a_record_counts_the_same_in_both_layouts_as_a_reply_would(name, tmp_path):
    fields, expected = SAME[name]
    record = f'{{"id": "A", {fields}}}'
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "A.json").write_text(record)
    (tmp_path / "rows.jsonl").write_text(record + "\n")
    for place in ("files", "rows.jsonl"):
        assert from_results(tmp_path / place).by_id == {"A": expected}
    if name == "NaN beside":  # no JSON, and a reply is nothing but JSON
        return
    try:
        assert read_verdict(record).success is expected.success
    except MalformedVerdict:
        assert expected == MALFORMED


def test_a_row_with_two_ids_counts_for_no_task(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text('{"id": "A", "id": "B", "success": true}\n{"id": "C", "success": true}\n')
    assert list(from_results(path).by_id) == ["C"]


@pytest.mark.parametrize(
    "rows",
    [
        [("A", True), ("A", False)],
        [("A", True), ("A", None)],
        [("A", {"success": False, "mistake_type": "Critical Mistake"}), ("A", {"success": False})],
    ],
)
def test_conflicting_duplicates_are_refused(rows, results_file):
    with pytest.raises(DataError, match=r"judge\.jsonl:2 conflicting_results: 'A' is .* on line 1"):
        from_results(results_file(rows))


def test_an_empty_folder_scores_nothing_and_says_so(tmp_path):
    answers = from_results(tmp_path)
    assert answers.by_id == {}
    assert codes(answers) == ["no_results"]


def test_a_place_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no results at"):
        from_results(tmp_path / "nowhere")


def test_a_run_is_not_taken_for_results(tmp_path):
    (tmp_path / "outcomes.jsonl").write_text("")
    with pytest.raises(UsageError, match="is a run"):
        from_results(tmp_path)
