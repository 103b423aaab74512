"""What a source's coordinates count (pixels, 0 to 1, 0 to 1000), turned into pixels of the picture."""

from dataclasses import dataclass
from typing import Any, TypeGuard

FAR = 10**7
"""No screen is that large; a number beyond it is no coordinate."""


@dataclass(frozen=True)
class Scale:
    """One source's unit of coordinates, for pictures of one size."""

    full: float | None = None
    """The coordinate of the far edge, 1 or 1000; None: coordinates are pixels already."""
    size: tuple[int, int] | None = None
    """Width and height in pixels of the picture that the coordinates are of."""

    @property
    def unit(self) -> str | None:
        """How to name the unit of coordinates that cannot be turned into pixels, since no size is known."""
        return f"0 to {self.full:g} of the picture" if self.full is not None and self.size is None else None

    def x(self, value: float) -> float:
        """Return a horizontal coordinate in pixels: a whole number inside the picture, where a size is known."""
        return self._pixels(value, 0)

    def y(self, value: float) -> float:
        """Return a vertical coordinate in pixels."""
        return self._pixels(value, 1)

    def dx(self, value: float) -> float:
        """Return a horizontal distance in pixels."""
        return self._distance(value, 0)

    def dy(self, value: float) -> float:
        """Return a vertical distance in pixels."""
        return self._distance(value, 1)

    def _pixels(self, value: float, axis: int) -> float:
        """Return the pixel that holds the point, as PyAutoGUI cuts off fractions too."""
        if self.full is None:
            return int(value)
        if self.size is None:
            return value
        # The far edge itself (1.0) is one past the last pixel.
        return min(int(value / self.full * self.size[axis]), self.size[axis] - 1)

    def _distance(self, value: float, axis: int) -> float:
        if self.full is None:
            return round(value)
        return value if self.size is None else round(value / self.full * self.size[axis])


PIXELS = Scale()


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a recorded value can be a coordinate or a count: a finite number of a sensible size."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -FAR < value < FAR
