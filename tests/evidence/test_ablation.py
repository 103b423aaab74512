"""What is left out on purpose is out, is said, and is recorded; what is not left out stays."""

from pathlib import Path

import pytest

from agenthorizon.case import View
from agenthorizon.errors import UsageError
from agenthorizon.evidence.ablation import ablate, make_ablation
from agenthorizon.evidence.blind import build_case
from agenthorizon.evidence.conversation import conversation
from agenthorizon.evidence.markdown import render
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.source import load


@pytest.fixture(scope="module")
def shown(demo: Path):
    bench = load(str(demo))
    task = max(bench, key=lambda task: len(task.trajectory.steps))
    return build_case(task, bench.screenshots(task), View(), "guide", Pictures())


def texts(case):
    return "".join(part for part in conversation(case) if isinstance(part, str))


def pictured(case):
    return [step.number for step in case.steps if step.picture is not None]


def test_nothing_left_out_changes_nothing(shown):
    assert ablate(shown, make_ablation()) is shown


def test_instruction_is_nowhere_when_left_out(shown):
    case = ablate(shown, make_ablation(["instruction"])).case
    assert case.instruction == ""
    assert shown.case.instruction not in texts(case) + render(case)
    assert "The instruction is withheld" in texts(case)
    assert pictured(case) == pictured(shown.case)


def test_no_screenshot_is_shown_when_left_out(shown):
    case = ablate(shown, make_ablation(["screenshots"])).case
    assert pictured(case) == []
    assert [step.wording for step in case.steps] == [step.wording for step in shown.case.steps]
    assert "Withheld from you on purpose: screenshots." in texts(case)
    assert "![" not in render(case, lambda step: f"step_{step.number}.png")


def test_no_action_is_shown_when_left_out(shown):
    case = ablate(shown, make_ablation(["actions"])).case
    said = texts(case) + render(case)
    assert [step.wording for step in shown.case.steps if step.wording in said] == []
    assert [step.action for step in case.steps if step.action] == []
    assert pictured(case) == pictured(shown.case)


def test_only_the_last_screenshot_is_left_with_only_final(shown):
    case = ablate(shown, make_ablation(only="final")).case
    assert pictured(case) == pictured(shown.case)[-1:]
    assert case.steps[0].wording in texts(case)


def test_ablations_combine_and_are_recorded(shown):
    made = ablate(shown, make_ablation(["actions", "instruction"], only="final"))
    assert made.evidence["ablation"] == {"without": ["actions", "instruction"], "only": "final"}
    assert made.evidence["pictures"] == 1
    assert str(make_ablation(["actions", "instruction"], only="final")) == (
        "without instruction, actions; only the final screenshot"
    )


def repeated(shown, pattern):
    """Return the case with one screenshot per step, chosen by letter."""
    from dataclasses import replace

    pictures = [step.picture for step in shown.case.steps if step.picture is not None]
    steps = tuple(
        replace(step, picture=pictures[ord(letter) - ord("a")] if letter != "-" else None)
        for step, letter in zip(shown.case.steps, pattern, strict=False)
    )
    return shown._replace(case=replace(shown.case, steps=steps))


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [("aabbb", [1, 3, 5]), ("abab", [1, 2, 3, 4]), ("aaa", [1, 3]), ("a-a-b", [1, 5]), ("a", [1]), ("--", [])],
)
def test_screenshot_equal_to_the_one_before_is_named_and_the_first_and_last_are_shown(shown, pattern, kept):
    made = ablate(repeated(shown, pattern), make_ablation(drop_duplicates=True))
    assert pictured(made.case) == kept
    had = [number for number, letter in enumerate(pattern, start=1) if letter != "-"]
    assert made.evidence["duplicates"] == [number for number in had if number not in kept]


def test_dropped_screenshot_is_named_by_the_step_that_shows_it(shown):
    case = ablate(repeated(shown, "abbbc"), make_ablation(drop_duplicates=True)).case
    assert "Step 4 (the same screenshot as at step 2)\n" in texts(case)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"without": ["label"]}, "cannot leave out label; what can be left out: instruction, screenshots, actions"),
        ({"only": "first"}, "only 'first' is not known"),
        ({"without": ["screenshots"], "only": "final"}, "choose one of the two"),
    ],
)
def test_impossible_ablation_is_refused(words, message):
    with pytest.raises(UsageError, match=message):
        make_ablation(**words)
