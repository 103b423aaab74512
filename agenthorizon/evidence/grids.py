"""The pictures of a request: a screenshot alone, or several merged into a grid that is read row by row.

A grid is always whole: cells without a screenshot are grey, crossed out and say so, for a black one would look like a
screenshot of a dark desktop.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from agenthorizon.case import Picture, View
from agenthorizon.evidence import images
from agenthorizon.evidence.images import Encoded
from agenthorizon.evidence.pictures import Pictures

LAYOUT = "1"
"""Version of how a grid is drawn; raised whenever the same screenshots would come out differently."""

_GROUND = (200, 200, 200)
_CROSS = (120, 120, 120)
_LABEL_HEIGHT = 22


@dataclass(frozen=True)
class Alone:
    """One screenshot."""

    number: int
    picture: Picture
    view: View | None = None
    """How it is seen; None leaves it as it was made."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of its step."""
        return (self.number,)

    @property
    def across(self) -> int:
        """One."""
        return 1

    @property
    def size(self) -> tuple[int, int] | None:
        """The box it fits into, in pixels."""
        return self.view.fit if self.view else None

    def encoded(self) -> bytes:
        """Return the bytes to send. Raises JudgeFailure (class evidence)."""
        return (self.picture.seen(self.view) if self.view else self.picture).encoded()


@dataclass(frozen=True)
class Manner:
    """How screenshots become the pictures of a request."""

    across: int
    """Screenshots in a row and in a column; 1 for each alone."""
    view: View
    """How each screenshot is seen; its box, which grids need, is the cell."""
    number_tiles: bool = False
    """Whether its step's number is drawn on every cell."""


@dataclass(frozen=True)
class Grid:
    """Up to across² screenshots, row by row; each is fitted into its cell and stands in the middle of it."""

    numbers: tuple[int, ...]
    pictures: tuple[Picture, ...]
    manner: Manner
    kept: Pictures | None = None
    """What keeps it once it is made."""

    @property
    def across(self) -> int:
        """Screenshots in a row and in a column."""
        return self.manner.across

    @property
    def cell(self) -> tuple[int, int]:
        """Width and height of a cell, in pixels."""
        if self.manner.view.fit is None:
            raise ValueError("a grid needs a size for its cells")
        return self.manner.view.fit

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the grid, in pixels."""
        return self.cell[0] * self.across, self.cell[1] * self.across

    def encoded(self) -> bytes:
        """Return the bytes to send. Raises JudgeFailure (class evidence)."""
        if self.kept is None:
            return self._encoded().data
        numbers = self.numbers if self.manner.number_tiles else ()
        how = f"grid {LAYOUT} of {self.across} {numbers} {self.manner.view.model_dump_json()}"
        return self.kept.composed([bytes.fromhex(picture.digest) for picture in self.pictures], how, self._encoded).data

    def _encoded(self) -> Encoded:
        name = f"the grid of steps {self.numbers[0]} to {self.numbers[-1]}"
        return Encoded(images.encode(self.image(), self.manner.view, name), self.size)

    def image(self) -> Image.Image:
        """Return the pixels, RGB."""
        canvas = Image.new("RGB", self.size, _GROUND)
        for index in range(self.across**2):
            row, column = divmod(index, self.across)
            corner = column * self.cell[0], row * self.cell[1]
            if index < len(self.pictures):
                self._place(canvas, corner, index)
            else:
                _cross_out(canvas, corner, self.cell)
        return canvas

    def _place(self, canvas: Image.Image, corner: tuple[int, int], index: int) -> None:
        tile = self.pictures[index].seen(self.manner.view).image()
        inset = (self.cell[0] - tile.width) // 2, (self.cell[1] - tile.height) // 2
        canvas.paste(tile, (corner[0] + inset[0], corner[1] + inset[1]))
        if self.manner.number_tiles:
            _label(canvas, corner, str(self.numbers[index]))


def grids(
    shots: Sequence[tuple[int, Picture]], manner: Manner, kept: Pictures | None = None
) -> tuple[Alone, ...] | tuple[Grid, ...]:
    """Return the pictures for screenshots and their steps' numbers, `across`² a picture."""
    if manner.across == 1:
        return tuple(Alone(number, picture, manner.view) for number, picture in shots)
    groups = [shots[start : start + manner.across**2] for start in range(0, len(shots), manner.across**2)]
    return tuple(
        Grid(tuple(number for number, _ in group), tuple(picture for _, picture in group), manner, kept)
        for group in groups
    )


def _cross_out(canvas: Image.Image, corner: tuple[int, int], cell: tuple[int, int]) -> None:
    draw = ImageDraw.Draw(canvas)
    left, top, right, bottom = *corner, corner[0] + cell[0] - 1, corner[1] + cell[1] - 1
    draw.rectangle((left, top, right, bottom), fill=_GROUND, outline=_CROSS)
    draw.line((left, top, right, bottom), fill=_CROSS, width=2)
    draw.line((left, bottom, right, top), fill=_CROSS, width=2)
    _label(canvas, corner, "empty")


def _label(canvas: Image.Image, corner: tuple[int, int], text: str) -> None:
    draw = ImageDraw.Draw(canvas)
    font = ImageFont.load_default(_LABEL_HEIGHT - 6)
    width = round(draw.textlength(text, font=font)) + 8
    draw.rectangle((*corner, corner[0] + width, corner[1] + _LABEL_HEIGHT), fill=(0, 0, 0))
    draw.text((corner[0] + 4, corner[1] + 1), text, fill=(255, 255, 255), font=font)
