"""A scenario: two instructions that differ in little, how each is done, and what must then be on disk."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from desk import Desk

CRITICAL = "Critical Mistake"
SIDE_EFFECT = "Bad Side Effect"
MISUNDERSTANDING = "Misunderstanding of the Instruction"


@dataclass(frozen=True)
class Side:
    """One of the two instructions of a pair."""

    instruction: str
    choice: Any
    """What `perform` does differently for it."""
    artefact: Any
    """What the scenario's `artefact` returns when the instruction was carried out, as JSON would hold it."""
    mistake: str
    """Mistake type when the other side's recording is judged by this instruction."""
    because: str
    """The rubric's reason for that type."""


class Scenario(ABC):
    """One instruction pair. Both sides start from the same prepared home folder."""

    name: ClassVar[str]
    category: ClassVar[str]
    """The domain, one of the paper's six."""
    applications: ClassVar[tuple[str, ...]]
    differs: ClassVar[str]
    """What differs between the two recordings, and where it can be seen."""
    a: ClassVar[Side]
    b: ClassVar[Side]

    @abstractmethod
    def prepare(self, home: Path) -> None:
        """Put the files in place that the user finds."""

    @abstractmethod
    def perform(self, desk: Desk, choice: Any) -> None:
        """Do the work on the screen."""

    @abstractmethod
    def artefact(self, home: Path) -> Any:
        """Read from disk what the work left, in terms that tell the two sides apart."""

    def sides(self) -> dict[str, Side]:
        """Return both sides by their letters."""
        return {"a": self.a, "b": self.b}
