"""Which member of a judge that asks several models failed, and where that one is asked: an error carries it along.

A run and a check know one judge with one address; of a judge made of several, that alone would name the wrong server.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from agenthorizon.errors import causes

_MARK = "agenthorizon_member"


@dataclass(frozen=True)
class Member:
    """One of the models or judges that a judge asks."""

    role: str
    """What it is in that judge, e.g. `the model that describes, m`."""
    address: str | None = None
    """Where it is asked; None where nobody says."""


@contextmanager
def asking(role: str, address: str | None = None) -> Iterator[None]:
    """Have what goes wrong inside name a member, the time running out included; members may have members."""
    try:
        yield
    except BaseException as error:
        mark(error, role, address)
        raise


def mark(error: BaseException, role: str, address: str | None = None) -> None:
    """Have an error name a member, before the member's own that failed, if that is known."""
    inner = member_of(error)
    whole = Member(f"{role}: {inner.role}", inner.address or address) if inner else Member(role, address)
    setattr(error, _MARK, whole)


def member_of(error: BaseException) -> Member | None:
    """Return the member that an error, or what it was raised from, is of; None for a judge's own."""
    found = (getattr(each, _MARK, None) for each in causes(error))
    return next((member for member in found if isinstance(member, Member)), None)
