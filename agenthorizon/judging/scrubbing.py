"""Takes pictures out of what a CLI printed, in bounded memory, however much it was and however long its lines.

CLIs echo every screenshot as base64, some of them five times over. What is left is small, and is what is read and kept.
"""

import re
from collections.abc import Iterator
from pathlib import Path

CHUNK = 2**20
SHORTEST = 256
"""Characters of base64 in a row that count as a picture; file names and words are shorter."""

KEPT = 64 * 2**20
"""Bytes of scrubbed output that are kept; a CLI that says more has lost its way."""

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
_CLASS = rb"[A-Za-z0-9+/=_-]"
# Where a run may begin: not within a word, and not with the letter of an escape such as \n, which belongs to the JSON.
_START = rb"(?:(?<=\\[nrt])|(?<![A-Za-z0-9+/=_\\-]))"
_LONG_RUN = re.compile(_START + _CLASS + b"{%d,}+" % SHORTEST)
# By their first bytes: PNG, JPEG, WebP, GIF. Smaller than the shortest run, they are still pictures.
_SIGNED = re.compile(_START + rb"(?:iVBORw0KGgo|/9j/|UklGR|R0lGODlh)" + _CLASS + rb"{32,}+")
# What `base64 FILE` prints: lines of one length, their ends plain or written as in JSON.
_WRAPPED = re.compile(_START + rb"(?:[A-Za-z0-9+/]{60,78}(?:\r?\n|\\n|\\r\\n)){3,}+(?:[A-Za-z0-9+/]{1,78}={0,2})?")


def scrub(source: Path, target: Path, kept: int = KEPT) -> bool:
    """Copy a file without its pictures. Returns whether all of it was copied."""
    written = 0
    with source.open("rb") as file, target.open("wb") as out:
        for piece in scrubbed(iter(lambda: file.read(CHUNK), b"")):
            if written + len(piece) > kept:
                out.write(piece[: kept - written])
                return False
            written += out.write(piece)
    return True


def scrubbed(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks with each long run of base64 replaced by its length. Memory: two chunks."""
    swallowed = 0
    tail = b""
    for chunk in chunks:
        if swallowed:
            rest = chunk.lstrip(_ALPHABET)
            swallowed += len(chunk) - len(rest)
            if not rest:
                continue
            yield _marker(swallowed)
            swallowed, chunk = 0, rest
        data = tail + chunk
        head = data.rstrip(_ALPHABET)  # a run at the end may go on in the next chunk
        if head.endswith(b"\\"):  # what follows is the letter of an escape
            head = head[:-1] if len(head) == len(data) else data[: len(head) + 1]
        tail = data[len(head) :]
        yield _without_runs(head)
        if len(tail) >= SHORTEST:
            swallowed, tail = len(tail), b""
    yield _marker(swallowed) if swallowed else _without_runs(tail)


def _without_runs(data: bytes) -> bytes:
    data = _LONG_RUN.sub(_replaced, data)
    data = _SIGNED.sub(_replaced, data)
    return _WRAPPED.sub(_replaced, data)


def _replaced(found: re.Match[bytes]) -> bytes:
    # A line end belongs to the output, not to the picture.
    return _marker(len(found[0])) + (b"\n" if found[0].endswith(b"\n") else b"")


def _marker(length: int) -> bytes:
    return b"(picture of %d characters)" % length
