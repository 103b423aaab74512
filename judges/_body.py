"""The body of a chat request, written to a file without a name a few pictures at a time and sent from there in pieces.

So a request of three hundred screenshots takes no more memory than a few of them, and its length is known before it is
sent, which servers that refuse chunked bodies want.
"""

import errno
import json
import os
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import IO, Any, Self

import pybase64

from agenthorizon.errors import RunStopped
from agenthorizon.judge import Sheet

from ._asking import Said

PIECE = 65_536
"""Bytes of a piece."""

_ANSWERED = b']}, {"role": "assistant", "content": %b}, {"role": "user", "content": ['
_IN_MEMORY = 4 * PIECE
"""Bytes that wait to be written; a smaller body never touches the disk."""
_KEPT = 16 << 20
"""Bytes up to which a file is kept for the next body."""


class Scratch:
    """Files for bodies, each used again: to delete one and let the next grow costs more than to write over it."""

    def __init__(self) -> None:
        self._idle: list[IO[bytes]] = []

    def take(self) -> IO[bytes]:
        """Return a file to write over from its beginning. Raises OSError where there is no place for one."""
        file = self._idle.pop() if self._idle else tempfile.TemporaryFile()  # noqa: SIM115  closed by `close`
        file.seek(0)
        return file

    def give_back(self, file: IO[bytes], length: int) -> None:
        """Keep a file that has so many bytes, or let go of it."""
        if length > _KEPT:
            file.close()
        else:
            self._idle.append(file)

    def close(self) -> None:
        """Let go of the files that nobody has."""
        while self._idle:
            with suppress(OSError):  # what a full disk did not take
                self._idle.pop().close()


class Body:
    """A request's JSON. Use it as a context manager: write it, then send it."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self._file: IO[bytes] | None = None
        self._waiting: list[bytes] = []
        self._waits = 0
        self.length = 0
        self.pictures = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._scratch.give_back(self._file, self.length)

    def write(
        self, settings: Mapping[str, Any], system: str, content: Iterable[str | Sheet | Said], media_type: str
    ) -> None:
        """Write the request: its settings, the system message, the user's texts and pictures, and answers between them.

        Raises JudgeFailure (class evidence) for a picture that cannot be read, RunStopped where there is no space.
        """
        head = json.dumps(dict(settings))[:-1]
        roles = f'"messages": [{{"role": "system", "content": {json.dumps(system)}}}, {{"role": "user", "content": ['
        picture_head = b'{"type": "image_url", "image_url": {"url": "data:%b;base64,' % media_type.encode()
        between = b""
        try:
            self._add(f"{head}, {roles}".encode())
            for part in content:
                if isinstance(part, Said):
                    self._add(_ANSWERED % json.dumps(part.text).encode())
                    between = b""
                    continue
                if isinstance(part, str):
                    self._add(b'%b{"type": "text", "text": %b}' % (between, json.dumps(part).encode()))
                else:
                    self.pictures += 1
                    self._add(b'%b%b%b"}}' % (between, picture_head, pybase64.b64encode(part.encoded())))
                between = b", "
            self._add(b"]}]}")
            if self._file is not None:
                self._flush(self._file)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            place = tempfile.gettempdir()
            raise RunStopped("disk", f"no space for requests in {place}; TMPDIR names another folder") from error

    def _add(self, piece: bytes) -> None:
        self._waiting.append(piece)
        self.length += len(piece)
        self._waits += len(piece)
        if self._waits >= _IN_MEMORY:
            self._file = self._file or self._scratch.take()
            self._flush(self._file)

    def _flush(self, file: IO[bytes]) -> None:
        file.write(b"".join(self._waiting))
        self._waiting.clear()
        self._waits = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._file is None:
            whole = b"".join(self._waiting)
            for start in range(0, len(whole), PIECE):
                yield whole[start : start + PIECE]
            return
        self._file.seek(0, os.SEEK_SET)
        left = self.length
        while piece := self._file.read(min(PIECE, left)):
            left -= len(piece)
            yield piece
