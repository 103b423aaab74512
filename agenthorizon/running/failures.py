"""The one place that says of which class an error is, or that it ends the run; `failure_classes` says what that means.

It goes by what an error carries (status, headers, body, words), not by its class, so that it knows no provider and no
command-line tool by name. An answer's own words are never looked at: a judge may write about rate limits.
"""

import asyncio
import errno
import json
from collections.abc import Mapping
from typing import Any

from agenthorizon.errors import Complaint, DataError, JudgeFailure, RunStopped, UsageError, causes
from agenthorizon.judge import Reply
from agenthorizon.judging.members import Member, member_of
from agenthorizon.running.complaints import is_instead_of_answer, kind_of
from agenthorizon.running.failure_classes import FINAL, PUSHED_BACK, STOPPING
from agenthorizon.running.waits import wait_in_headers, wait_in_words

LONGEST_WAIT = 6 * 3600.0
"""Seconds; when more is asked for, the run ends and says so."""

LOOK = {
    "connection": "is it running, and is the address right?",
    "timeout": "no answer in time",
}
"""What is said of a server that is not reached, behind its address."""
_OVERLOADED = (503, 529)
_PLAIN = {404: "model", 413: "too_large", 429: "rate_limited"}
_QUOTED = 2000
_LAST_WORDS = 1000
_LONGEST_HOST = 260
_OF_TRANSPORT = frozenset({"ClientError", "TransportError"})


def failure(error: BaseException, address: str | None = None) -> JudgeFailure:
    """Return the failure an exception means, with the member of a judge that it names.

    One of the way to a server says that server's address: the member's, else the judge's `address`. Raises RunStopped
    when no task could succeed after it.
    """
    member = member_of(error)
    try:
        failed = _classed(error)
    except RunStopped as stopped:
        if member is None:
            raise
        raise RunStopped(stopped.code, f"{_named(member)}: {stopped}") from error
    if member is None or failed.code == "evidence":  # the data's fault, whoever would have looked
        return _with_address(failed, address)
    message = str(failed)
    if not (look := LOOK.get(failed.code)):
        return _with_message(failed, f"{_named(member)}: {message}")
    return _with_message(failed, f"{_named(member)}: {look} ({message})")


def _named(member: Member) -> str:
    return f"{member.role}, at {member.address}" if member.address else member.role


def _classed(error: BaseException) -> JudgeFailure:
    if isinstance(error, JudgeFailure):
        return _said_in_crashing(error) if error.code == "crashed" else error
    if isinstance(error, RunStopped):
        raise error
    if isinstance(error, UsageError):
        raise RunStopped("usage", str(error)) from error
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        raise RunStopped("disk", f"no space left on the disk: {error}") from error
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _of_status(status, error)
    if isinstance(error, Complaint):
        return of_words(str(error))
    return _of_kind(error)


def _with_address(failed: JudgeFailure, address: str | None) -> JudgeFailure:
    """Return a failure of the way to a server with the server's address, and what to look at."""
    look = LOOK.get(failed.code)
    return _with_message(failed, f"{address}: {look} ({failed})") if address and look else failed


def _with_message(failed: JudgeFailure, message: str) -> JudgeFailure:
    return JudgeFailure(failed.code, message, passing=failed.passing, retry_after=failed.retry_after, step=failed.step)


def _said_in_crashing(crashed: JudgeFailure) -> JudgeFailure:
    """Return what a program ended over, where its last words are that it asked too much; else that it crashed.

    Nothing else is taken from them, and no run ends by them: a crash prints anything, what it was judging too.
    """
    words = str(crashed)[-_LAST_WORDS:]
    kind, wait = kind_of(words), wait_in_words(words)
    if kind not in PUSHED_BACK or (wait or 0) > LONGEST_WAIT:
        return crashed
    return JudgeFailure(kind, str(crashed), passing=True, retry_after=wait, step=crashed.step)


def refuse_unfinished(reply: Reply) -> None:
    """Raise for a reply that is no answer: the failure it carries, refused, cut off by a limit, or empty."""
    if reply.failure is not None:
        raise reply.failure
    if reply.finish == "content_filter":
        raise JudgeFailure("refused", "the provider's filter stopped the answer", passing=False)
    if reply.finish == "length":
        raise JudgeFailure("truncated", "the answer reached the token limit before its end", passing=False)
    if reply.text is None or not reply.text.strip():
        raise JudgeFailure("no_answer", "the reply holds no text", passing=True)


def refuse_complaint(reply: Reply) -> None:
    """Raise Complaint where a reply without a verdict is a tool's own error message, e.g. `API Error: Rate limit`."""
    if reply.text and is_instead_of_answer(reply.text):
        raise Complaint(reply.text)


