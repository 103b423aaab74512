"""Reads kept replies anew with the present reader. Nothing is asked and nothing paid; what changes is appended."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenthorizon.errors import Complaint, DataError, JudgeFailure, RunStopped
from agenthorizon.judge import Reply
from agenthorizon.outcome import Outcome
from agenthorizon.running.failure_classes import ANSWERED
from agenthorizon.running.failures import failure
from agenthorizon.running.reading import Ending, failed, read_reply
from agenthorizon.running.run_folder import RunFolder
from agenthorizon.running.store import read_run, read_transcript
from agenthorizon.verdict import READER


@dataclass(frozen=True)
class Reread:
    """What reading anew changed."""

    replies: int
    changed: tuple[tuple[Outcome, Outcome], ...]
    """Before and after."""
    without: int
    """Outcomes whose reply is gone or cannot be read."""


def reread(folder: Path) -> Reread:
    """Read the reply of every outcome that counts, and append those that are read otherwise now.

    The new line has the attempt's number, telemetry and evidence, and says `reread: true`. An attempt that failed for
    another reason than its text stays as it is. Raises UsageError when another process writes to the run.
    """
    config = read_run(folder).config | {"reader": READER}
    replies = without = 0
    changed = []
    with RunFolder(folder, config, rereads=True) as opened:
        for outcome in list(opened.latest.values()):
            if outcome.status == "failed" and not (outcome.error and outcome.error.kind in ANSWERED):
                continue
            try:
                kept = read_transcript(folder, outcome)
            except DataError:
                without += 1
                continue
            replies += 1
            if kept.get("failure"):
                continue  # of a failure beside the text, the text says nothing
            anew = _read(outcome, kept)
            if _compared(anew) != _compared(outcome):
                opened.append(anew, None)
                changed.append((outcome, anew))
    return Reread(replies, tuple(changed), without)


def _read(outcome: Outcome, kept: dict[str, Any]) -> Outcome:
    ending = _ending_of(Reply(text=kept.get("text"), finish=kept.get("finish")))
    fields = outcome.model_dump(by_alias=True, exclude={"status", "verdict", "error", "at"})
    return Outcome(**fields | {"reread": True}, status=ending.status, verdict=ending.verdict, error=ending.error)


def _ending_of(reply: Reply) -> Ending:
    try:
        return read_reply(reply)
    except (Complaint, JudgeFailure) as error:
        try:
            cause = failure(error)
        except RunStopped as stopped:  # no run to stop here; once that is mended, asking again can help
            return failed(stopped.code, str(stopped), passing=True)
        return failed(cause.code, str(cause), passing=cause.passing)


def _compared(outcome: Outcome) -> tuple[Any, ...]:
    return outcome.status, outcome.verdict, outcome.error and outcome.error.kind
