"""Decides how an agent's run counts: an answer to read, or a failure of which class.

The door's record is asked first, since exit codes and words of a CLI prove little: several exit with 0 after a refused
key. Only a run with status ok holds an answer.
"""

from dataclasses import replace
from typing import NamedTuple

from agenthorizon.errors import Complaint, JudgeFailure, MalformedVerdict
from agenthorizon.harness import Account, Status
from agenthorizon.isolation.processes import Finished
from agenthorizon.isolation.record import DoorRecord
from agenthorizon.verdict import read_verdict

_ENDED: dict[str, Status] = {
    "clock": "timeout",
    "idle": "timeout",
    "requests": "turn_limit",
    "spending": "turn_limit",
    "refusals": "model_error",
    "output": "cut_output",
    "storage": "cut_output",
}
_WORDS = {
    "clock": "the time of the task was used up",
    "idle": "nothing was printed and nothing came from the model for too long",
    "requests": "the requests of the task were used up",
    "spending": "the money of the task was used up",
    "output": "it printed more than is kept",
    "storage": "it wrote more into its home than it may",
}
_CODES: dict[Status, tuple[str, bool]] = {
    "no_answer": ("no_answer", True),
    "truncated": ("truncated", False),
    "model_error": ("model_error", True),
    "turn_limit": ("turn_limit", False),
    "timeout": ("timeout", True),
    "cut_output": ("cut", True),
    "crashed": ("crashed", True),
}
"""Class of the failure, and whether asking again can help."""


class AgentRun(NamedTuple):
    """What is known about a run, from three sides."""

    account: Account
    finished: Finished
    record: DoorRecord


class Settled(NamedTuple):
    """What a run amounts to."""

    status: Status
    text: str | None
    failure: Exception | None


def settle(run: AgentRun) -> Settled:
    """Return the status, and the text to read or why there is none."""
    status = status_of(run.account, run.finished)
    if run.finished.ended_by == "itself" and run.record.exceeded and not _is_answered(status, run.account.text):
        # It was turned away at its limit, and ended over that, or said so, before it was ended.
        run = run._replace(finished=replace(run.finished, ended_by=run.record.exceeded))
        status = status_of(run.account, run.finished)
    if status == "ok":
        if failure := _blindness(run):
            return Settled(status, run.account.text, failure)
        return Settled(status, run.account.text, None)
    return Settled(status, run.account.text, _by_the_door(run.record, status) or _failure(run, status))


def status_of(account: Account, finished: Finished) -> Status:
    """Return the status of a run: what ended it comes before what it said."""
    if finished.error is not None:
        return "crashed"
    if finished.ended_by != "itself":
        return _ENDED[finished.ended_by]
    if account.status == "ok":
        return _status_of_text(account.text or "")
    return account.status


def _status_of_text(text: str) -> Status:
    """Say whether a final text may be read: some CLIs take half an answer for a whole one."""
    try:
        read_verdict(text)
    except MalformedVerdict as error:
        if not text.strip():
            return "no_answer"
        return "truncated" if error.code == "cut_answer" else "ok"
    return "ok"


def _is_answered(status: Status, text: str | None) -> bool:
    """Whether a run ended with a verdict."""
    if status != "ok":
        return False
    try:
        read_verdict(text or "")
    except MalformedVerdict:
        return False
    return True


def _blindness(run: AgentRun) -> JudgeFailure | None:
    """Catch a judge that believes it looked: its tool opened pictures, and none was in any request."""
    if not run.account.pictures_opened or run.record.pictures or not run.record.requests:
        return None
    message = (
        f"the agent opened {run.account.pictures_opened} pictures and none was sent to the model: the CLI takes this "
        "model for one without vision. Name a model with vision, or tell the CLI that it has it (docs/agents.md)"
    )
    return JudgeFailure("blind", message, passing=False)


def _by_the_door(record: DoorRecord, status: Status) -> Exception | None:
    """Return what the model's side last answered, where that explains the end."""
    return None if status in ("truncated", "turn_limit") else record.last_failure


def _failure(run: AgentRun, status: Status) -> Exception:
    if status == "model_error" and run.account.error and run.finished.ended_by == "itself":
        return Complaint(run.account.error)
    code, passing = _CODES[status]
    words = run.finished.error or _WORDS.get(run.finished.ended_by) or run.account.error
    fallback = f"the CLI ended with exit code {run.finished.exit_code} and no answer"
    named = "" if status == code else f"{status}: "  # the class stands before the message wherever it is shown
    return JudgeFailure(code, f"{named}{words or fallback}", passing=passing)
