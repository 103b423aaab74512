"""What an error came of."""

from agenthorizon.errors import causes


def test_what_an_error_was_raised_from_goes_before_what_was_being_handled():
    error, cause, handled = KeyError("error"), ValueError("cause"), OSError("handled")
    error.__cause__, error.__context__, cause.__context__ = cause, OSError("other"), handled
    assert list(causes(error)) == [error, cause, handled]


def test_a_ring_of_errors_ends():
    one, other = KeyError("one"), KeyError("other")
    one.__context__, other.__cause__ = other, one
    found = list(causes(one))
    assert found[:3] == [one, other, one]
