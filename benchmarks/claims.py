"""A claim of a benchmark and what was found: the last lines that each one prints."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """One claim and what was found; what was found should be no less."""

    name: str
    got: float
    want: float

    @property
    def holds(self) -> bool:
        """Whether what was found is no less than what is claimed."""
        return self.got >= self.want

    def __str__(self) -> str:
        return f"ratio {self.name} {self.got:.2f} {self.want:g}"
