"""Whatever a desktop recorder writes becomes the picture its viewer saw, or a failure; never half of one."""

import json
import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageFile, ImageStat, PngImagePlugin

from agenthorizon.case import View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence import images
from agenthorizon.evidence.fast_pixels import FastPixels
from agenthorizon.evidence.pixels import Pixels

RECORDED = Path(__file__).resolve().parent.parent / "recorded" / "images"
CASES = [json.loads(line) for line in (RECORDED / "images.jsonl").read_text(encoding="utf-8").splitlines()]
SECRET = b"secret-remark"
WAYS = {"pillow": Pixels(), "fast": FastPixels()}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Pixels:
    """Each way of decoding and shrinking in turn."""
    return WAYS[request.param]


def read(path: Path, way: Pixels, box: tuple[int, int] | None = None) -> Image.Image:
    return images.fitted(images.file_bytes(path), box, path.name, way)


def expecting(*outcomes: str) -> Any:
    chosen = [case for case in CASES if case["expect"]["outcome"] in outcomes]
    return pytest.mark.parametrize("case", chosen, ids=[case["id"] for case in chosen])


def wrong_pixels(image: Image.Image, pixels: list[dict[str, Any]]) -> list[Any]:
    def differs(pixel: dict[str, Any]) -> bool:
        found = image.getpixel(tuple(pixel["xy"]))
        return any(abs(a - b) > pixel["tol"] for a, b in zip(found, pixel["rgb"], strict=True))

    return [(pixel, image.getpixel(tuple(pixel["xy"]))) for pixel in pixels if differs(pixel)]


def check_picture(image: Image.Image, expect: dict[str, Any]) -> None:
    assert (image.mode, image.size) == (expect["mode"], tuple(expect["size"]))
    assert wrong_pixels(image, expect["pixels"]) == []


def saved(image: Image.Image, path: Path, **options: Any) -> Path:
    image.save(path, **options)
    return path


def noise(width: int = 64, height: int = 48) -> Image.Image:
    return Image.effect_noise((width, height), 80).convert("RGB")


@expecting("ok")
def test_recorded_picture_is_shown_as_its_viewer_saw_it(case: dict[str, Any], way: Pixels):
    check_picture(read(RECORDED / case["file"], way), case["expect"])


@expecting("ok")
def test_recorded_picture_can_be_sent_in_any_format(case: dict[str, Any], way: Pixels):
    image = read(RECORDED / case["file"], way, (512, 332))
    for kind in ("jpeg", "png", "webp"):
        with Image.open(BytesIO(images.encode(image, View(format=kind)))) as sent:
            assert (sent.format, sent.size, getattr(sent, "n_frames", 1)) == (kind.upper(), image.size, 1)


@expecting("unreadable")
def test_unreadable_picture_is_a_final_failure_of_evidence(case: dict[str, Any], way: Pixels):
    with pytest.raises(JudgeFailure) as caught:
        read(RECORDED / case["file"], way)
    assert (caught.value.code, caught.value.passing) == ("evidence", False)


@expecting("ok_or_unreadable")
def test_doubtful_picture_is_shown_rightly_or_refused(case: dict[str, Any], way: Pixels):
    with suppress(JudgeFailure):
        check_picture(read(RECORDED / case["file"], way), case["expect"])


def test_failure_names_the_file_but_not_its_folder():
    with pytest.raises(JudgeFailure, match=r"^truncated\.jpg cannot be read as a picture: ") as caught:
        images.read(RECORDED / "truncated.jpg")
    assert str(RECORDED.parent.parent) not in str(caught.value)


def test_absent_file_is_a_failure_that_does_not_name_its_folder(tmp_path: Path):
    with pytest.raises(JudgeFailure) as caught:
        images.read(tmp_path / "step_1.png")
    assert str(caught.value) == "step_1.png cannot be read as a picture: No such file or directory"


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "gif", "bmp"])
@pytest.mark.parametrize("box", [None, (8, 8)])
def test_half_a_file_is_never_half_a_picture(tmp_path: Path, suffix: str, way: Pixels, box: Any):
    whole = saved(noise(), tmp_path / f"whole.{suffix}").read_bytes()
    half = tmp_path / f"half.{suffix}"
    half.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(JudgeFailure):
        read(half, way, box)


def test_8k_desktop_is_read(tmp_path: Path, way: Pixels):
    path = saved(Image.new("RGB", (7680, 4320), "teal"), tmp_path / "8k.png")
    assert read(path, way).size == (7680, 4320)


def test_two_8k_desktops_are_within_the_limit_and_pillows_warning_is_not():
    assert 2 * 7680 * 4320 < images.MAX_PIXELS < (Image.MAX_IMAGE_PIXELS or 0)


