"""Grids: where each screenshot stands, and what an unused cell looks like."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from agenthorizon.case import View
from agenthorizon.evidence.grids import Alone, Grid, Manner, grids
from agenthorizon.evidence.images import encode, fitted_size

COLOURS = ["red", "lime", "blue", "yellow", "cyan", "magenta", "black", "white", "orange"]


class Painted:
    """A screenshot of one colour."""

    def __init__(self, colour, size=(1024, 664), view=None):
        self.colour, self.size, self.view = colour, size, view or View()

    def seen(self, view):
        return Painted(self.colour, self.size, view)

    def image(self):
        return Image.new("RGB", fitted_size(self.size, self.view.fit), self.colour)

    def encoded(self):
        return encode(self.image(), self.view)


def painted(count, **changes):
    return [(10 + index, Painted(COLOURS[index], **changes)) for index in range(count)]


@pytest.mark.parametrize("across", [2, 3])
def test_screenshots_stand_row_by_row(across):
    (grid,) = grids(painted(across**2), Manner(across, View(), False))
    image = grid.image()
    centres = [(512 * column + 256, 332 * row + 166) for row in range(across) for column in range(across)]
    expected = [Image.new("RGB", (1, 1), colour).getpixel((0, 0)) for colour in COLOURS[: across**2]]
    assert image.size == (512 * across, 332 * across)
    assert [image.getpixel(centre) for centre in centres] == expected


def test_unused_cell_is_neither_black_nor_plain():
    (grid,) = grids(painted(1), Manner(2, View(), False))
    cell = np.asarray(grid.image().crop((512, 332, 1024, 664)))
    assert cell.mean() > 150
    assert len(np.unique(cell.reshape(-1, 3), axis=0)) > 2


def test_screenshot_of_another_shape_keeps_it_in_the_middle_of_its_cell():
    (grid,) = grids(painted(1, size=(600, 1200)), Manner(2, View(), False))
    cell = grid.image().crop((0, 0, 512, 332))
    red = [x for x in range(512) if cell.getpixel((x, 166)) == (255, 0, 0)]
    assert len(red) == 166
    assert abs(red[0] + red[-1] - 511) <= 1


def test_numbers_are_drawn_only_when_asked_for():
    plain, numbered = (grids(painted(4), Manner(2, View(), drawn))[0].image() for drawn in (False, True))
    corner = (2, 2)
    assert (plain.getpixel(corner), numbered.getpixel(corner)) == ((255, 0, 0), (0, 0, 0))
    assert plain.crop((100, 100, 512, 332)).tobytes() == numbered.crop((100, 100, 512, 332)).tobytes()


def test_grid_is_encoded_in_the_format_asked_for():
    (grid,) = grids(painted(2), Manner(2, View(format="webp"), False))
    with Image.open(BytesIO(grid.encoded())) as image:
        assert (image.format, image.size) == ("WEBP", (1024, 664))


def test_grid_without_a_cell_size_is_refused():
    with pytest.raises(ValueError, match="size for its cells"):
        _ = Grid((1,), (Painted("red"),), Manner(2, View(fit=None))).size


def test_screenshot_alone_takes_the_planned_size():
    with Image.open(BytesIO(Alone(1, Painted("red"), View(fit=(100, 100))).encoded())) as image:
        assert max(image.size) == 100


def test_shipped_screenshots_are_all_in_their_grids(demo: Path):
    from agenthorizon.source import load

    bench = load(str(demo))
    task = max(bench, key=lambda task: len(task.trajectory.steps))
    files = [shot.path for shot in bench.screenshots(task) if shot.path]
    from agenthorizon.evidence.blind import build_case
    from agenthorizon.evidence.pictures import Pictures

    case = build_case(task, bench.screenshots(task), View(), "", Pictures()).case
    made = grids([(s.number, s.picture) for s in case.steps if s.picture], Manner(2, View(), False))
    wrong = []
    for index, file in enumerate(files):
        row, column = divmod(index % 4, 2)
        cell = made[index // 4].image().crop((column * 512, row * 332, column * 512 + 512, row * 332 + 332))
        with Image.open(file) as opened:
            own = opened.convert("RGB")
        own.thumbnail((512, 332), Image.Resampling.LANCZOS)
        left, top = (512 - own.width) // 2, (332 - own.height) // 2
        difference = np.asarray(cell.crop((left, top, left + own.width, top + own.height)), int) - np.asarray(own, int)
        if np.abs(difference).mean() > 3:
            wrong.append((index, float(np.abs(difference).mean())))
    assert wrong == []
