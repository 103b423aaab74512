"""What trying a judge or a harness out says: one thing after another that works or does not."""

from typing import NamedTuple


class Tried(NamedTuple):
    """One thing that works or does not."""

    ok: bool
    what: str
