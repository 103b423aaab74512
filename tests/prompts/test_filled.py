"""Filling a prompt: the names given are replaced, and no brace of anything else is touched."""

import pytest

from agenthorizon.prompts import Prompt, prompt


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{a} and {a}", "1 and 1"),
        ('{"steps": [{a}]}', '{"steps": [1]}'),
        ("{ } {} {0} {b} {a!r} {a.x}", "{ } {} {0} {b} {a!r} {a.x}"),
        ("one { alone", "one { alone"),
    ],
)
def test_only_a_name_that_is_given_is_replaced(text, expected):
    assert Prompt("x", text, "").filled(a=1) == expected


def test_what_is_put_in_is_not_filled_again():
    assert Prompt("x", "{a}{b}", "").filled(a="{b}", b="{a}") == "{b}{a}"


def test_every_name_of_the_shipped_prompts_is_filled():
    agent = prompt("agent").filled(folder="/task", requests=9, minutes="30")
    assert "{" not in agent
    assert "`/task`" in agent
    pick = prompt("pick").filled(steps=4)
    assert "at most 4 steps" in pick
    assert '{"steps": [12, 3, 27]}' in pick
