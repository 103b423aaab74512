"""Verdict: what a judge decided, and the only reader of replies.

A reply should be one JSON object, and often has prose, fences or thinking around it:

    {"success": false, "reasoning": "Row 7 was deleted.", "confidence": "high", "mistake_type": "Critical Mistake"}

The reader takes what is written and guesses nothing: where two readings are possible the reply is malformed.
Its time grows with the reply's length only, so that no reply can hang a run.
"""

import json
import re
from typing import Literal, NoReturn, get_args

from pydantic import BaseModel, ConfigDict, StrictBool

from agenthorizon.errors import MalformedCode, MalformedVerdict
from agenthorizon.reply_braces import LeftOpen, brace_groups, opens_object, stands_in_list
from agenthorizon.surrogates import without_lone_surrogates

READER = 2
"""Version of the reader: another one may read kept replies otherwise (`agenthorizon reread`)."""

MISTAKE_TYPES = ("Critical Mistake", "Bad Side Effect", "Misunderstanding of the Instruction")

MALFORMED_CODES: frozenset[str] = frozenset(get_args(MalformedCode))
"""The rules that a malformed reply breaks: `error.class` of its outcome, and what --retry takes."""

Confidence = Literal["low", "medium", "high"]

_MISTAKE_NAMES = {name.lower(): name for name in MISTAKE_TYPES} | {MISTAKE_TYPES[2].lower() + "s": MISTAKE_TYPES[2]}
_NO_MISTAKE = {"", "none", "null"}
_LEVELS: tuple[Confidence, ...] = get_args(Confidence)

# White space, zero-width characters and the byte order mark in one set, as they come in any order.
_EDGES = "".join(map(chr, (*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680, *range(0x2000, 0x2010))))
_EDGES += "\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"

_THINK_TAG = re.compile(r"<(/?)(?:[\w-]++:)?think(?:ing)?\s*+>", re.IGNORECASE)

_KINDS = {str: "a string", list: "a list", tuple: "an object", dict: "an object", bool: "a Boolean", type(None): "null"}

_NOT_JSON = object()

# A JSON object as its pairs, so that repeated keys are seen; JSON lists stay lists.
_Pairs = tuple[tuple[str, object], ...]


class Verdict(BaseModel):
    """A judge's decision about one task."""

    model_config = ConfigDict(frozen=True)

    success: StrictBool
    """Whether the trajectory fulfils the instruction."""
    reasoning: str | None = None
    """The judge's own words, without what UTF-8 cannot write."""
    confidence: Confidence | None = None
    """None where the judge gave none of the three levels."""
    mistake_type: str | None = None
    """One of MISTAKE_TYPES; None on success, and where the judge named none of them."""
    warnings: tuple[str, ...] = ()
    """Codes of what was odd about the reply and left `success` untouched."""


def normalise_mistake_type(value: object) -> str | None:
    """Give the full name of a mistake type written in any letter case or in the plural, else None."""
    return _MISTAKE_NAMES.get(value.strip().lower()) if isinstance(value, str) else None


def read_verdict(reply: str | bytes) -> Verdict:
    """Read the verdict in a raw reply; raise MalformedVerdict where there is none."""
    text = (reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply).strip(_EDGES)
    whole = _parse(text)
    if whole is _NOT_JSON:  # only then, as a tag quoted in a JSON string is no thinking
        text = _without_thinking(text).strip(_EDGES)
        whole = _parse(text)
    if whole is _NOT_JSON:
        return _last_verdict(text)
    if not isinstance(whole, tuple):
        raise MalformedVerdict("not_an_object", f"the reply is {_kind(whole)}, expected a JSON object")
    return verdict_from_pairs(whole)


def verdict_from_pairs(pairs: tuple[tuple[str, object], ...], *odd: str) -> Verdict:
    """Read the verdict in the pairs of a JSON object, where a key may stand twice; raise MalformedVerdict likewise.

    `odd` are codes of what was odd before, which its warnings begin with.
    """
    success = _success(pairs)
    warnings = list(odd)
    if len({key for key, _ in pairs}) < len(pairs):
        warnings.append("duplicate_key")
    return Verdict(
        success=success,
        reasoning=_reasoning(_given(pairs, "reasoning"), warnings),
        confidence=_confidence(_given(pairs, "confidence"), warnings),
        mistake_type=_mistake_type(_given(pairs, "mistake_type"), success, warnings),
        warnings=tuple(warnings),
    )


