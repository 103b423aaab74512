"""Decodes and shrinks with Pillow: every format and mode. What it makes is the measure for any faster way.

Whichever way is taken, the picture is the same within the rounding of a resampling filter; `fast_pixels.py` is the
other. Which one a run had stands in its config.json under versions.
"""

from dataclasses import dataclass
from functools import cache

import PIL
from PIL import Image

_WHITE = (255, 255, 255)
_ENOUGH = 2.5
"""A JPEG may be decoded at half, a quarter or an eighth of its size while it stays this much larger than what is
wanted. Below, the loss shows: at 1.7 times an SSIM of -0.004, at 2.5 of less than -0.001."""


@dataclass(frozen=True)
class RawPixels:
    """A decoded RGB picture that is not in Pillow's memory, where copying it would cost as much as shrinking it."""

    data: bytes
    """Three bytes a pixel, row by row."""
    size: tuple[int, int]

    def image(self) -> Image.Image:
        """Return it in Pillow's memory."""
        return Image.frombytes("RGB", self.size, self.data)


Decoded = Image.Image | RawPixels


class Pixels:
    """Pillow's way of getting from a file's bytes to shrunk pixels. Keeps no picture; threads may share one."""

    @property
    def name(self) -> str:
        """The packages that do the work and their versions; pixels of equal names are equal."""
        return f"pillow {PIL.__version__}"

    def decoded(self, image: Image.Image, data: bytes, least: tuple[int, int]) -> Decoded:
        """Return the picture of a file, for `shrunk`.

        Args:
            image: The file as Pillow opened it, nothing decoded.
            data: The whole file.
            least: Width and height that are wanted; what comes back is the whole picture, no smaller than this
                unless it was recorded smaller.

        Raises whatever Pillow raises for a damaged file.
        """
        image.draft(image.mode, enough_for(least))
        image.load()
        return image

    def shrunk(self, decoded: Decoded, size: tuple[int, int]) -> Image.Image:
        """Return a picture as a viewer shows it, L or RGB, in a width and height, by Lanczos; not turned upright."""
        image = visible(decoded if isinstance(decoded, Image.Image) else decoded.image())
        return image if image.size == size else image.resize(size, Image.Resampling.LANCZOS)


def enough_for(least: tuple[int, int]) -> tuple[int, int]:
    """Return the smallest width and height at which a JPEG may be decoded that is to have others in the end."""
    return round(least[0] * _ENOUGH), round(least[1] * _ENOUGH)


def visible(image: Image.Image) -> Image.Image:
    """Return a picture of any mode as a viewer shows it, L or RGB: 16-bit grey scaled, transparency over white."""
    if image.mode.startswith("I"):
        image = _eight_bit_grey(image)
    if image.has_transparency_data:
        image = _over_white(image)
    if image.mode in ("L", "RGB"):
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


@cache
def best() -> Pixels:
    """Return the fastest way that is installed."""
    from agenthorizon.evidence.fast_pixels import FastPixels

    return fast if (fast := FastPixels()).is_installed() and fast.works() else Pixels()


@cache
def _sixteen_to_eight() -> list[int]:
    """Return the 8-bit level of every 16-bit one: 65535 is white, so a step has 257."""
    return [(level + 128) // 257 for level in range(65_536)]


def _eight_bit_grey(image: Image.Image) -> Image.Image:
    """Scale 16-bit grey; Pillow's own conversion clips, which makes nearly everything white."""
    scaled = image.convert("I").point(_sixteen_to_eight(), "L")
    scaled.info.pop("transparency", None)  # a grey level of the old scale
    return scaled


def _over_white(image: Image.Image) -> Image.Image:
    layer = image.convert("RGBA")
    canvas = Image.new("RGB", layer.size, _WHITE)
    canvas.paste(layer, mask=layer.getchannel("A"))
    return canvas
