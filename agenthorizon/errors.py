"""The vocabulary of failures. It imports nothing of ours, so that everything may import it.

AgentHorizonError
├── UsageError              the command or call itself is wrong
│   ├── MissingExtra        an optional package is needed; the message names the extra
│   └── BrokenPlugin        what another package adds cannot be loaded; the message names the package
├── DataError               a data set, label file or result file is broken; carries every fault found
├── MalformedVerdict        a reply that holds no verdict
├── JudgeFailure            one attempt at one task failed; final or passing
├── Complaint               what a server or a command-line tool said instead of an answer, not yet classed
└── RunStopped              the whole run cannot go on (key, quota, disk, cap)
"""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal


class AgentHorizonError(Exception):
    """Anything this package reports to its user on purpose."""


class UsageError(AgentHorizonError):
    """The command, call or setting is wrong; the message says what would be right."""


class MissingExtra(UsageError):
    """An optional dependency is absent."""

    def __init__(self, what: str, extra: str, cause: str = "") -> None:
        because = f" ({cause})" if cause else ""
        install = f"in the clone, pip install -e '.[{extra}]'; of a wheel, pip install 'FILE.whl[{extra}]'"
        super().__init__(f"{what} needs an optional package{because}: {install}")
        self.extra = extra


class BrokenPlugin(UsageError):
    """What another package adds cannot be imported."""


@dataclass(frozen=True)
class Finding:
    """One fact about one place in a data set: a fault in a DataError, otherwise a warning."""

    code: str
    """Short snake_case name of the kind, e.g. `missing_screenshot`."""
    file: str
    """The file it was found in, as the user would name it."""
    line: int | None = None
    """1-based line of a JSONL file."""
    index: int | None = None
    """0-based position of the step, where it concerns one."""
    fields: tuple[str, ...] = ()
    """Names of the JSON fields concerned."""
    detail: str = ""
    """What was found and what was expected."""

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        step = "" if self.index is None else f" step {self.index}"
        fields = f" [{', '.join(self.fields)}]" if self.fields else ""
        detail = f": {self.detail}" if self.detail else ""
        return f"{where}{step} {self.code}{fields}{detail}"


class DataError(AgentHorizonError):
    """Data that cannot be used as it is. `faults` has every one found, not only the first."""

    SHOWN = 20

    def __init__(self, message: str, faults: Iterable[Finding] = ()) -> None:
        self.faults = tuple(faults)
        lines = [message, *(f"  {fault}" for fault in self.faults[: self.SHOWN])]
        if len(self.faults) > self.SHOWN:
            lines.append(f"  … and {len(self.faults) - self.SHOWN} more")
        super().__init__("\n".join(lines))


MalformedCode = Literal[
    "contradictory_success", "cut_answer", "empty_reply", "missing_success", "no_verdict", "not_an_object",
    "success_not_boolean", "too_deep", "verdict_in_list",
]  # fmt: skip
"""The rules that a reply may break."""


class MalformedVerdict(AgentHorizonError):
    """A reply from which no verdict can be read. `code` names the rule it broke."""

    def __init__(self, code: MalformedCode, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


class JudgeFailure(AgentHorizonError):
    """One attempt at one task that gave no reply to read.

    `code` is the class written into the outcome (e.g. `rate_limited`, `refused`, `evidence`);
    `passing` says whether asking again can help; `retry_after` is the wait a server asked for, in seconds; `step`
    is the number of the step, from 1, whose screenshot it is about.
    """

    def __init__(
        self, code: str, message: str, *, passing: bool, retry_after: float | None = None, step: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.passing = passing
        self.retry_after = retry_after
        self.step = step


class Complaint(AgentHorizonError):
    """What a server or a command-line tool said instead of an answer; `running.failures` decides what it means.

    For errors that come without an exception of their own: an error object under status 200, a tool that ends with an
    error text. `status_code` is the HTTP status it speaks of, None for a tool that names none.
    """

    def __init__(self, message: str, *, status_code: int | None = None) -> None:
        super().__init__(message)
        self.status_code = status_code


class RunStopped(AgentHorizonError):
    """A condition under which no task of the run can succeed; what was written stays good."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


_NEAR = 0.7
"""How alike names must be for one to be offered for the other; less, and it is a guess that misleads."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean X?` for the known name nearest to one that is not; nothing where none is near."""
    plain = {each.lower().replace("-", "_"): each for each in known}
    close = difflib.get_close_matches(name.lower().replace("-", "_"), plain, n=1, cutoff=_NEAR)
    return f"; did you mean {plain[close[0]]}?" if close else ""


_DEEPEST = 8
"""Errors looked at behind one another; a chain may be a ring."""


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, what it was raised from or while handling, and so on."""
    found: BaseException | None = error
    for _ in range(_DEEPEST):
        if found is None:
            return
        yield found
        found = found.__cause__ or found.__context__