@pytest.mark.parametrize("size", [(9_000, 8_900), (10_000, 9_500), (20_000, 9_000)])
@pytest.mark.parametrize("mode", ["1", "RGB"])
def test_picture_over_the_limit_is_refused_without_a_warning(mode: str, size: tuple[int, int], way: Pixels):
    header = BytesIO()
    Image.new(mode, (1, 1)).save(header, "PNG")
    claim = b"".join(side.to_bytes(4, "big") for side in size)
    whole = header.getvalue()[:16] + claim + header.getvalue()[24:]
    checksum = zlib.crc32(whole[12:29]).to_bytes(4, "big")
    with pytest.raises(JudgeFailure, match="pixels"):
        images.fitted(whole[:29] + checksum + whole[33:], (512, 332), "large.png", way)


def test_file_larger_than_any_picture_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(images, "MAX_BYTES", 1000)
    path = saved(noise(), tmp_path / "large.bmp")
    with pytest.raises(JudgeFailure, match="bytes, which no picture has"):
        images.read(path)


def test_reading_leaves_pillows_own_limits_alone():
    before = (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)
    with pytest.raises(JudgeFailure):
        images.read(RECORDED / "four_hundred_megapixel.png")
    after = (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)
    assert after == before


def test_16_bit_grey_with_a_transparent_level_is_scaled(tmp_path: Path):
    path = saved(Image.new("I;16", (4, 4), 257 * 100), tmp_path / "grey.png", transparency=5)
    assert images.read(path).getpixel((1, 1)) == (100, 100, 100)


@pytest.mark.parametrize(
    ("size", "box", "fitted"),
    [
        ((1710, 1112), (512, 332), (511, 332)),
        ((1920, 1080), (512, 332), (512, 288)),
        ((40, 20_000), (512, 332), (1, 332)),
        ((40, 20_000), (2000, 2000), (4, 2000)),
        ((20_000, 1), (512, 332), (512, 1)),
        ((300, 200), (512, 332), (300, 200)),
        ((1, 1), (512, 332), (1, 1)),
        ((900, 900), None, (900, 900)),
    ],
)
def test_picture_fits_into_the_box_keeping_its_shape(size: Any, box: Any, fitted: tuple[int, int]):
    assert images.fitted(png(Image.new("RGB", size)), box, "").size == fitted


def png(picture: Image.Image) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def test_shrinking_is_lanczos(way: Pixels):
    picture = noise(640, 400)
    expected = picture.resize((320, 200), Image.Resampling.LANCZOS)
    difference = ImageStat.Stat(ImageChops.difference(way.shrunk(picture, (320, 200)), expected))
    assert max(difference.rms) < 1
    other = ImageStat.Stat(ImageChops.difference(picture.resize((320, 200), Image.Resampling.BICUBIC), expected))
    assert min(other.rms) > 2


@pytest.mark.parametrize("size", [(1, 332), (512, 1), (1, 1)])
@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_picture_can_be_shrunk_to_a_line(way: Pixels, mode: str, size: tuple[int, int]):
    shrunk = way.shrunk(Image.new(mode, (1900, 1100), "white"), size)
    assert (shrunk.mode, shrunk.size, shrunk.getextrema()) == (mode, size, Image.new(mode, size, "white").getextrema())


def test_quality_is_the_one_asked_for():
    expected = BytesIO()
    picture = noise()
    picture.save(expected, "JPEG", quality=60)
    assert images.encode(picture, View()) == expected.getvalue()


def test_png_keeps_every_pixel():
    picture = noise()
    with Image.open(BytesIO(images.encode(picture, View(format="png")))) as sent:
        assert sent.tobytes() == picture.tobytes()


def with_remarks(path: Path) -> Path:
    """Write a picture with everything attached that a format can carry."""
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    remarks = {"exif": exif, "icc_profile": SECRET, "comment": SECRET, "dpi": (72, 72), "xmp": SECRET}
    if path.suffix == ".png":
        text = PngImagePlugin.PngInfo()
        text.add_text("Comment", SECRET.decode())
        remarks["pnginfo"] = text
    return saved(noise(), path, **remarks)


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "tiff"])
@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
@pytest.mark.parametrize("box", [None, (20, 20)])
def test_nothing_attached_to_the_file_is_sent(tmp_path: Path, suffix: str, kind: Any, box: Any):
    path = with_remarks(tmp_path / f"a.{suffix}")
    picture = images.fitted(path.read_bytes(), box, path.name)
    plain = Image.frombytes("RGB", picture.size, picture.tobytes())
    view = View(fit=box, format=kind)
    assert SECRET in path.read_bytes()
    assert images.encode(picture, view) == images.encode(plain, view)


def test_picture_that_the_format_cannot_hold_is_a_failure_of_evidence():
    with pytest.raises(JudgeFailure, match=r"^tall\.png cannot be written as webp: ") as caught:
        images.encode(Image.new("RGB", (1, 20_000)), View(format="webp"), "tall.png")
    assert caught.value.code == "evidence"


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
def test_media_type_is_that_of_the_bytes(kind: Any):
    view = View(format=kind)
    with Image.open(BytesIO(images.encode(noise(), view))) as sent:
        assert images.media_type(view) == sent.get_format_mimetype()
