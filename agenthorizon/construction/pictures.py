"""Looks at every screenshot file of a data set once, several at a time: is it readable, how large, with what inside?"""

import hashlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import ExifTags

from agenthorizon.construction import png
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence import images
from agenthorizon.evidence.decoding import decoding_threads
from agenthorizon.evidence.png import SIGNATURE

Progress = Callable[[int, int, str], None]
"""Called after every record and every file with how many are done, how many there are, and what they are."""

_PLAIN_INFO = frozenset(
    {
        "adobe",
        "adobe_transform",
        "aspect",
        "background",
        "chromaticity",
        "compression",
        "dpi",
        "duration",
        "extension",
        "gamma",
        "icc_profile",
        "interlace",
        "jfif",
        "jfif_density",
        "jfif_unit",
        "jfif_version",
        "loop",
        "progression",
        "progressive",
        "srgb",
        "transparency",
        "version",
    }
)
"""What Pillow reports that only says how pixels look or move."""

_PLAIN_TAGS = frozenset(
    {
        "ColorSpace",
        "Orientation",
        "ResolutionUnit",
        "XResolution",
        "YCbCrPositioning",
        "YResolution",
    }
)


@dataclass(frozen=True)
class PictureFacts:
    """What one file turned out to be."""

    size: tuple[int, int] | None
    """Width and height, turned upright; None where the file cannot be read."""
    digest: str
    """SHA-256 of the file."""
    fault: str | None = None
    """Why it cannot be read as a picture."""
    embedded: tuple[str, ...] = ()
    """Texts and times that the file carries besides its pixels."""


def look(paths: Iterable[Path], *, decode: bool = True, progress: Progress | None = None) -> dict[Path, PictureFacts]:
    """Look at every file once.

    With `decode` each is decoded as it would be for a judge. Without, a PNG is read whole and its checksums are
    verified, which finds any byte that changed after it was written, in a thirtieth of the time; other formats have
    no checksums and are decoded all the same. Pillow and hashlib let other threads run meanwhile.
    """
    wanted = list(dict.fromkeys(paths))
    found: dict[Path, PictureFacts] = {}
    pool = ThreadPoolExecutor(decoding_threads())
    try:
        for path, facts in zip(wanted, pool.map(lambda path: facts_of(path, decode), wanted), strict=True):
            found[path] = facts
            if progress:
                progress(len(found), len(wanted), "screenshots")
    finally:
        pool.shutdown(cancel_futures=True)  # or an interrupt would wait for every file left
    return found


def facts_of(path: Path, decode: bool = True) -> PictureFacts:
    """Look at one file, read once and no more of it than a picture may have; never raises."""
    try:
        data = images.file_bytes(path)
    except JudgeFailure as error:
        return PictureFacts(None, "", str(error))
    return facts_in(data, path.name, decode)


def facts_in(data: bytes, name: str, decode: bool = True) -> PictureFacts:
    """Look at the bytes of one file; `name` is what a fault calls it. Never raises."""
    digest = hashlib.sha256(data).hexdigest()
    is_png = data.startswith(SIGNATURE)
    embedded = png.embedded(data) if is_png else _embedded(data)
    try:
        size = _by_checksums(data) if is_png and not decode else images.fitted(data, None, name).size
    except (JudgeFailure, ValueError) as error:
        return PictureFacts(None, digest, str(error), tuple(embedded))
    return PictureFacts(size, digest, None, tuple(embedded))


def _by_checksums(data: bytes) -> tuple[int, int]:
    width, height = png.size_by_checksums(data)
    if not 0 < width * height <= images.MAX_PIXELS:
        raise ValueError(f"{width}×{height} pixels, at most {images.MAX_PIXELS:,} are decoded")
    return width, height


def _embedded(data: bytes) -> list[str]:
    """Return the texts, tags and comments of a file that is not PNG."""
    found: list[str] = []
    with suppress(*images.DAMAGE):  # damage is the decoder's to report
        image = images.identified(BytesIO(data))
        for key, value in image.info.items():
            if key not in _PLAIN_INFO and key != "exif":
                found.append(f"{key} {_text(value)}")
        tags = {str(ExifTags.TAGS.get(tag, tag)): value for tag, value in image.getexif().items()}
        found += [f"{name} {_text(value)}" for name, value in tags.items() if name not in _PLAIN_TAGS]
    return found


def _text(value: object) -> str:
    return (value.decode("latin-1") if isinstance(value, bytes) else str(value))[:2000]
