"""The files that images.py prepares: drawn desktops, the shipped recordings, and the desktops in every other mode."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
RECORDINGS = HERE.parent / "data" / "demo"
Files = Sequence[Path]

OTHER_PICTURE = frozenset(
    {"png-alpha", "png-opaque-alpha", "png-grey-alpha", "png-grey-16", "png-palette-transparent", "jpeg-turned"}
)
"""Kinds of which the rival shows another picture than a viewer of the desktop saw."""


def corpus(folder: Path, count: int) -> Files:
    """Draw a recording of 150 desktops, 1710×1112, RGB; return some, evenly spread."""
    subprocess.run([sys.executable, HERE / "drawn_desktops.py", folder, "0", "1"], check=True, stdout=sys.stderr)
    return _spread(sorted(folder.glob("media/images/*/*.png")), count)


def recorded_jpegs(count: int) -> Files:
    """Return shipped screenshots that were recorded as JPEG."""
    return _spread(sorted(RECORDINGS.glob("**/*.jpg")), count)


def recorded_pngs(count: int) -> Files:
    """Return shipped screenshots that were recorded as PNG."""
    return _spread(sorted(RECORDINGS.glob("**/*.png")), count)


def modes(folder: Path, frames: Files) -> Iterator[tuple[str, Files]]:
    """Write the frames in every other mode; yield its name and the files."""
    for name, (suffix, change, options) in _MODES.items():
        place = folder / name
        place.mkdir()
        files = []
        for number, frame in enumerate(frames):
            with Image.open(frame) as opened:
                picture = change(opened.convert("RGB"))
            files.append(place / f"{number}.{suffix}")
            picture.save(files[-1], **options)
        yield name, files


def _spread(paths: Sequence[Path], count: int) -> Files:
    return [paths[round(index * len(paths) / count)] for index in range(min(count, len(paths)))]


def _same(picture: Image.Image) -> Image.Image:
    return picture


def _to(mode: str) -> Callable[[Image.Image], Image.Image]:
    return lambda picture: picture.convert(mode)


def _translucent(picture: Image.Image) -> Image.Image:
    layer = picture.convert("RGBA")
    layer.putalpha(Image.radial_gradient("L").resize(picture.size))
    return layer


def _grey_16(picture: Image.Image) -> Image.Image:
    return Image.fromarray(np.asarray(picture.convert("L")).astype(np.uint16) * 257)


def _palette(picture: Image.Image) -> Image.Image:
    return picture.quantize(256)


def _turned() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = 6
    return exif


def _double(picture: Image.Image) -> Image.Image:
    return picture.resize((picture.width * 2, picture.height * 2), Image.Resampling.BICUBIC)


_JPEG: dict[str, Any] = {"quality": 90}
_MODES: dict[str, tuple[str, Callable[[Image.Image], Image.Image], dict[str, Any]]] = {
    "png-alpha": ("png", _translucent, {}),
    "png-opaque-alpha": ("png", _to("RGBA"), {}),
    "png-palette": ("png", _palette, {}),
    "png-palette-transparent": ("png", _palette, {"transparency": 0}),
    "png-grey": ("png", _to("L"), {}),
    "png-grey-alpha": ("png", lambda picture: _translucent(picture).convert("LA"), {}),
    "png-grey-16": ("png", _grey_16, {}),
    "png-bilevel": ("png", _to("1"), {}),
    "jpeg-drawn": ("jpg", _same, _JPEG),
    "jpeg-4:4:4": ("jpg", _same, {**_JPEG, "subsampling": 0}),
    "jpeg-progressive": ("jpg", _same, {**_JPEG, "progressive": True}),
    "jpeg-grey": ("jpg", _to("L"), _JPEG),
    "jpeg-cmyk": ("jpg", _to("CMYK"), _JPEG),
    "jpeg-turned": ("jpg", _same, {**_JPEG, "exif": _turned()}),
    "jpeg-double-size": ("jpg", _double, _JPEG),
    "webp": ("webp", _same, {"quality": 90, "method": 0}),
    "webp-lossless": ("webp", _same, {"lossless": True, "method": 0}),
    "gif": ("gif", _same, {}),
    "bmp": ("bmp", _same, {}),
    "tiff": ("tiff", _same, {}),
}