def of_words(text: str) -> JudgeFailure:
    """Return the failure that an error text means, by what it says. Raises RunStopped when no task could succeed.

    For texts known to be an error's, never for an answer.
    """
    kind = kind_of(text)
    _stop_for(kind, text)
    passing = kind not in FINAL
    return _within_reason(JudgeFailure(kind or "crashed", text[:_QUOTED], passing=passing), wait_in_words(text))


def _of_status(status: int, error: BaseException) -> JudgeFailure:
    if 300 <= status < 400 and (location := _headers(error).get("location")):
        return JudgeFailure("bad_request", _redirected(status, location), passing=False)
    message = f"HTTP {status}: {str(error)[:_QUOTED]}"
    words = f"{getattr(error, 'body', None)!r} {error}"
    kind = _kind_of_status(status, kind_of(words))
    _stop_for(kind, message, error)
    wait = wait_in_headers(_headers(error))
    if wait is None and kind in PUSHED_BACK:
        wait = wait_in_words(words)
    return _within_reason(JudgeFailure(kind, message, passing=kind not in FINAL), wait)


def _redirected(status: int, location: str) -> str:
    host = location.partition("//")[2].partition("/")[0].rpartition("@")[2] or "another address of its own"
    return (
        f"HTTP {status}: the server sends on to {host[:_LONGEST_HOST]}, which is not followed, since the key and the "
        "screenshots would go there; if it is the right one, name it as the address (--base-url)"
    )


def _kind_of_status(status: int, said: str | None) -> str:
    """Return the class of a status; what the body says counts where a status means several things."""
    if status in (401, 403):
        return "refused" if said == "refused" else "key"
    if status == 402 or said == "quota":
        return "quota"
    if status >= 500 or status in (408, 409, 425):
        return "overloaded" if status in _OVERLOADED or said == "overloaded" else "server"
    if status in _PLAIN:
        return _PLAIN[status]
    return said if said in ("too_large", "refused", "key", "model") else "bad_request"


def _of_kind(error: BaseException) -> JudgeFailure:
    name, message = type(error).__name__, _with_causes(error)
    if isinstance(error, DataError):
        return JudgeFailure("evidence", str(error), passing=False)
    if kind := _lost_on_the_way(error):
        refused = next((str(each) for each in causes(error) if isinstance(each, ConnectionError)), "")
        said = refused if kind == "connection" and refused else message or "no answer within the time limit"
        return JudgeFailure(kind, said, passing=True)
    if isinstance(error, json.JSONDecodeError) or "ResponseValidation" in name:
        return JudgeFailure("unreadable", f"the server's answer is not JSON: {error}", passing=True)
    return JudgeFailure("crashed", f"{name}: {error}", passing=True)


def _lost_on_the_way(error: BaseException) -> str | None:
    """Return the class of an error of the connection; None for any other."""
    name = type(error).__name__
    if _was_cut(error):
        return "cut"
    # Before the names: a client may call a connection that was refused a timeout (openai 3.57 over aiohttp).
    if any(isinstance(each, ConnectionError) for each in causes(error)):
        return "connection"
    if isinstance(error, asyncio.TimeoutError) or "Timeout" in name:
        return "timeout"
    # The bases of what aiohttp and httpx raise where no HTTP came, or no more of it.
    is_transport = any(base.__name__ in _OF_TRANSPORT for base in type(error).__mro__)
    return "connection" if is_transport or "Connection" in name or "Protocol" in name else None


def _stop_for(kind: str | None, message: str, cause: BaseException | None = None) -> None:
    if meaning := STOPPING.get(kind or ""):
        raise RunStopped(str(kind), f"{meaning} ({message[:_QUOTED]})") from cause


def _within_reason(failed: JudgeFailure, wait: float | None) -> JudgeFailure:
    """Add the wait that was asked for. Raises RunStopped when it is longer than a run should stand still."""
    if wait is not None and wait > LONGEST_WAIT and failed.passing:
        hours = f"{wait / 3600:.1f} hours"
        raise RunStopped("rate_limited", f"the endpoint asks to wait {hours}; go on then ({failed})") from failed
    failed.retry_after = wait
    return failed


def _headers(error: BaseException) -> Mapping[str, str]:
    headers: Any = getattr(error, "headers", None) or getattr(getattr(error, "response", None), "headers", None)
    return {key.lower(): value for key, value in headers.items()} if headers is not None else {}


def _was_cut(error: BaseException) -> bool:
    """Whether an answer had begun and its connection ended before it did."""
    cut = ("incomplete", "peer closed connection", "payload is not completed")
    return any(word in f"{type(each).__name__} {each}".lower() for each in causes(error) for word in cut)


def _with_causes(error: BaseException) -> str:
    return ": ".join(dict.fromkeys(str(each) for each in causes(error) if str(each)))[:_QUOTED]
