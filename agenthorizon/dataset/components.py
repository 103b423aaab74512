"""Groups of names that are joined two by two, however long the way from one to the other: union-find."""

from collections.abc import Callable
from typing import Any


class Components:
    """Every name is a group of its own until it is joined with another."""

    def __init__(self, rank: Callable[[str], Any] = str) -> None:
        """Take what orders names: a group is called by the lowest of its own."""
        self._rank = rank
        self._above: dict[str, str] = {}

    def join(self, one: str, other: str) -> None:
        """Make one group of those that two names are in."""
        first, second = sorted((self.of(one), self.of(other)), key=self._rank)
        self._above[second] = first

    def of(self, name: str) -> str:
        """Return the name of the group that a name is in."""
        above = self._above
        while (higher := above.setdefault(name, name)) != name:
            above[name] = name = above[higher]
        return name
