"""Every recorded reply reads as its contract says, and no reply, however hostile, guesses or crashes."""

import json
from pathlib import Path

import pydantic
import pytest

from agenthorizon.errors import MalformedVerdict
from agenthorizon.verdict import (
    MISTAKE_TYPES,
    Verdict,
    normalise_mistake_type,
    read_verdict,
    verdict_from_pairs,
)

RECORDED = Path(__file__).parent / "recorded" / "verdicts.jsonl"
CASES = [json.loads(line) for line in RECORDED.read_bytes().splitlines()]
VALID = [pytest.param(case, id=case["id"]) for case in CASES if case["expect"]["valid"]]
INVALID = [pytest.param(case, id=case["id"]) for case in CASES if not case["expect"]["valid"]]

FAILED = (
    '{"success": false, "reasoning": "Row 7 was deleted.", "confidence": "high", "mistake_type": "Critical Mistake"}'
)
PASSED = '{"success": true, "reasoning": "All rows match.", "confidence": "high", "mistake_type": null}'


def malformed_code(reply):
    with pytest.raises(MalformedVerdict) as caught:
        read_verdict(reply)
    return caught.value.code


@pytest.mark.parametrize("case", VALID)
def test_recorded_reply_gives_its_verdict(case):
    expected = case["expect"]
    verdict = read_verdict(case["raw"])
    assert verdict.success is expected["success"]
    assert verdict.mistake_type == expected["mistake_type"]
    assert verdict.confidence == expected["confidence"]
    assert set(verdict.warnings) >= set(expected.get("warnings", ()))


@pytest.mark.parametrize("case", INVALID)
def test_recorded_reply_without_a_verdict_is_malformed(case):
    with pytest.raises(MalformedVerdict):
        read_verdict(case["raw"])


# ---- what surrounds the object


def test_bytes_are_read_as_text():
    assert read_verdict(FAILED.encode()) == read_verdict(FAILED)


def test_invalid_utf8_is_replaced_and_the_verdict_stands():
    verdict = read_verdict(b'{"success": true, "reasoning": "file caf\xe9.txt"}')
    assert verdict.success is True
    assert verdict.reasoning == "file caf\ufffd.txt"


@pytest.mark.parametrize("edge", ["\u200b", "\ufeff\u200b\n", "\n\ufeff", "\u2060\u200d \u3000"])
def test_invisible_characters_at_the_ends_are_dropped(edge):
    assert read_verdict(edge + FAILED + edge) == read_verdict(FAILED)


def test_zero_width_character_between_tokens_is_not_json():
    assert malformed_code('{\u200b"success": true}') == "no_verdict"


@pytest.mark.parametrize("tag", ["think", "THINKING", "mm:think", "x-y:Thinking"])
def test_thinking_block_is_dropped_with_any_case_and_prefix(tag):
    assert read_verdict(f"<{tag}>perhaps {PASSED}</{tag}>{FAILED}").success is False


def test_all_before_a_lone_closing_tag_is_thinking():
    assert read_verdict(f"perhaps {PASSED}\n</think>\n{FAILED}").success is False


def test_opening_tag_repeated_before_one_closing_tag_is_one_block():
    assert read_verdict(f"<think>\n<think>\nperhaps {PASSED}</think>{FAILED}").success is False


def test_answer_before_thinking_that_stays_open_counts():
    assert read_verdict(f"{FAILED}\n<think>or was it {PASSED}").success is False


def test_tag_inside_a_string_of_a_json_reply_is_not_thinking():
    assert read_verdict('{"success": true, "reasoning": "typed <think> as asked"}').success is True


def test_prose_only_is_malformed():
    assert malformed_code("The agent succeeded. success: true") == "no_verdict"


@pytest.mark.parametrize("reply", ["", " \n\u200b", b"", "<think>all of the budget</think>"])
def test_reply_without_an_answer_is_empty(reply):
    assert malformed_code(reply) == "empty_reply"


@pytest.mark.parametrize("reply", ["[]", "true", "42", '"success"', f"[{PASSED}]"])
def test_json_that_is_no_object_is_malformed(reply):
    assert malformed_code(reply) == "not_an_object"


# ---- which object counts


def test_last_of_two_explained_verdicts_counts():
    verdict = read_verdict(f"First {PASSED} but then {FAILED}")
    assert verdict.success is False
    assert "multiple_candidates" in verdict.warnings


def test_object_quoted_without_reasoning_does_not_count_beside_an_explained_one():
    assert "multiple_candidates" not in read_verdict(f'{FAILED} The page said {{"success": true}}.').warnings


def test_answer_cut_after_an_earlier_verdict_is_malformed():
    assert malformed_code(f'{PASSED}\nCorrection:\n{{"reasoning": "The date", "success": fal') == "cut_answer"