def _without_thinking(text: str) -> str:
    """Drop thinking blocks, all before a lone closing tag and all after an opening tag left open.

    Blocks do not nest: a model may repeat the opening tag its chat template wrote, and closes it once.
    """
    kept: list[str] = []
    end, thinking = 0, False
    for tag in _THINK_TAG.finditer(text):
        closes = bool(tag[1])
        if closes and not thinking:
            kept.clear()
        elif not thinking:
            kept.append(text[end : tag.start()])
        end, thinking = tag.end(), not closes
    return "".join(kept if thinking else [*kept, text[end:]])


def _last_verdict(text: str) -> Verdict:
    """Take the last object that has `success`, from those that have `reasoning` if there are any."""
    if not text:
        raise MalformedVerdict("empty_reply", "the reply is empty or nothing but thinking")
    candidates: list[tuple[_Pairs, int, bool]] = []
    end, in_list, broken, left_open = 0, False, -1, LeftOpen()
    for start, stop in brace_groups(text):
        if start < end:
            continue
        if stop is None and opens_object(text, start):
            # What stands inside a cut object belongs to it, and the object may be the answer that counts.
            if "success" in text[start:]:
                raise _cut()
            break
        if stop is None:
            left_open = left_open.after(text, start)
            continue
        before, group, end = text[end:start].strip(), text[start:stop], stop
        in_list = before.endswith("[") or (in_list and before == ",")
        left_open = left_open._replace(last=None)
        value = _parse(group)
        if isinstance(value, tuple) and any(key == "success" for key, _ in value):
            candidates.append((value, start, in_list))
        elif value is _NOT_JSON and "success" in group:
            broken = start
    if left_open.holds_answer(text, end):
        raise _cut()
    return _chosen(text, candidates, broken)


def _cut() -> MalformedVerdict:
    return MalformedVerdict("cut_answer", "an object that mentions success never closes")


def _chosen(text: str, candidates: list[tuple[_Pairs, int, bool]], broken: int) -> Verdict:
    explained = [found for found in candidates if any(key == "reasoning" for key, _ in found[0])]
    rivals = explained or candidates
    if not rivals:
        raise MalformedVerdict("no_verdict", "the reply has no JSON object with the key success")
    pairs, start, in_list = rivals[-1]
    # A reply that is a list is malformed, and prose around the list makes it no clearer.
    if in_list or stands_in_list(text, start):
        raise MalformedVerdict("verdict_in_list", "the last verdict is an element of a list")
    odd = {"multiple_candidates": len(rivals) > 1, "broken_object_after": broken > start}
    return verdict_from_pairs(pairs, *(code for code, happened in odd.items() if happened))


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


# No number of a reply is used, and float takes any number of digits where int refuses long ones.
_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_int=float, parse_constant=_refuse)


def _parse(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except RecursionError:  # skipped as "not JSON" it could bring back an earlier, withdrawn verdict
        raise MalformedVerdict("too_deep", "the reply's JSON is nested too deeply to be read") from None
    except ValueError:
        return _NOT_JSON


def _success(pairs: _Pairs) -> bool:
    values = [value for key, value in pairs if key == "success"]
    if not values:
        raise MalformedVerdict("missing_success", "the object has no key success")
    for value in values:
        if not isinstance(value, bool):
            raise MalformedVerdict("success_not_boolean", f"success is {_kind(value)}, expected true or false")
    if len(set(values)) > 1:
        raise MalformedVerdict("contradictory_success", "the object says both true and false")
    return values[0] is True


def _given(pairs: _Pairs, name: str) -> object:
    """Give the value of a key; None if absent, or repeated with another value, as picking one is a guess."""
    values = [value for key, value in pairs if key == name]
    same = all(value is values[0] or (isinstance(value, str) and value == values[0]) for value in values)
    return values[0] if values and same else None


def _reasoning(value: object, warnings: list[str]) -> str | None:
    if not isinstance(value, str):
        warnings.append("missing_reasoning" if value is None else "reasoning_not_text")
        return None
    text = without_lone_surrogates(value)
    if text != value:
        warnings.append("lone_surrogate")
    return text


def _confidence(value: object, warnings: list[str]) -> Confidence | None:
    written = value.lower() if isinstance(value, str) else None
    for level in _LEVELS:
        if level == written:
            return level
    warnings.append("missing_confidence" if value is None else "unknown_confidence")
    return None


def _mistake_type(value: object, success: bool, warnings: list[str]) -> str | None:
    """Read the type of a failure; a success has none, whatever is written."""
    absent = value is None or (isinstance(value, str) and value.strip().lower() in _NO_MISTAKE)
    name = None if success else normalise_mistake_type(value)
    if success and not absent:
        warnings.append("mistake_type_on_success")
    elif not success and name is None:
        warnings.append("missing_mistake_type" if absent else "unknown_mistake_type")
    return name


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")
