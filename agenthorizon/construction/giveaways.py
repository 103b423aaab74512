"""Finds what gives an answer away in so many words: in ids, folders, fields, picture texts, and the instruction itself.

A word that every task has tells none from another and is no giveaway.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any

from agenthorizon.case import FULL_SIZE
from agenthorizon.construction.pair_checks import bare_instruction
from agenthorizon.construction.subjects import Subject
from agenthorizon.construction.views import tokens
from agenthorizon.dataset.action_fields import Sieve
from agenthorizon.dataset.recorded_places import recorded_places
from agenthorizon.dataset.screenshots import NO_SCREENSHOT
from agenthorizon.errors import Finding
from agenthorizon.evidence.blind import build_case
from agenthorizon.evidence.markdown import render
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.verdict import MISTAKE_TYPES

ANSWER_WORDS = frozenset(
    {
        "correct",
        "fail",
        "failed",
        "failure",
        "gold",
        "groundtruth",
        "incorrect",
        "label",
        "labeled",
        "labelled",
        "mistake",
        "neg",
        "negative",
        "pos",
        "positive",
        "succeeded",
        "success",
        "successful",
        "swap",
        "swapped",
        "wrong",
    }
)
"""Words that say how a task ended, where a name or a field should say nothing."""

SHORTEST_ID = 6
"""Recording ids shorter than this are not searched for: they stand in texts by chance."""

_LABEL_WORDS = {True: ("positive",), False: ("negative", "swapped")}


def giveaways(subjects: Sequence[Subject]) -> Iterator[Finding]:
    """Yield every place that gives an answer away."""
    yield from _in_names(subjects)
    yield from _in_instructions(subjects)
    yield from _in_records(subjects)
    yield from _in_actions(subjects)
    yield from _in_pictures(subjects)
    for subject in subjects:
        yield from _in_evidence(subject)


def _in_names(subjects: Sequence[Subject]) -> Iterator[Finding]:
    for subject, words in _telling(subjects, lambda each: each.names):
        detail = f"its id or the path of a screenshot says {', '.join(sorted(words))}"
        yield subject.facts.place.finding("answer_in_name", detail)
    for subject in subjects:
        if named := [name for name in _private_ids(subject) if any(name in each for each in subject.names)]:
            detail = f"its id or the path of a screenshot holds {named[0]!r}, which only labels should"
            yield subject.facts.place.finding("recording_in_name", detail)


def _telling(
    subjects: Sequence[Subject], texts_of: Callable[[Subject], Iterable[str]]
) -> Iterator[tuple[Subject, set[str]]]:
    """Yield the subjects whose texts have answer words that not every subject has."""
    found = [{word for text in texts_of(subject) for word in tokens(text) & ANSWER_WORDS} for subject in subjects]
    counts = Counter(word for words in found for word in words)
    everywhere = {word for word, count in counts.items() if count == len(subjects)}
    for subject, words in zip(subjects, found, strict=True):
        if words - everywhere:
            yield subject, words - everywhere


def _private_ids(subject: Subject) -> list[str]:
    label = subject.label
    ids = (label.original_id, label.paired_id, label.pair_group_id)
    return [name for name in ids if name and len(name) >= SHORTEST_ID]


def _in_instructions(subjects: Sequence[Subject]) -> Iterator[Finding]:
    """An instruction that says its own label, and never stands with the other one."""
    labels: dict[str, set[bool]] = defaultdict(set)
    for subject in subjects:
        labels[bare_instruction(subject.facts.instruction)].add(subject.label.is_positive)
    for subject in subjects:
        text = bare_instruction(subject.facts.instruction)
        said = tokens(text) & set(_LABEL_WORDS[subject.label.is_positive])
        types = [kind for kind in MISTAKE_TYPES if kind.casefold() in text]
        if len(labels[text]) == 1 and (said or types):
            detail = f"the instruction says {', '.join([*sorted(said), *types])}, as its label does"
            yield subject.facts.place.finding("answer_in_instruction", detail)


def _in_records(subjects: Sequence[Subject]) -> Iterator[Finding]:
    for subject, words in _telling(subjects, lambda each: (text for _, text in _texts(each.record))):
        detail = f"a field says {', '.join(sorted(words))}"
        yield subject.facts.place.finding("answer_in_field", detail)
    for subject in subjects:
        private = _private_ids(subject)
        if held := [name for name, text in _texts(subject.record) if any(each in text for each in private)]:
            detail = "holds the id of a recording or a pair, which only labels should"
            yield subject.facts.place.finding("recording_in_field", detail, fields=tuple(sorted(set(held))))


def _in_actions(subjects: Sequence[Subject]) -> Iterator[Finding]:
    """What a harness that words an action as recorded would show; this package's evidence leaves it out."""
    for subject in subjects:
        steps = subject.record["steps"]
        sieve = Sieve(recorded_places((step.get("screenshot") for step in steps), subject.record["trajectory_id"]))
        if held := sorted({name for step in steps for name in sieve.hidden_fields(step.get("action"))}):
            detail = "fields of actions named like an answer or telling the recording"
            yield subject.facts.place.finding("answer_in_action", detail, fields=tuple(held))


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names of a record's own fields and their texts; instruction, actions and paths are looked at apart."""
    if name in ("task.instruction", "trajectory_id", "steps.screenshot", "steps.action"):
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            inner_name = f"{name}.{key}".lstrip(".")
            yield inner_name, key
            yield from _texts(inner, inner_name)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner, name)
    elif isinstance(value, str):
        yield name, value


def _in_pictures(subjects: Sequence[Subject]) -> Iterator[Finding]:
    instructions = {bare_instruction(subject.facts.instruction) for subject in subjects}
    texts = {text for subject in subjects for facts in subject.pictures for text in facts.embedded}
    telling = {text for text in texts if tokens(text) & ANSWER_WORDS or _asks(bare_instruction(text), instructions)}
    for subject in subjects:
        for number, facts in enumerate(subject.pictures, start=1):
            for text in facts.embedded:
                if text in telling or any(name in text for name in _private_ids(subject)):
                    detail = f"screenshot {number} carries {text[:200]!r}"
                    yield subject.facts.place.finding("answer_in_picture", detail)


def _asks(text: str, instructions: Iterable[str]) -> bool:
    return any(instruction in text for instruction in instructions)


def _in_evidence(subject: Subject) -> Iterator[Finding]:
    """What this package would show a judge holds no id, folder or file name of the task."""
    shots = [NO_SCREENSHOT] * len(subject.task.trajectory.steps)
    with closing(Pictures()) as pictures:
        page = render(build_case(subject.task, shots, FULL_SIZE, "", pictures).case)
    own = [*_private_ids(subject), *(name for name in subject.names if len(name) >= SHORTEST_ID)]
    if shown := [name for name in own if name in page and name not in subject.facts.instruction]:
        yield subject.facts.place.finding("name_in_evidence", f"a judge would read {shown[0]!r}")