@pytest.mark.parametrize("cut", ['{"succes', '{"reasoning": "One of', "{"])
def test_cut_object_that_does_not_mention_success_leaves_the_verdict(cut):
    assert read_verdict(f"{FAILED}\n{cut}").success is False


@pytest.mark.parametrize("cut", ["{'success': Fal", "{success: fal", '{ "success'])
def test_cut_answer_in_any_notation_is_malformed(cut):
    assert malformed_code(f"{PASSED}\nCorrection: {cut}") == "cut_answer"


@pytest.mark.parametrize(
    "cut",
    [
        'Wait. Final:\n{\n  // final answer\n  "success": fal',
        "Final: {\u201csuccess\u201d: false, \u201creas",
        "Final: {`success`: fal",
        ' now {[ "success": fal',
        " now {1: \"success'. All",
        '{ // checked\n "check": {"row": 7}, "success": fal',
        "{ success = fal",
    ],
)
def test_last_answer_cut_in_a_notation_that_is_no_json_withdraws_what_stands_before(cut):
    assert malformed_code(f"{PASSED}\n{cut}") == "cut_answer"


@pytest.mark.parametrize("prose", ['Pressed "{" and saw "success".', "Then { with success.", "Pressed '{', '}' and {."])
def test_prose_after_the_verdict_withdraws_nothing(prose):
    assert read_verdict(f"{FAILED} {prose}").success is False


def test_object_inside_a_cut_object_is_never_the_verdict():
    assert malformed_code('So: {"check": {"success": true, "reasoning": "saved"}, "success": fa') == "cut_answer"


def test_lone_braces_of_prose_hide_no_verdict():
    assert read_verdict(f'It pressed the "{{" key, then {{ again. {FAILED} Then {{ a success.').success is False


def test_quoted_brace_after_the_verdict_is_no_cut_answer():
    assert read_verdict(f'{FAILED} It pressed "{{" without success.').success is False


def test_quotes_and_escaped_json_of_prose_hide_no_verdict():
    reply = rf'A 5" screen showed "{{\"success\": true}}" and {{"a" or "b}}. {FAILED}'
    assert read_verdict(reply).success is False


def test_object_inside_a_broken_object_is_never_the_verdict():
    assert malformed_code(f'So: {{"check": {PASSED}, "success": false,}}') == "no_verdict"


def test_broken_object_after_the_verdict_is_warned_of():
    assert "broken_object_after" in read_verdict(f'{FAILED} {{"success": true,}}').warnings


@pytest.mark.parametrize(
    "listed",
    [
        *(f"[{PASSED}]", f"[{FAILED}, {PASSED}]", f'[{{"step": 1}},\n{PASSED}', f'["note", {PASSED}]'),
        *(f'[1, [2], "a ] b", [null, {PASSED}]]', f'[{{"step": 1,}}, {PASSED}]', f"[3] and [\n0,\n{PASSED}"),
    ],
)
def test_verdict_in_a_list_among_prose_is_malformed(listed):
    assert malformed_code(f"{FAILED}\nFinally: {listed}") == "verdict_in_list"


def test_brackets_of_prose_do_not_make_a_list():
    assert read_verdict(f"As step [3] shows: [x] {FAILED}, [end]").success is False
    assert read_verdict(f'Seen in ["a", "b"] and [see {FAILED}]').success is False


# ---- what the object says


def test_success_given_as_both_values_is_malformed():
    assert malformed_code('{"success": true, "reasoning": "x", "success": false}') == "contradictory_success"


def test_success_repeated_as_the_number_one_is_malformed():
    assert malformed_code('{"success": true, "success": 1}') == "success_not_boolean"


def test_optional_key_repeated_with_another_value_says_nothing():
    verdict = read_verdict('{"success": false, "mistake_type": "Critical Mistake", "mistake_type": "Bad Side Effect"}')
    assert verdict.mistake_type is None
    assert "duplicate_key" in verdict.warnings


@pytest.mark.parametrize("reasoning", ['["a"]', "7", "{}", "false"])
def test_reasoning_that_is_no_text_is_dropped_with_a_warning(reasoning):
    verdict = read_verdict(f'{{"success": true, "reasoning": {reasoning}}}')
    assert verdict.success is True
    assert verdict.reasoning is None
    assert "reasoning_not_text" in verdict.warnings


def test_lone_surrogate_is_replaced_so_that_the_verdict_can_be_saved():
    verdict = read_verdict(r'{"success": true, "reasoning": "half \ud83d, whole \ud83d\ude00"}')
    assert verdict.reasoning == "half \ufffd, whole 😀"
    assert Verdict.model_validate_json(verdict.model_dump_json().encode()) == verdict


