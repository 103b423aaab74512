"""JSON is read strictly: a key that stands twice is refused, another encoding is named."""

import copy
import json

import pytest

from agenthorizon.files.jsonlines import DEEPEST, RefusedJson, RepeatedKey, parse_json, read_lines


@pytest.mark.parametrize(
    "text",
    ['{"a": 1, "a": 1}', '{"a": 1, "b": 2, "a": 3}', '[{"b": {"a": 1, "\\u0061": 2}}]', '{"x": [{"a": 1, "a": 2}]}'],
)
def test_a_key_that_stands_twice_is_named(text):
    with pytest.raises(RepeatedKey, match="the key 'a' stands twice in one object"):
        parse_json(text.encode())


def nested(levels, opening="[", closing="]"):
    return f"{opening * levels}1{closing * levels}".encode()


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_nesting_is_read_to_a_depth_that_all_that_writes_takes(opening, closing):
    at_most = DEEPEST // (len(closing))
    value = parse_json(nested(at_most, opening, closing))
    assert json.loads(json.dumps(value)) == copy.deepcopy(value)
    for levels in (at_most + 1, 2 * at_most, 100_000):
        with pytest.raises(RefusedJson, match="nested too deeply"):
            parse_json(nested(levels, opening, closing))


def test_brackets_beside_each_other_or_in_a_text_are_no_depth():
    assert parse_json(b"[" + b"[1]," * 500 + b'"' + b"[" * 500 + b'"]')[-1] == "[" * 500


@pytest.mark.parametrize("key", [r"\ud800", r"a\uDC00b", r"\udc00\ud800"])
def test_a_key_with_half_a_surrogate_pair_is_refused_and_a_text_is_not(key):
    with pytest.raises(RefusedJson, match="holds half a surrogate pair"):
        parse_json(f'{{"x": [{{"{key}": 1}}]}}'.encode())
    assert len(parse_json(f'{{"x": "{key}", "\\ud83d\\ude00": 1, "ud800": 2}}'.encode())) == 3


def test_one_key_in_two_objects_is_no_repetition():
    assert parse_json(b'{"a": {"a": 1}, "b": [{"a": 2}, {"a": 3}]}') == {"a": {"a": 1}, "b": [{"a": 2}, {"a": 3}]}


def test_a_line_with_a_repeated_key_has_a_fault_that_names_it(tmp_path):
    (tmp_path / "f.jsonl").write_text('{"a": 1}\n{"a": 1, "a": 2}\n')
    good, bad = read_lines(tmp_path / "f.jsonl")
    assert good.fault is None
    assert bad.fault is not None
    assert (bad.fault.code, bad.fault.file, bad.fault.line, bad.fault.fields) == ("repeated_key", "f.jsonl", 2, ("a",))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_utf16_file_is_named_as_such_once(encoding, tmp_path):
    (tmp_path / "f.jsonl").write_bytes("\ufeff{}\n{}\n".encode(encoding))
    (line,) = read_lines(tmp_path / "f.jsonl")
    assert line.fault is not None
    assert "UTF-16, expected UTF-8" in str(line.fault)
