"""Looks at a source's pictures without changing them: is it one, which kind, how large, is it the same as another."""

import base64
import binascii
import hashlib
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from agenthorizon.dataset.screenshots import has_image_header
from agenthorizon.evidence.images import DAMAGE, FORMATS, identified
from agenthorizon.files.regular_file import open_regular, read_regular
from agenthorizon.importer import Frame

_POINTER = b"version https://git-lfs"
_KINDS = {kind: ".jpg" if kind == "JPEG" else f".{kind.lower()}" for kind in FORMATS}


def picture_file(path: Path, name: str) -> Frame:
    """Return a picture that lies in a file, or why it cannot be used (an empty file, a large-file pointer …)."""
    with open_regular(path) as file:
        head = file.read(len(_POINTER))
    if head == _POINTER:
        return Frame(name, fault="pointer_file")
    if not has_image_header(path):
        return Frame(name, fault="not_an_image")
    return Frame(name, path=path, size=_header_of(path).size)


def picture_text(text: object, name: str) -> Frame:
    """Return a picture that stands in a JSON as base64, with or without `data:image/…;base64,` before it."""
    if not isinstance(text, str) or not text.strip():
        return Frame(name, fault="missing_screenshot")
    try:
        data = base64.b64decode(text.partition(",")[2] if text.startswith("data:") else text, validate=True)
    except (binascii.Error, ValueError):
        return Frame(name, fault="not_an_image")
    size = _header(BytesIO(data)).size
    return Frame(name, data=data, size=size) if size else Frame(name, fault="not_an_image")


def suffix(frame: Frame) -> str:
    """Return the file suffix that the picture's own bytes ask for; a missing one keeps that of its name, or .png."""
    if frame.fault:
        named = Path(frame.name).suffix.lower()
        return named if named in _KINDS.values() else ".png"
    header = _header_of(frame.path) if frame.path else _header(BytesIO(frame.data or b""))
    return _KINDS.get(header.kind or "", ".png")


def same_picture(one: Frame, other: Frame) -> bool:
    """Whether two frames are the same bytes; of missing ones, whether they are the same name."""
    if one.fault or other.fault:
        return one.fault == other.fault and one.name == other.name
    return _digest(one) == _digest(other)


def _digest(frame: Frame) -> bytes:
    data = read_regular(frame.path) if frame.path else frame.data or b""
    return hashlib.sha256(data).digest()


class _Header(NamedTuple):
    kind: str | None = None
    size: tuple[int, int] | None = None


def _header_of(path: Path) -> _Header:
    try:
        with open_regular(path) as file:
            return _header(file)
    except OSError:
        return _Header()


def _header(file: BinaryIO) -> _Header:
    """Read a picture's header; nothing is decoded, however large the header says it is."""
    try:
        image = identified(file)
    except DAMAGE:
        return _Header()
    return _Header(image.format, image.size)
