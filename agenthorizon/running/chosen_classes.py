"""Checks the classes of outcomes that a user names to be asked again: a misspelt one would ask nothing, silently."""

from collections.abc import Collection, Iterable

from agenthorizon.errors import UsageError, did_you_mean
from agenthorizon.outcome import Outcome
from agenthorizon.running.failure_classes import CLASSES
from agenthorizon.verdict import MALFORMED_CODES

STATUSES = ("verdict", "malformed", "failed")
"""What an outcome comes to, whatever its class."""


def refuse_unknown_classes(
    option: str, named: Collection[str], standing: Iterable[Outcome], more: Collection[str] = ()
) -> None:
    """Raise UsageError for a class that nothing can have.

    A judge of the user's own may raise failures of its own classes; these are known by the outcomes that stand there.
    """
    unknown = set(named) - CLASSES - MALFORMED_CODES - set(more)
    if not unknown:
        return
    unknown -= {outcome.error.kind for outcome in standing if outcome.error}
    if unknown:
        known = [*more, *sorted(CLASSES), *sorted(MALFORMED_CODES)]
        wrong = sorted(unknown)
        near = did_you_mean(wrong[0], known) or ";"
        raise UsageError(f"{option}: no outcome is of class {', '.join(wrong)}{near} known: {', '.join(known)}")
