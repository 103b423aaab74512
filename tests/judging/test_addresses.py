"""One check of an address, for every judge that asks a server."""

import pytest

from agenthorizon.errors import UsageError
from agenthorizon.judging.addresses import checked_address
from agenthorizon.plugins import make_judge

WRONG = {
    "localhost:8000/v1": "must begin with http",
    "ftp://x.org": "must begin with http",
    "http://": "must begin with http",
    "http://[x/v1": "is no address",
    "http://x.org:port/v1": "is no address",
    "https://me:secret@x.org/v1": "must not hold a password",
}


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "https://x.org", "http://[::1]:80"])
def test_what_can_be_asked_is_returned_as_it_is(url):
    assert checked_address(url) == url


@pytest.mark.parametrize(("url", "reason"), WRONG.items())
@pytest.mark.parametrize("judge", ["direct:m", "filter:m", "codex:m"])
def test_every_judge_refuses_what_cannot_and_says_which_setting(judge, url, reason):
    with pytest.raises(UsageError, match=f"base_url.*{reason}") as refused:
        make_judge(judge, {"base_url": url})
    assert "secret@" not in str(refused.value)
