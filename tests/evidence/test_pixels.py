"""The two ways of decoding and shrinking, Pillow's and that of the extra `fast`, show the same picture."""

import random
import subprocess
import sys
import zlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageOps, PngImagePlugin

from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence import images
from agenthorizon.evidence.fast_pixels import FastPixels
from agenthorizon.evidence.pixels import Pixels, best

BOX = (160, 100)
ORIENTATION = 0x0112
TOLERANCE = 0.5
"""Decibels of PSNR: more than this is another picture."""


@cache
def desktop(width: int = 500, height: int = 310) -> Image.Image:
    """Draw windows, lines of text-like strokes and a photograph."""
    random_ = random.Random(7)
    image = Image.linear_gradient("L").resize((width, height)).convert("RGB")
    draw = ImageDraw.Draw(image)
    draw.rectangle((20, 20, width - 120, height - 40), fill="white", outline="gray")
    for y in range(34, height - 50, 11):
        x = 30
        while x < width - 160:
            x += draw.textlength(word := random_.choice(["File", "Edit", "total 1,204", "invoice"])) + 6
            draw.text((x - 60, y), word, fill=(random_.randrange(90), 20, random_.randrange(200)))
    image.paste(Image.effect_noise((80, 60), 50).convert("RGB"), (width - 100, 40))
    return image


def half_transparent(image: Image.Image) -> Image.Image:
    layer = image.convert("RGBA")
    layer.putalpha(Image.radial_gradient("L").resize(image.size))
    return layer


def sixteen_bit_grey(image: Image.Image) -> Image.Image:
    return Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257)


def written(image: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def turned(orientation: int) -> Image.Exif:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    return exif


FILES: dict[str, Callable[[], bytes]] = {
    "png": lambda: written(desktop(), "PNG"),
    "png-uncompressed": lambda: written(desktop(), "PNG", compress_level=0),
    "png-alpha": lambda: written(half_transparent(desktop()), "PNG"),
    "png-opaque-alpha": lambda: written(desktop().convert("RGBA"), "PNG"),
    "png-palette": lambda: written(desktop().quantize(200), "PNG"),
    "png-palette-transparent": lambda: written(desktop().quantize(200), "PNG", transparency=3),
    "png-colour-key": lambda: written(desktop(), "PNG", transparency=(255, 255, 255)),
    "png-grey": lambda: written(desktop().convert("L"), "PNG"),
    "png-grey-alpha": lambda: written(half_transparent(desktop()).convert("LA"), "PNG"),
    "png-grey-16": lambda: written(sixteen_bit_grey(desktop()), "PNG"),
    "png-bilevel": lambda: written(desktop().convert("1"), "PNG"),
    "png-turned": lambda: written(desktop(), "PNG", exif=turned(6)),
    "jpeg": lambda: written(desktop(), "JPEG", quality=92),
    "jpeg-progressive": lambda: written(desktop(), "JPEG", quality=92, progressive=True),
    "jpeg-grey": lambda: written(desktop().convert("L"), "JPEG", quality=92),
    "jpeg-cmyk": lambda: written(desktop().convert("CMYK"), "JPEG", quality=92),
    "jpeg-turned": lambda: written(desktop(), "JPEG", quality=92, exif=turned(8)),
    "jpeg-huge": lambda: written(desktop(1700, 1054), "JPEG", quality=92),
    "webp": lambda: written(desktop(), "WEBP", quality=92),
    "gif": lambda: written(desktop(), "GIF"),
    "bmp": lambda: written(desktop(), "BMP"),
    "tiff": lambda: written(desktop(), "TIFF"),
}


def fitted(data: bytes, way: Pixels, box: tuple[int, int] | None = BOX) -> Any:
    return np.asarray(images.fitted(data, box, "a picture", way)).astype(float)


def decibels(one: Any, other: Any) -> float:
    """Return the PSNR of two pictures."""
    return float(10 * np.log10(255**2 / max(1e-9, np.mean((one - other) ** 2))))


@pytest.mark.parametrize("name", FILES)
def test_both_ways_show_the_same(name: str):
    data = FILES[name]()
    slow, fast = fitted(data, Pixels()), fitted(data, FastPixels())
    assert slow.shape == fast.shape
    assert decibels(slow, fast) > 35  # white beside black overshoots, and is cut off between or after two passes
    sent = images.encode(Image.fromarray(slow.astype(np.uint8)), images.View())
    rewritten = np.asarray(Image.open(BytesIO(sent))).astype(float)
    sent = images.encode(Image.fromarray(fast.astype(np.uint8)), images.View())
    assert abs(decibels(slow, rewritten) - decibels(slow, np.asarray(Image.open(BytesIO(sent))))) < TOLERANCE


@pytest.mark.parametrize("name", FILES)
def test_full_size_is_equal_bit_for_bit(name: str):
    data = FILES[name]()
    assert np.array_equal(fitted(data, Pixels(), None), fitted(data, FastPixels(), None))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("way", [Pixels(), FastPixels()], ids=["pillow", "fast"])
def test_turned_picture_is_shrunk_upright(kind: str, orientation: int, way: Pixels):
    data = written(desktop(), kind, exif=turned(orientation))
    with Image.open(BytesIO(data)) as opened:
        upright = ImageOps.exif_transpose(opened).convert("RGB")
    size = images.fitted_size(upright.size, BOX)
    expected = np.asarray(upright.resize(size, Image.Resampling.LANCZOS)).astype(float)
    shown = fitted(data, way)
    assert shown.shape == expected.shape
    assert decibels(shown, expected) > 40


def png(chunks: list[tuple[bytes, bytes]]) -> bytes:
    parts = [b"\x89PNG\r\n\x1a\n"]
    for name, data in chunks:
        parts += [len(data).to_bytes(4, "big"), name, data, zlib.crc32(name + data).to_bytes(4, "big")]
    return b"".join(parts)


def chunks_of(data: bytes) -> list[tuple[bytes, bytes]]:
    found, position = [], 8
    while position < len(data):
        length = int.from_bytes(data[position : position + 4], "big")
        found.append((data[position + 4 : position + 8], data[position + 8 : position + 8 + length]))
        position += length + 12
    return found


@pytest.mark.parametrize("place", ["before the pixels", "after the pixels"])
@pytest.mark.parametrize("way", [Pixels(), FastPixels()], ids=["pillow", "fast"])
def test_png_is_turned_wherever_its_orientation_stands(place: str, way: Pixels):
    parts = [part for part in chunks_of(written(desktop(), "PNG", exif=turned(6))) if part[0] != b"eXIf"]
    where = 1 if place == "before the pixels" else len(parts) - 1
    data = png([*parts[:where], (b"eXIf", turned(6).tobytes()[6:]), *parts[where:]])
    assert fitted(data, way, None).shape[:2] == (500, 310)
    assert fitted(data, way).shape[:2] == (100, 62)


@pytest.fixture
def fast_only(monkeypatch: pytest.MonkeyPatch) -> Pixels:
    """The fast way, which fails where it would leave a file to Pillow."""

    def refuse(*_: Any) -> None:
        raise AssertionError("left to Pillow")

    monkeypatch.setattr(Pixels, "decoded", refuse)
    return FastPixels()


@pytest.mark.parametrize(
    "options", [{}, {"compress_level": 0}, {"compress_level": 9}, {"exif": turned(6)}, {"dpi": (72, 72)}]
)
def test_usual_screenshot_is_not_left_to_pillow(fast_only: Pixels, options: dict[str, Any]):
    assert fitted(written(desktop(), "PNG", **options), fast_only).size


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"subsampling": 0}, {"exif": turned(6)}])
def test_usual_jpeg_is_not_left_to_pillow(fast_only: Pixels, options: dict[str, Any]):
    assert fitted(written(desktop().resize((300, 200)), "JPEG", **options), fast_only).size


