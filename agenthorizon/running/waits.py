"""Reads how long a provider or a command-line tool asks to wait, from headers, bodies and words, in seconds.

Seen: `retry-after-ms: 1500` · `Retry-After: 2` · `Retry-After: Wed, 21 Oct 2015 07:28:00 GMT` ·
`anthropic-ratelimit-requests-reset: 2026-01-31T23:59:00Z` · `x-ratelimit-reset-tokens: 6m0s` · `"retryDelay": "34s"` ·
"try again in 1h 5m" · "Please retry in 34.5s" · "limit reached|1769900000" · "try again at 12:05 AM" ·
"resets 3pm (Europe/Berlin)" · "try again at Feb 1st, 2026 12:05 AM".
"""

import email.utils
import re
import time
from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_X_RATELIMIT = ("x-ratelimit-reset-{}", "x-ratelimit-remaining-{}")
_RESETS = ("requests", "tokens", "input-tokens", "output-tokens")
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = r"(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)\b"
_IN_DURATION = re.compile(
    rf"(?:again|retry|resets?|wait|delay\W{{0,6}})\s*(?:in|after|for|of)?\s*:?\s*((?:{_DURATION}[\s,]*(?:and\s+)?)+)",
    re.IGNORECASE,
)
_EACH_DURATION = re.compile(_DURATION, re.IGNORECASE)
_EPOCH = re.compile(r"(?:limit reached\||resets?(?:_at)?\W{1,4})(\d{10})(?:\d{3})?\b", re.IGNORECASE)
_ISO = re.compile(r"(?:at|until|resets?|after)\W{1,4}(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?\S*)", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?:again|resets?|until|available)\s+(?:at\s+|on\s+)?(?:(?P<month>[A-Z][a-z]{2})[a-z]*\.?\s+(?P<day>\d{1,2})"
    r"(?:st|nd|rd|th)?,?\s+(?:(?P<year>\d{4}),?\s+)?(?:at\s+)?)?"
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?::\d\d)?\s*(?P<half>[ap]\.?m\b\.?)?(?:\s*\((?P<zone>[\w/+-]+)\))?",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_A_MINUTE = 60.0  # a clock time names the minute in which a window opens, not the second


def wait_in_headers(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the wait that a response's headers ask for; names in lower case, `now` in seconds of the epoch.

    Never negative; None when they say nothing readable (Retry-After: RFC 9110, section 10.2.3).
    """
    moment = time.time() if now is None else now
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is None:
        seconds = _until_http_date(text, moment)
    return _longest_reset(headers, moment) if seconds is None else max(0.0, seconds)


def wait_in_words(text: str, now: datetime | None = None) -> float | None:
    """Return the wait that an error message asks for; None when it names none. `now` is a local time."""
    if found := _IN_DURATION.search(text):
        parts = _EACH_DURATION.findall(found[1])
        return float(sum(float(number) * _unit(name) for number, name in parts))
    here = now or datetime.now().astimezone()
    if found := _EPOCH.search(text):
        return max(0.0, int(found[1]) - here.timestamp())
    if found := _ISO.search(text):
        return _until_iso(found[1], here)
    return _until_clock(text, here)


def _until_clock(text: str, here: datetime) -> float | None:
    for found in _CLOCK.finditer(text):
        if not (found["minute"] or found["half"]):
            continue  # a bare number is no time
        try:
            return _until(found, here)
        except (ValueError, KeyError):  # the 31st of February, 25 o'clock, a zone nobody knows
            continue
    return None


def _until(found: re.Match[str], here: datetime) -> float:
    zone: tzinfo | None = ZoneInfo(found["zone"]) if found["zone"] else here.tzinfo
    there = here.astimezone(zone) if found["zone"] else here
    half = (found["half"] or "").lower().replace(".", "")
    hour = int(found["hour"]) % 12 + (12 if half == "pm" else 0) if half else int(found["hour"])
    at = there.replace(hour=hour, minute=int(found["minute"] or 0), second=0, microsecond=0)
    if found["month"]:
        month = _MONTHS.index(found["month"].lower()) + 1
        at = at.replace(year=int(found["year"] or there.year), month=month, day=int(found["day"]))
        if not found["year"] and at < there - timedelta(days=1):
            at = at.replace(year=at.year + 1)
        return max(0.0, (at - there).total_seconds())
    if at + timedelta(seconds=_A_MINUTE) <= there:
        at += timedelta(days=1)
    return max(0.0, (at - there).total_seconds())


def _until_iso(text: str, here: datetime) -> float | None:
    try:
        at = datetime.fromisoformat(text.strip("'\".,;)}]"))
    except ValueError:
        return None
    return max(0.0, (at.astimezone() - here.astimezone()).total_seconds())


def _until_http_date(text: str | None, now: float) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(text or "").timestamp() - now
    except (ValueError, OverflowError):
        return None


def _longest_reset(headers: Mapping[str, str], now: float) -> float | None:
    """Return when the windows that are used up open again, where a provider tells of them instead."""
    here = datetime.fromtimestamp(now).astimezone()
    waits = []
    for kind in _RESETS:
        for reset, left in (("anthropic-ratelimit-{}-reset", "anthropic-ratelimit-{}-remaining"), _X_RATELIMIT):
            said = headers.get(reset.format(kind))
            if said is not None and (_number(headers.get(left.format(kind))) or 0) < 1:
                until = _until_iso(said, here)
                waits.append(_duration(said) if until is None else until)
    return max((wait for wait in waits if wait is not None), default=None)


def _duration(text: str) -> float | None:
    parts = _EACH_DURATION.findall(re.sub(r"(?<=[a-z])(?=\d)", " ", text))
    return float(sum(float(number) * _unit(name) for number, name in parts)) if parts else _number(text)


def _unit(name: str) -> float:
    short = name.lower()
    return _UNITS["ms" if short.startswith(("ms", "milli")) else short[0]]


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None
