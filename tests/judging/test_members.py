"""An error says which member of a judge it is of, through every judge in between."""

import pytest

from agenthorizon.judging.members import Member, asking, mark, member_of


def test_an_error_of_no_member_names_none():
    assert member_of(ValueError("x")) is None


@pytest.mark.parametrize("kind", [ValueError, TimeoutError, KeyboardInterrupt])
def test_what_goes_wrong_while_a_member_is_asked_names_it(kind):
    error = kind("x")
    with pytest.raises(kind), asking("the model that describes, m", "http://127.0.0.1:1"):
        raise error
    assert member_of(error) == Member("the model that describes, m", "http://127.0.0.1:1")


def test_a_member_of_a_member_is_named_after_it_with_its_own_address():
    error = ValueError("x")
    outer, inner = asking("vote 2", "http://127.0.0.1:1"), asking("the judging model", "http://127.0.0.1:2")
    with pytest.raises(ValueError, match="x"), outer, inner:
        raise error
    assert member_of(error) == Member("vote 2: the judging model", "http://127.0.0.1:2")


def test_the_address_is_that_of_the_outer_member_where_the_inner_says_none():
    error = ValueError("x")
    mark(error, "the judging model")
    mark(error, "vote 2", "http://127.0.0.1:1")
    assert member_of(error) == Member("vote 2: the judging model", "http://127.0.0.1:1")


def test_an_error_raised_from_a_members_is_of_that_member():
    inner = ValueError("x")
    mark(inner, "vote 1")
    with pytest.raises(RuntimeError) as raised:
        raise RuntimeError("y") from inner
    assert member_of(raised.value) == Member("vote 1")
