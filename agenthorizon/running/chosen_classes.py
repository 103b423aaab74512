"""Checks the classes of outcomes that a user names to be asked again: a misspelt one would ask nothing, silently."""

from collections.abc import Collection, Iterable

from agenthorizon.errors import UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.running.failures import CLASSES

STATUSES = ("verdict", "malformed", "failed")
"""What an outcome comes to, whatever its class."""

_MALFORMED = frozenset(
    {"contradictory_success", "cut_answer", "empty_reply", "missing_success", "no_verdict", "not_an_object"}
    | {"success_not_boolean", "too_deep", "verdict_in_list"}
)
"""Rules that a malformed reply breaks."""


def refuse_unknown_classes(
    option: str, named: Collection[str], standing: Iterable[Outcome], more: Collection[str] = ()
) -> None:
    """Raise UsageError for a class that nothing can have.

    A judge of the user's own may raise failures of its own classes; these are known by the outcomes that stand there.
    """
    unknown = set(named) - CLASSES - _MALFORMED - set(more)
    if not unknown:
        return
    unknown -= {outcome.error.kind for outcome in standing if outcome.error}
    if unknown:
        known = ", ".join([*more, *sorted(CLASSES), *sorted(_MALFORMED)])
        raise UsageError(f"{option}: no outcome is of class {', '.join(sorted(unknown))}; known: {known}")
