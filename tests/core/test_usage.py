"""Tokens by kind: what is unknown stays unknown, and a sum says which of the two it is."""

import pytest

from agenthorizon.prices import Prices
from agenthorizon.usage import KINDS, Usage, known_total, of_chat, token_count, total

FIRST = Usage(input=100, output=7, cached_read=40)
SECOND = Usage(input=1, output=None, cached_read=2, cached_write=5)


def test_a_total_is_unknown_where_one_part_is():
    assert Usage.total([FIRST, SECOND]) == Usage(input=101, cached_read=42)


def test_a_known_total_is_the_least_that_it_can_be():
    assert Usage.known_total([FIRST, SECOND]) == Usage(input=101, output=7, cached_read=42, cached_write=5)


@pytest.mark.parametrize("add", [Usage.total, Usage.known_total], ids=["total", "known_total"])
def test_the_sum_of_nothing_is_unknown_and_of_zeros_is_zero(add):
    assert add([]) == Usage()
    assert add([Usage(input=0), Usage(input=0)]) == Usage(input=0)


def test_counts_are_summed_like_usages():
    assert (total([1, None]), total(iter([1, 2])), total([])) == (None, 3, None)
    assert (known_total([1, None]), known_total([None]), known_total([])) == (1, None, None)


@pytest.mark.parametrize("value", [True, -1, 10**12, 5.0, "5", None, [5]], ids=repr)
def test_what_is_no_number_of_tokens_is_unknown(value):
    assert token_count(value) is None


@pytest.mark.parametrize("details", [None, [], "40", {"cached_tokens": "40"}], ids=repr)
def test_odd_details_of_a_chat_completion_are_unknown_and_its_counts_stand(details):
    assert of_chat({"prompt_tokens": 9, "prompt_tokens_details": details}) == Usage(input=9)


def test_every_kind_of_tokens_has_a_price():
    assert set(Prices.model_fields) == set(KINDS)
