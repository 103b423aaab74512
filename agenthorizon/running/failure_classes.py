"""The classes of failed attempts and what each of them means: the one table that everything else goes by.

A judge of the user's own may raise a class that is not here. It is asked again when the run goes on if it says that it
passes, may have been billed, and says nothing about an endpoint.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Again = Literal["within the command", "when the run goes on", "no"]
"""When a failure is asked again by itself; `no` is final, and only --retry or rerun ask."""


@dataclass(frozen=True)
class Meaning:
    """What a class of failures means. The defaults are those of a class that nobody knows to be otherwise."""

    again: Again
    may_be_billed: bool = True
    """False where it is refused before anything is done; otherwise, without tokens reported, a cap counts it."""
    endpoint: Literal["asked too much", "faulty"] | None = None
    """What it says about the endpoint, which pace and outages go by; None where it is about the task or the judge."""
    stops_a_judge: bool = False
    """Whether a setting or code is likely wrong where the first tasks all end so; a refusal is about the tasks."""
    has_answer: bool = False
    """Whether there is a reply that another reader may read otherwise."""
    in_own_code: bool = False
    """Whether a mistake in the judge's own code may end so, whose line is then named."""


MEANINGS: Mapping[str, Meaning] = {
    "rate_limited": Meaning("within the command", may_be_billed=False, endpoint="asked too much"),
    "overloaded": Meaning("within the command", may_be_billed=False, endpoint="asked too much"),
    "server": Meaning("within the command", may_be_billed=False, endpoint="faulty"),
    "timeout": Meaning("within the command", endpoint="faulty"),
    "connection": Meaning("within the command", endpoint="faulty"),
    "cut": Meaning("within the command", endpoint="faulty"),
    "unreadable": Meaning("within the command", endpoint="faulty", in_own_code=True),
    "no_answer": Meaning("within the command", has_answer=True),
    "repacked": Meaning("within the command", may_be_billed=False),
    "worker_lost": Meaning("within the command"),
    "crashed": Meaning("when the run goes on", stops_a_judge=True, in_own_code=True),
    "model_error": Meaning("when the run goes on"),
    "refused": Meaning("no", has_answer=True),
    "truncated": Meaning("no", stops_a_judge=True, has_answer=True),
    "too_large": Meaning("no", may_be_billed=False, stops_a_judge=True),
    "bad_request": Meaning("no", may_be_billed=False, stops_a_judge=True),
    "evidence": Meaning("no", may_be_billed=False),
    "turn_limit": Meaning("no"),
    "blind": Meaning("no"),
    "no_pick": Meaning("no"),
}

CLASSES = frozenset(MEANINGS)
FINAL = frozenset(kind for kind, meaning in MEANINGS.items() if meaning.again == "no")
"""All others pass: asking again can help."""
RETRIED = frozenset(kind for kind, meaning in MEANINGS.items() if meaning.again == "within the command")
PUSHED_BACK = frozenset(kind for kind, meaning in MEANINGS.items() if meaning.endpoint == "asked too much")
TRANSPORT = frozenset(kind for kind, meaning in MEANINGS.items() if meaning.endpoint == "faulty")
NOT_BILLED = frozenset(kind for kind, meaning in MEANINGS.items() if not meaning.may_be_billed)
STOPS_A_JUDGE = frozenset(kind for kind, meaning in MEANINGS.items() if meaning.stops_a_judge)
ANSWERED = frozenset(kind for kind, meaning in MEANINGS.items() if meaning.has_answer)
IN_OWN_CODE = frozenset(kind for kind, meaning in MEANINGS.items() if meaning.in_own_code)

STOPPING: Mapping[str, str] = {
    "key": "the endpoint refuses the key or its rights",
    "quota": "the account has no quota left",
    "model": "no such model or address",
}
"""What an error may say that fails no task but stops the judge, since no task could succeed after it."""
