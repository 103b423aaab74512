"""Says what an attempt comes to by its reply, the same whether the reply has just come or was kept."""

from dataclasses import dataclass
from typing import Literal

from agenthorizon.errors import MalformedVerdict
from agenthorizon.judge import Reply
from agenthorizon.outcome import OutcomeError
from agenthorizon.running.failures import refuse_complaint, refuse_unfinished
from agenthorizon.verdict import Verdict, read_verdict


@dataclass(frozen=True)
class Ending:
    """What an attempt comes to."""

    status: Literal["verdict", "malformed", "failed"]
    verdict: Verdict | None = None
    error: OutcomeError | None = None


def read_reply(reply: Reply) -> Ending:
    """Return the verdict of a reply, or that it is malformed.

    Raises the failure that the reply carries, JudgeFailure for one that is no answer, Complaint for a tool's error
    message that stands in the place of one.
    """
    refuse_unfinished(reply)
    try:
        return Ending("verdict", read_verdict(reply.text or ""))
    except MalformedVerdict as error:
        refuse_complaint(reply)
        return Ending("malformed", error=_told(error.code, str(error), passing=False))


def failed(code: str, message: str, *, passing: bool) -> Ending:
    """Return the ending of an attempt that failed."""
    return Ending("failed", error=_told(code, message, passing=passing))


def _told(code: str, message: str, *, passing: bool) -> OutcomeError:
    return OutcomeError.model_validate({"class": code, "message": message[:4000], "passing": passing})