def test_screenshot_with_the_tools_name_is_not_left_to_pillow(fast_only: Pixels):
    text = PngImagePlugin.PngInfo()
    text.add_text("Software", "a screenshot tool")
    assert fitted(written(desktop(), "PNG", pnginfo=text), fast_only).size


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_damage_is_refused_by_both_ways_or_by_none(kind: str):
    random_ = random.Random(3)
    whole = written(desktop().resize((60, 40)), kind)
    for _ in range(300):
        data = bytearray(whole)
        if random_.random() < 0.5:
            data[random_.randrange(8, len(data))] ^= 1 << random_.randrange(8)
        else:
            del data[random_.randrange(8, len(data)) :]
        shown = []
        for way in (Pixels(), FastPixels()):
            try:
                shown.append(fitted(bytes(data), way, None).tobytes())
            except JudgeFailure:
                shown.append(b"refused")
        assert shown[0] == shown[1]


@pytest.mark.parametrize("name", ["png", "jpeg", "jpeg-progressive", "jpeg-turned"])
def test_pillow_decodes_where_the_other_decoders_are_absent(monkeypatch: pytest.MonkeyPatch, name: str):
    way = FastPixels()
    monkeypatch.setattr(way, "_packages", ("cykooz-resizer",))
    assert way.name == f"{Pixels().name}, cykooz-resizer {version('cykooz-resizer')}"
    slow, fast = fitted(FILES[name](), way), fitted(FILES[name](), FastPixels())
    assert decibels(slow, fast) > 50


def test_resizer_that_cannot_work_with_this_pillow_is_not_used(monkeypatch: pytest.MonkeyPatch):
    assert isinstance(best.__wrapped__(), FastPixels)

    def fail(*_: Any) -> None:
        raise TypeError("another layout of pictures in memory")

    monkeypatch.setattr("cykooz_resizer.Resizer.resize_pil", fail)
    assert type(best.__wrapped__()) is Pixels


def test_absence_of_the_extra_is_no_failure():
    program = """
import importlib.util, sys
extra = ("cykooz_resizer", "imgread", "simplejpeg")
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in extra else found(name, *rest)
from io import BytesIO
from PIL import Image
from agenthorizon.evidence.images import encode, fitted
from agenthorizon.evidence.pixels import best
from agenthorizon.case import View
file = BytesIO()
Image.new("RGBA", (800, 500), (9, 9, 9, 0)).save(file, "PNG")
picture = fitted(file.getvalue(), (512, 332), "a")
encode(picture, View())
print(best().name.split()[0], picture.size, picture.getpixel((0, 0)), {*extra, "numpy"} & {*sys.modules})
"""
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout == "pillow (512, 320) (255, 255, 255) set()\n"


def test_name_holds_the_version_of_every_package():
    assert Pixels().name == f"pillow {version('pillow')}"
    others = [f"{package} {version(package)}" for package in ("cykooz-resizer", "imgread", "simplejpeg")]
    assert FastPixels().name == ", ".join([Pixels().name, *others])
