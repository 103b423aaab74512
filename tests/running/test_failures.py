"""What a failure means, whoever reports it: passing, final, or the end of the run."""

import errno

import pytest

from agenthorizon.errors import Complaint, DataError, JudgeFailure, RunStopped, UsageError
from agenthorizon.isolation.record import UpstreamFailure
from agenthorizon.running.failures import LONGEST_WAIT, failure


class Response:
    def __init__(self, **headers):
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class StatusError(Exception):
    """An error as HTTP clients raise it: a status, a response with headers, a body."""

    def __init__(self, status, body="", **headers):
        super().__init__(f"Error code: {status} - {body}")
        self.status_code, self.body, self.response = status, body, Response(**headers)


@pytest.mark.parametrize(
    ("status", "body", "code", "passing"),
    [
        (429, "slow down", "rate_limited", True),
        (529, "overloaded", "overloaded", True),
        (503, "", "overloaded", True),
        (500, "oops", "server", True),
        (504, "the upstream took too long to respond", "server", True),
        (408, "", "server", True),
        (413, "", "too_large", False),
        (400, "maximum context length is 131072 tokens", "too_large", False),
        (400, "At most 5 image(s) may be provided in one request.", "too_large", False),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", "too_large", False),
        (400, "blocked: content_policy_violation", "refused", False),
        (403, "input was flagged by moderation", "refused", False),
        (400, "temperature must be 1", "bad_request", False),
        (422, "no such field", "bad_request", False),
    ],
)
def test_a_status_has_one_class(status, body, code, passing):
    failed = failure(StatusError(status, body))
    assert (failed.code, failed.passing) == (code, passing)


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (401, "", "key"),
        (403, "", "key"),
        (400, "API key not valid. Please pass a valid API key.", "key"),
        (402, "", "quota"),
        (429, "You exceeded your current quota, please check your plan and billing: insufficient_quota", "quota"),
        (400, "Your credit balance is too low to access the API", "quota"),
        (404, "", "model"),
        (400, "The model `gpt-9` does not exist", "model"),
    ],
)
def test_what_no_task_can_survive_stops_the_run(status, body, code):
    with pytest.raises(RunStopped) as stopped:
        failure(StatusError(status, body))
    assert stopped.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("API Error: Rate limit reached", "rate_limited"),
        ("ERROR: You've hit your usage limit. Upgrade to Pro or try again in 3 minutes.", "rate_limited"),
        ("API Error (529 overloaded_error): Overloaded", "overloaded"),
        ("RESOURCE_EXHAUSTED: Quota exceeded for requests per minute", "rate_limited"),
        ("stream disconnected before completion", "cut"),
        ("Error: connect ECONNREFUSED 127.0.0.1:9", "connection"),
        ("request timed out", "timeout"),
        ("API Error: 500 Internal server error", "server"),
        ("input exceeds the context window of this model", "too_large"),
        ("TypeError: cannot read properties of undefined", "crashed"),
    ],
)
def test_the_error_text_of_a_tool_is_classed_like_a_status(text, code):
    failed = failure(Complaint(text))
    assert (failed.code, failed.passing) == (code, code != "too_large")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Invalid API key · Please run /login", "key"),
        ("error: 401 Unauthorized", "key"),
        ("Credit balance is too low", "quota"),
        ("There's an issue with the selected model: model not found", "model"),
    ],
)
def test_the_error_text_of_a_tool_stops_the_run_like_a_status(text, code):
    with pytest.raises(RunStopped) as stopped:
        failure(Complaint(text))
    assert stopped.value.code == code


def test_the_wait_is_taken_from_the_header_else_from_the_words():
    assert failure(StatusError(429, "try again in 9s", retry_after="2")).retry_after == 2
    assert failure(StatusError(429, "try again in 9s")).retry_after == 9
    assert failure(Complaint("usage limit reached, try again in 5 minutes")).retry_after == 300


@pytest.mark.parametrize(
    ("text", "code", "wait"),
    [
        ("exit code 1: usage limit reached, try again in 5 minutes", "rate_limited", 300),
        ("exit code 1: overloaded", "overloaded", None),
        ("exit code 1: permission denied: 'notes.txt'", "crashed", None),
        ("exit code 1: usage limit reached, try again in 9 days", "crashed", None),
        ("exit code 1: step 3 shows HTTP 429\n" + "TypeError: undefined\n" * 50, "crashed", None),
    ],
)
def test_of_a_crash_only_the_last_words_count_and_only_that_it_asked_too_much(text, code, wait):
    failed = failure(JudgeFailure("crashed", text, passing=True))
    assert (failed.code, failed.retry_after, failed.passing, str(failed)) == (code, wait, True, text)


def test_the_wait_that_the_model_of_an_agent_asked_for_is_taken_too():
    assert failure(UpstreamFailure(429, "slow down", {"Retry-After": "2"})).retry_after == 2


def test_a_wait_of_days_stops_the_run_and_says_how_long():
    with pytest.raises(RunStopped, match=r"48\.0 hours"):
        failure(Complaint("weekly limit reached, try again in 2 days"))
    assert failure(StatusError(429, retry_after=str(LONGEST_WAIT))).retry_after == LONGEST_WAIT


def test_an_answer_cut_on_its_way_is_told_from_a_connection_that_was_refused():
    cut = ConnectionError("Connection error.")
    cut.__cause__ = OSError("peer closed connection without sending complete message body")
    assert failure(cut).code == "cut"
    assert failure(ConnectionRefusedError("refused")).code == "connection"


def test_a_refused_connection_that_a_client_calls_a_timeout_is_none():
    class ConnectTimeout(Exception):
        pass

    error = ConnectTimeout("Request timed out.")
    error.__cause__ = ConnectionRefusedError(111, "Connect call failed")
    assert failure(error).code == "connection"
    assert failure(ConnectTimeout("Request timed out.")).code == "timeout"


def test_other_errors_have_their_classes():
    assert failure(TimeoutError()).code == "timeout"
    assert (failure(DataError("broken")).code, failure(DataError("broken")).passing) == ("evidence", False)
    assert failure(RuntimeError("bug")).code == "crashed"
    known = JudgeFailure("refused", "no", passing=False)
    assert failure(known) is known


def test_a_full_disk_and_a_wrong_setting_stop_the_run():
    with pytest.raises(RunStopped, match="space"):
        failure(OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(RunStopped):
        failure(UsageError("set OPENAI_API_KEY"))
