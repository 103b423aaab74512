"""Decodes and shrinks with the packages of the extra `fast`, three times as fast as Pillow on the usual screenshot.

imgread decodes an 8-bit RGB PNG and simplejpeg an RGB JPEG, bit for bit as Pillow does; cykooz-resizer shrinks by the
same Lanczos filter with vector instructions. They let other threads run meanwhile. Whatever is not plainly such a file,
and whatever they refuse, is Pillow's to decode or to refuse.
"""

import threading
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from PIL import Image, ImageChops

from agenthorizon.evidence.pixels import Decoded, Pixels, RawPixels, enough_for, visible
from agenthorizon.evidence.png import SIGNATURE, chunks

_RGB_8_BIT = bytes((8, 2, 0, 0, 0))
"""Bit depth, colour type, compression, filter and interlacing as they stand in a PNG's header."""
# Chunks that change what is seen (a colour that is transparent, frames) or may say how the picture is turned.
_BEFORE_PIXELS = frozenset({b"tRNS", b"acTL", b"fcTL"})
_AFTER_PIXELS = frozenset({b"eXIf", b"tEXt", b"zTXt", b"iTXt"})


_MOST_RAW = 20_000_000
"""Pixels of a picture that is handed over outside Pillow's memory, which takes a copy more."""


class FastPixels(Pixels):
    """The way of the extra `fast`. Pillow's wherever that is the only one."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    @staticmethod
    def is_installed() -> bool:
        """Whether pictures can be shrunk so. Where a decoder is not built for the system, Pillow's is used."""
        return find_spec("cykooz_resizer") is not None

    def works(self) -> bool:
        """Whether the resizer gets on with this Pillow, into whose memory it reaches."""
        try:
            shrunk = self.shrunk(Image.new("RGBA", (8, 8), (0, 255, 0, 255)), (4, 4))
        except Exception:  # noqa: BLE001  whatever it is, Pillow alone will do
            return False
        return shrunk.getcolors() == [(16, (0, 255, 0))]

    @cached_property
    def name(self) -> str:
        """The packages that do the work and their versions."""
        return ", ".join([super().name, *(f"{package} {version(package)}" for package in self._packages)])

    @cached_property
    def _packages(self) -> tuple[str, ...]:
        return ("cykooz-resizer", *(package for package in ("imgread", "simplejpeg") if find_spec(package)))

    def decoded(self, image: Image.Image, data: bytes, least: tuple[int, int]) -> Decoded:
        """Return the picture of a file; see `Pixels`."""
        return self._raw(image, data, least) or super().decoded(image, data, least)

    def shrunk(self, decoded: Decoded, size: tuple[int, int]) -> Image.Image:
        """Return a picture in a width and height; see `Pixels`."""
        # Where black lies beside white everywhere, the order of two passes shows: Pillow's is the measure.
        if decoded.size == size or (isinstance(decoded, Image.Image) and decoded.mode == "1"):
            return super().shrunk(decoded, size)
        if isinstance(decoded, RawPixels):
            return self._resized_raw(decoded, size)
        if decoded.has_transparency_data and not decoded.mode.startswith("I"):
            return self._resized_over_white(decoded if decoded.mode == "RGBA" else decoded.convert("RGBA"), size)
        image = visible(decoded)
        return self._resized(image, size, image.mode)

    def _raw(self, image: Image.Image, data: bytes, least: tuple[int, int]) -> RawPixels | None:
        """Return the pixels of the two kinds of file that are decoded here; None for others, and for damaged ones."""
        if image.mode != "RGB" or image.width * image.height > _MOST_RAW:
            return None
        decode = None
        if image.format == "PNG" and _is_plain_png(data):
            decode = self._decoder("imgread", "load_numpy_from_bytes")
        elif image.format == "JPEG" and not _may_be_halved(image.size, least):
            decode = self._decoder("simplejpeg", "decode_jpeg")
        if decode is None:
            return None
        try:
            pixels = decode(data)
        except (ValueError, RuntimeError):
            return None
        return RawPixels(pixels.tobytes(), (pixels.shape[1], pixels.shape[0]))

    def _decoder(self, package: str, function: str) -> Any:
        with suppress(ImportError):
            return getattr(import_module(package), function) if package in self._packages else None
        return None

    def _resized(self, image: Image.Image, size: tuple[int, int], mode: str) -> Image.Image:
        smaller = Image.new(mode, size)
        self._resizer.resize_pil(image, smaller, self._lanczos)
        return smaller

    def _resized_over_white(self, image: Image.Image, size: tuple[int, int]) -> Image.Image:
        """Return an RGBA picture on white.

        A negative on black is the negative of the picture on white, and black needs no adding: the resizer's
        multiplication by opacity is all there is to do.
        """
        from cykooz_resizer import AlphaMulDiv

        negative = ImageChops.invert(image)
        negative.putalpha(image.getchannel("A"))
        AlphaMulDiv().multiply_alpha_pil_inplace(negative)
        smaller = self._resized(negative, size, "RGBa")
        return ImageChops.invert(Image.merge("RGB", smaller.split()[:3]))

    def _resized_raw(self, pixels: RawPixels, size: tuple[int, int]) -> Image.Image:
        from cykooz_resizer import ImageData, PixelType

        smaller = ImageData(*size, PixelType.U8x3)
        self._resizer.resize(ImageData(*pixels.size, PixelType.U8x3, pixels.data), smaller, self._lanczos)
        return Image.frombytes("RGB", size, smaller.get_buffer())

    @property
    def _resizer(self) -> Any:
        """The resizer of this thread, with the memory it worked in last time."""
        from cykooz_resizer import Resizer

        if not hasattr(self._of_thread, "resizer"):
            self._of_thread.resizer = Resizer()
        return self._of_thread.resizer

    @cached_property
    def _lanczos(self) -> Any:
        from cykooz_resizer import FilterType, ResizeAlg, ResizeOptions

        return ResizeOptions(resize_alg=ResizeAlg.convolution(FilterType.lanczos3), use_alpha=False)


def _may_be_halved(size: tuple[int, int], least: tuple[int, int]) -> bool:
    """Whether Pillow would decode a JPEG in a fraction of its size, which is faster still."""
    enough = enough_for(least)
    return size[0] >= 2 * enough[0] and size[1] >= 2 * enough[1]


def _is_plain_png(data: bytes) -> bool:
    return data.startswith(SIGNATURE) and data[24:29] == _RGB_8_BIT and _is_still(data)


def _is_still(data: bytes) -> bool:
    """Whether a PNG is one opaque picture whose orientation, if any, stands before its pixels."""
    forbidden = _BEFORE_PIXELS
    try:
        for kind, _ in chunks(data, checked=False):
            if kind in forbidden:
                return False
            if kind == b"IDAT":
                forbidden = _BEFORE_PIXELS | _AFTER_PIXELS
    except ValueError:
        return False
    return True