@pytest.mark.parametrize("value", ['"sure"', "0.9", '["high"]', '" high"'])
def test_unknown_confidence_is_dropped_with_a_warning(value):
    verdict = read_verdict(f'{{"success": true, "confidence": {value}}}')
    assert verdict.confidence is None
    assert "unknown_confidence" in verdict.warnings


@pytest.mark.parametrize("value", [[MISTAKE_TYPES[0]], 3, "Critical", "Critical Mistakes", True])
def test_unknown_mistake_type_is_dropped_with_a_warning(value):
    verdict = verdict_from_pairs((("success", False), ("mistake_type", value)))
    assert verdict.mistake_type is None
    assert "unknown_mistake_type" in verdict.warnings


@pytest.mark.parametrize("value", [None, "", " None ", "NULL"])
def test_success_without_a_mistake_type_needs_no_warning(value):
    written = {"success": True, "reasoning": "x", "confidence": "low", "mistake_type": value}
    assert verdict_from_pairs(tuple(written.items())).warnings == ()


def test_mistake_type_is_read_in_any_case_and_in_the_plural():
    for name in MISTAKE_TYPES:
        assert normalise_mistake_type(f" {name.upper()}\n") == name
    assert normalise_mistake_type("misunderstanding of the instructions") == MISTAKE_TYPES[2]


@pytest.mark.parametrize("value", [None, "", "None", 1, [], "Critical  Mistake"])
def test_anything_else_is_no_mistake_type(value):
    assert normalise_mistake_type(value) is None


def test_parsed_object_is_read_like_a_reply():
    assert verdict_from_pairs(tuple(json.loads(FAILED).items())) == read_verdict(FAILED)


@pytest.mark.parametrize("success", ["true", 1, 0.0, None, [], {}, pytest.param(10**5000, id="huge")])
def test_parsed_object_needs_a_boolean(success):
    with pytest.raises(MalformedVerdict, match="success_not_boolean"):
        verdict_from_pairs((("success", success),))


def test_parsed_object_needs_the_key():
    with pytest.raises(MalformedVerdict, match="missing_success"):
        verdict_from_pairs((("raw_response", "…"),))


def test_verdict_takes_only_a_boolean_and_stays_as_it_is():
    with pytest.raises(pydantic.ValidationError):
        Verdict(success=1)
    with pytest.raises(pydantic.ValidationError):
        Verdict(success=True).success = False


# ---- hostile replies: each would take minutes or overflow a stack if read naively

HOSTILE = {
    "open braces": "{" * 100_000,
    "open brackets": "[" * 100_000,
    "deep objects": '{"a":' * 50_000,
    "braces and quotes": 'x {"' * 50_000,
    "braces and escaped quotes": '{"' + '{\\"' * 60_000,
    "keys without values": "x " + '{"a" ' * 40_000,
    "backslashes": "{" + "\\" * 200_000,
    "quotes": '"' * 200_000,
    "nested groups": "x" + "{" * 50_000 + "}" * 50_000,
    "empty objects": "{}" * 100_000,
    "open thinking tags": "<think>" * 20_000 + PASSED,
    "lists in prose": '["a", x ' * 40_000 + PASSED.replace("true", "1"),
    "lists unended": '["a' * 40_000 + PASSED.replace("true", "1"),
    "braces of prose": "{ (" * 60_000 + " 'success'",
    "half tags": "<a-" * 60_000,
    "white space inside": "x" + " \u200b" * 100_000 + "{",
}


@pytest.mark.parametrize("reply", HOSTILE.values(), ids=HOSTILE)
def test_hostile_reply_is_malformed(reply):
    with pytest.raises(MalformedVerdict):
        read_verdict(reply)


@pytest.mark.parametrize("before", ["", "Verdict: "])
def test_json_nested_beyond_reading_is_malformed_and_brings_no_earlier_verdict_back(before):
    deep = '{"success": false, "reasoning": "x", "tree": ' + "[" * 50_000 + "]" * 50_000 + "}"
    assert malformed_code(before + deep) == "too_deep"
    assert malformed_code(f"{PASSED} no: {deep}") == "too_deep"


@pytest.mark.parametrize(
    "number",
    ["9" * 100_000, "-" + "9" * 5_000, "1e999999", "0." + "1" * 100_000],
    ids=["digits", "negative", "exponent", "fraction"],
)
def test_huge_number_elsewhere_leaves_the_verdict(number):
    assert read_verdict(f'{{"success": true, "reasoning": "x", "score": {number}}}').success is True
    assert malformed_code(f'{{"success": {number}}}') == "success_not_boolean"


def test_verdict_is_found_after_a_long_hostile_beginning():
    assert read_verdict("{ " * 50_000 + "</think>" * 10_000 + "{ " * 50_000 + FAILED).success is False
