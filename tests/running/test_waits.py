"""How long a provider asks to wait, in every form seen: seconds from now."""

from datetime import datetime

import pytest

from agenthorizon.running.waits import wait_in_headers, wait_in_words

LAST_OF_JANUARY = datetime(2026, 1, 31, 23, 58)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("usage limit reached, try again at 12:05 AM", 420),
        ("You've hit your usage limit. Try again at Feb 1st, 2026 12:05 AM.", 420),
        ("limit reached ∙ resets 3pm", 15 * 3600 + 120),
        ("Please try again in 1h 5m", 3900),
        ("Please retry in 34.5s.", 34.5),
        ("Try again in 20ms", 0.02),
        ("wait 2 minutes and 3 seconds", 123),
        ('"retryDelay": "34s"', 34),
        ("the quota is used until 2026-02-01T00:05:00", 420),
    ],
)
def test_a_wait_named_in_words_is_read_even_across_the_end_of_a_month(text, seconds):
    assert wait_in_words(text, LAST_OF_JANUARY) == pytest.approx(seconds)


def test_a_wait_until_a_second_of_the_epoch_is_read():
    reset = int(LAST_OF_JANUARY.timestamp()) + 120
    assert wait_in_words(f"Claude AI usage limit reached|{reset}", LAST_OF_JANUARY) == pytest.approx(120)


def test_a_time_in_a_named_zone_is_that_zone_s():
    from datetime import UTC

    noon = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)  # 14:00 in Berlin
    assert wait_in_words("limit reached, resets 3pm (Europe/Berlin)", noon) == 3600


@pytest.mark.parametrize(
    "text",
    ["try again later", "request reached 429 too many", "try again at 25:00", "resets Feb 31, 10am", "", "again 5"],
)
def test_words_that_name_no_time_give_no_wait(text):
    assert wait_in_words(text, LAST_OF_JANUARY) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-5"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "Tue, 19 Jan 2038 03:14:07 GMT"}, 7),
        ({"retry-after": "soon"}, None),
        ({"x-ratelimit-reset-tokens": "6m30s", "x-ratelimit-remaining-tokens": "0"}, 390),
        ({"x-ratelimit-reset-tokens": "6m30s", "x-ratelimit-remaining-tokens": "99"}, None),
        ({"anthropic-ratelimit-requests-reset": "2038-01-19T03:14:05Z"}, 5),
        ({}, None),
    ],
)
def test_a_wait_in_headers_is_read_in_every_form_and_never_negative(headers, seconds):
    assert wait_in_headers(headers, now=2**31 - 8) == (None if seconds is None else pytest.approx(seconds))
