"""Walks the chunks of a PNG file without decoding it. Format: PNG specification (W3C), section 5."""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Chunk(NamedTuple):
    """One chunk of a file."""

    kind: bytes
    data: memoryview


def chunks(data: bytes, *, checked: bool = True) -> Iterator[Chunk]:
    """Yield a file's chunks up to its end chunk, with their checksums `checked` or in the time that takes none.

    Raises ValueError, naming the byte, when the file is not PNG, is cut short or a checksum is wrong.
    """
    if not data.startswith(SIGNATURE):
        raise ValueError("does not begin like a PNG file")
    view, at = memoryview(data), len(SIGNATURE)
    while True:
        if at + 12 > len(data):
            raise ValueError(f"ends at byte {len(data)} before its end chunk")
        (length,) = struct.unpack_from(">I", view, at)
        kind, end = bytes(view[at + 4 : at + 8]), at + 8 + length
        if end + 4 > len(data):
            raise ValueError(f"ends at byte {len(data)} inside a chunk {kind!r} of {length} bytes")
        if checked and zlib.crc32(view[at + 4 : end]) != struct.unpack_from(">I", view, end)[0]:
            raise ValueError(f"wrong checksum of chunk {kind!r} at byte {at}")
        yield Chunk(kind, view[at + 8 : end])
        at = end + 4
        if kind == b"IEND":
            return
