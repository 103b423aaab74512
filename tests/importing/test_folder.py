"""Nothing outside a source is ever opened, and nothing broken in it stops an import."""

import base64
import zlib
from io import BytesIO

import pytest
from PIL import Image

from agenthorizon.errors import UsageError
from agenthorizon.importer import Notes
from agenthorizon.importing.folder import SourceFolder
from agenthorizon.importing.pictures import picture_text, suffix


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.json").write_text('{"secret": 1}')
    Image.new("RGB", (2, 2)).save(folder / "secret.png")
    return folder


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "source"
    folder.mkdir()
    return folder


def test_links_out_of_the_source_are_not_followed(root, outside):
    (root / "linked").symlink_to(outside)
    (root / "secret.json").symlink_to(outside / "secret.json")
    (root / "secret.png").symlink_to(outside / "secret.png")
    source = SourceFolder(root)
    assert source.files("*") == []
    assert source.json(root / "secret.json", Notes()) is None
    assert source.frame("secret.png", source.root).fault == "unsafe_path"
    assert source.frame("linked/secret.png", source.root).fault == "unsafe_path"


@pytest.mark.parametrize("name", ["../outside/secret.png", "/etc/hostname", "C:\\x.png", "file:///etc/passwd"])
def test_names_that_lead_outside_are_refused(root, outside, name):
    assert SourceFolder(root).frame(name, root.resolve()).fault == "unsafe_path"


def test_a_link_inside_the_source_is_fine(root):
    (root / "a").mkdir()
    Image.new("RGB", (3, 4)).save(root / "a" / "real.png")
    (root / "shot.png").symlink_to(root / "a" / "real.png")
    assert SourceFolder(root).frame("shot.png", root.resolve()).size == (3, 4)


def test_hidden_files_are_no_part_of_a_source(root):
    (root / ".DS_Store").write_bytes(b"\0")
    (root / "._shot.png").write_bytes(b"\0")
    (root / ".git").mkdir()
    (root / ".git" / "x.json").write_text("{}")
    (root / "x.json").write_text("{}")
    source = SourceFolder(root)
    assert source.files("*") == [source.root / "x.json"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n", "pointer_file"),
        (b"", "not_an_image"),
        (b"<html>", "not_an_image"),
    ],
)
def test_a_file_that_is_no_picture_is_called_so(root, content, fault):
    (root / "shot.png").write_bytes(content)
    assert SourceFolder(root).frame("shot.png", root.resolve()).fault == fault


def test_a_missing_picture_is_missing(root):
    assert SourceFolder(root).frame("shot.png", root.resolve()).fault == "missing_screenshot"


def test_cut_json_is_noted_and_passed_over(root):
    (root / "cut.json").write_text('{"a": [1, 2')
    (root / "cut.jsonl").write_text('{"a": 1}\n[2]\n\n{"a": 3')
    source, notes = SourceFolder(root), Notes()
    assert source.json(source.root / "cut.json", notes) is None
    assert [line.value for line in source.lines(source.root / "cut.jsonl", notes)] == [{"a": 1}]
    found = [(note.code, note.file, note.line) for note in notes.findings]
    assert found == [
        ("unreadable_file", "cut.json", None),
        ("unreadable_line", "cut.jsonl", 2),
        ("unreadable_line", "cut.jsonl", 4),
    ]


def test_a_single_file_can_be_the_source(root):
    (root / "one.json").write_text("{}")
    (root / "two.json").write_text("{}")
    assert [path.name for path in SourceFolder(root / "one.json").files("*.json")] == ["one.json"]


def test_a_source_that_is_not_there_is_refused(root):
    with pytest.raises(UsageError, match="does not exist"):
        SourceFolder(root / "nothing")


def test_the_suffix_is_that_of_the_bytes(root):
    Image.new("RGB", (2, 2)).save(root / "really.png", "JPEG")
    assert suffix(SourceFolder(root).frame("really.png", root.resolve())) == ".jpg"


@pytest.mark.parametrize("text", [None, "", "no base64!", "aGVsbG8=", "data:image/png;base64,aGVsbG8="])
def test_text_that_holds_no_picture_is_called_so(text):
    assert picture_text(text, "x").fault in ("missing_screenshot", "not_an_image")


def text_of(format, size=(3, 4)):
    file = BytesIO()
    Image.new("RGB", size).save(file, format)
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize("format", ["EPS", "PPM", "TGA", "PCX"])
def test_a_format_that_no_recorder_writes_is_no_picture(format):
    assert Image.open(BytesIO(base64.b64decode(text_of(format)))).size == (3, 4)  # though Pillow would open it
    assert picture_text(text_of(format), "x").fault == "not_an_image"


@pytest.mark.parametrize(
    ("format", "ending"), [("PNG", ".png"), ("JPEG", ".jpg"), ("TIFF", ".tiff"), ("AVIF", ".avif")]
)
def test_a_picture_in_base64_has_its_size_and_the_suffix_of_its_kind(format, ending):
    frame = picture_text(f"data:image/png;base64,{text_of(format)}", "x.png")
    assert (frame.fault, frame.size, suffix(frame)) == (None, (3, 4), ending)


def test_a_picture_larger_than_is_decoded_gives_its_size_and_no_warning():
    header = b"IHDR" + (20_000).to_bytes(4) + (10_000).to_bytes(4) + b"\x08\x02\0\0\0"
    png = b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4) + header + zlib.crc32(header).to_bytes(4)
    png += (0).to_bytes(4) + b"IDAT" + zlib.crc32(b"IDAT").to_bytes(4)
    assert picture_text(base64.b64encode(png).decode(), "x").size == (20_000, 10_000)


def test_a_file_that_is_gone_when_it_is_read_is_noted_and_passed_over(root):
    for name in ("result.txt", "traj.jsonl"):
        (root / name).write_text("1")
    source, notes = SourceFolder(root), Notes()
    assert len(source.files("*")) == 2
    for path in root.iterdir():
        path.unlink()
    assert source.text(source.root / "result.txt", notes) == ""
    assert list(source.lines(source.root / "traj.jsonl", notes)) == []
    noted = [(note.code, note.file) for note in notes.findings]
    assert noted == [("unreadable_file", "result.txt"), ("unreadable_file", "traj.jsonl")]
