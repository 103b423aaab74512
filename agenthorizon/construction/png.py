"""Looks at a PNG file's chunks: are its checksums right, how large is it, what does it carry besides pixels?

Nothing is decoded, so it costs a thirtieth of decoding.
"""

import struct
import zlib

from agenthorizon.evidence.png import SIGNATURE, Chunk, chunks

_PIXEL_CHUNKS = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI pHYs bKGD sBIT hIST sPLT acTL fcTL fdAT".split()
)
"""Chunks that say how the pixels look; any other holds text, times or something of its writer's own."""


def size_by_checksums(data: bytes) -> tuple[int, int]:
    """Return width and height of a file whose every checksum is right. Raises ValueError as `chunks` does."""
    kinds = list(chunks(data))
    first = kinds[0]
    if first.kind != b"IHDR" or len(first.data) != 13:
        raise ValueError("does not begin with its header chunk")
    if not any(chunk.kind == b"IDAT" and chunk.data for chunk in kinds):
        raise ValueError("has no pixels")
    width, height = struct.unpack_from(">II", first.data)
    return width, height


def embedded(data: bytes) -> list[str]:
    """Return, readably, what a file carries besides its picture: texts, times, unknown chunks, bytes after its end.

    A file that cannot be walked gives what stands before the damage.
    """
    found, length = [], len(SIGNATURE)
    try:
        for chunk in chunks(data):
            length += len(chunk.data) + 12
            if chunk.kind not in _PIXEL_CHUNKS:
                found.append(f"{chunk.kind.decode('latin-1')} {_readable(chunk)}")
    except ValueError:
        return found
    trailing = data[length:]
    return found + ([f"after the end: {trailing[:400].decode('latin-1')}"] if trailing.strip(b"\0") else [])


def stripped(data: bytes) -> bytes:
    """Return the same picture, byte for byte where it is picture, without anything else. Raises as `chunks` does."""
    kept = [chunk for chunk in chunks(data) if chunk.kind in _PIXEL_CHUNKS]
    return SIGNATURE + b"".join(_packed(chunk) for chunk in kept)


def _packed(chunk: Chunk) -> bytes:
    body = chunk.kind + bytes(chunk.data)
    return struct.pack(">I", len(chunk.data)) + body + struct.pack(">I", zlib.crc32(body))


def _readable(chunk: Chunk) -> str:
    if chunk.kind == b"tIME" and len(chunk.data) == 7:
        return "{}-{:02}-{:02} {:02}:{:02}:{:02}".format(*struct.unpack(">H5B", chunk.data))
    data = bytes(chunk.data)
    if chunk.kind in (b"zTXt", b"iTXt"):
        keyword, _, rest = data.partition(b"\0")
        data = keyword + b" " + _inflated(chunk.kind, rest)
    encoding = "utf-8" if chunk.kind == b"iTXt" else "latin-1"
    return data.replace(b"\0", b" ").decode(encoding, "replace")[:2000]


def _inflated(kind: bytes, rest: bytes) -> bytes:
    """Return the text of a compressed text chunk, at most a few thousand bytes of it; as it stands when damaged."""
    packed = rest[1:] if kind == b"zTXt" else rest.split(b"\0", 3)[-1] if rest[:1] == b"\1" else None
    if packed is None:
        return rest
    try:
        return zlib.decompressobj().decompress(packed, 4096)
    except zlib.error:
        return rest
