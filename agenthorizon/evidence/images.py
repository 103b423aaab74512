"""Opens what desktop recorders write and turns it into the picture a View asks for: file → RGB pixels → bytes.

A picture is whole or it is a failure: a file cut short is never shown half black. What the viewer of the desktop saw is
what comes out: turned upright, first frame, transparency over white, 16-bit grey scaled, no metadata.
"""

import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from PIL import ExifTags, Image

from agenthorizon.case import View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.pixels import Pixels, best
from agenthorizon.evidence.safe_text import safe_text
from agenthorizon.files.regular_file import open_regular

PIPELINE = "3"
"""Version of what is done to a picture; raised whenever the same file would come out differently."""

MAX_PIXELS = 80_000_000
"""Larger pictures are refused before decoding. Two 8K screens side by side have 66 million; from 89 million on Pillow
itself would warn."""

MAX_BYTES = 1 << 29
"""Larger files are refused. The largest picture that is decoded has 320 MB uncompressed, in 8 bits with alpha."""

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""What is opened; Pillow knows many more, some of which start other programs."""

_HEADER_BYTES = 16
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""How to turn a picture upright, by its EXIF orientation."""
_SIDEWAYS = (5, 6, 7, 8)

# What Pillow's readers raise for damaged files: each has its own way of noticing.
DAMAGE = (
    OSError,
    EOFError,
    SyntaxError,
    ValueError,
    LookupError,
    TypeError,
    ArithmeticError,
    AttributeError,
    RuntimeError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,  # raised where warnings are errors
)


@dataclass(frozen=True)
class Encoded:
    """A picture as it is sent."""

    data: bytes
    size: tuple[int, int]
    """Width and height in pixels."""


def read(path: Path) -> Image.Image:
    """Return a file's picture, RGB, in its recorded size. Raises JudgeFailure (class evidence)."""
    return fitted(file_bytes(path), None, path.name)


def measure(path: Path) -> tuple[int, int]:
    """Decode a file's picture and return its width and height as a viewer shows it. Raises as `read` does."""
    return read(path).size


def recorded_size(path: str | Path, name: str = "") -> tuple[int, int]:
    """Return a file's width and height as a viewer shows it, from its header. Raises JudgeFailure (class evidence).

    Where a PNG says only after its pixels that it is turned, the header does not know.
    """
    with failing_as_evidence(name or Path(path).name), open_regular(path) as file:
        image = identified(file)
        return _turned(image.size, _orientation(image))


def file_bytes(path: str | Path, name: str = "") -> bytes:
    """Return a file's bytes. Raises JudgeFailure (class evidence), which calls it by a name: its own if not given."""
    with failing_as_evidence(name or Path(path).name), open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_BYTES:
            raise ValueError(f"{size:,} bytes, which no picture has that would be decoded")
        return file.read(size)


def fitted(data: bytes, box: tuple[int, int] | None, name: str, pixels: Pixels | None = None) -> Image.Image:
    """Return the picture of a file's bytes, RGB, upright, shrunk into a box of width and height.

    Args:
        data: The whole file.
        box: None leaves its size; a picture that fits already is not enlarged.
        name: What a failure calls it.
        pixels: How to decode and shrink; the fastest installed way if not given.

    Raises JudgeFailure (class evidence) when it is not a whole picture.
    """
    with failing_as_evidence(name):
        image = identified(BytesIO(data))
        recorded = image.size
        if recorded[0] * recorded[1] > MAX_PIXELS:
            raise ValueError(f"{recorded[0]}×{recorded[1]} pixels, at most {MAX_PIXELS:,} are decoded")
        return _prepared(image, data, box, pixels or best())


def fitted_size(size: tuple[int, int], box: tuple[int, int] | None) -> tuple[int, int]:
    """Return the width and height that a picture of a size has when shrunk into a box."""
    width, height = size
    scale = min(box[0] / width, box[1] / height) if box else 1
    if scale >= 1:
        return size
    return max(1, round(width * scale)), max(1, round(height * scale))


def encode(image: Image.Image, view: View, name: str = "screenshot") -> bytes:
    """Return the file to send. Raises JudgeFailure (class evidence) when its format cannot hold the picture."""
    buffer = BytesIO()
    with failing_as_evidence(name, f"cannot be written as {view.format}"):
        if view.format == "png":
            image.save(buffer, "PNG")
        elif view.format == "webp":
            # Pillow's own choice, 4, takes 1.7 times as long and saves a thirtieth of the bytes.
            image.save(buffer, "WEBP", quality=view.quality, method=2)
        else:
            image.save(buffer, view.format, quality=view.quality)
    return buffer.getvalue()


def media_type(view: View) -> str:
    """Return the MIME type of what `encode` writes."""
    return f"image/{view.format}"


def _prepared(image: Image.Image, data: bytes, box: tuple[int, int] | None, pixels: Pixels) -> Image.Image:
    recorded = image.size
    # Whether it lies on its side may be known only when it is decoded; until then it must be large enough for both.
    upright, lying = fitted_size(recorded, box), fitted_size(recorded[::-1], box)
    decoded = pixels.decoded(image, data, (max(upright[0], lying[1]), max(upright[1], lying[0])))
    orientation = _orientation(image)
    size = _turned(fitted_size(_turned(recorded, orientation), box), orientation)
    shrunk = pixels.shrunk(decoded, size)
    turn = _TURNS.get(orientation)
    rgb = (shrunk if turn is None else shrunk.transpose(turn)).convert("RGB")
    rgb.info.clear()  # else colour profile, comment and resolution would be written into the next file
    return rgb


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation, 1 when it stands upright, from what was read of the file so far.

    The method of the base class is called because a PNG's own would decode the whole picture to look behind it.
    """
    orientation: int = Image.Image.getexif(image).get(ExifTags.Base.Orientation, 1)
    return orientation


def _turned(size: tuple[int, int], orientation: int) -> tuple[int, int]:
    """Return width and height after or before turning a picture."""
    return size[::-1] if orientation in _SIDEWAYS else size


@contextmanager
def failing_as_evidence(name: str, what: str = "cannot be read as a picture") -> Iterator[None]:
    """Turn any sign of damage into a failure whose message names the file but not where it lies."""
    try:
        yield
    except DAMAGE as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        message = f"{safe_text(name, keep_newlines=False)} {what}: {reason}"
        raise JudgeFailure("evidence", message, passing=False) from error


def identified(file: BinaryIO) -> Image.Image:
    """Return the picture with its header read and nothing decoded.

    Image.open would do, but it warns of large pictures before their size can be looked at, and silencing a warning
    is not safe where several threads decode.
    """
    Image.init()
    header = file.read(_HEADER_BYTES)
    for name in FORMATS:
        factory, accepts = Image.OPEN.get(name, (None, None))
        # `accepts` answers with a text where Pillow was built without the codec.
        if factory and accepts and accepts(header) is True:
            file.seek(0)
            return factory(file, "")
    raise ValueError(f"it is empty or not one of {', '.join(FORMATS)}")
