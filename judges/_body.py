"""The body of a chat request, written to a file without a name a few pictures at a time and sent from there in pieces.

So a request of three hundred screenshots takes no more memory than a few of them, and its length is known before it is
sent, which servers that refuse chunked bodies want.
"""

import errno
import json
import os
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import IO, Any, Literal, Self

import pybase64

from agenthorizon.errors import RunStopped
from agenthorizon.evidence.conversation import LastShared

from ._route import Part, Said

PIECE = 65_536
"""Bytes of a piece."""

_USER = b'{"role": "user", "content": ['
_CACHE = b'"cache_control": {"type": "ephemeral"}'
"""Ends what is to be cached, in OpenRouter's words, which are Anthropic's."""
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
        self._waiting_bytes = 0
        self._state: Literal["unwritten", "whole", "over"] = "unwritten"
        self.length = 0
        self.pictures = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None and self._state == "whole":
            self._scratch.give_back(self._file, self.length)
        elif self._file is not None:
            self._file.close()  # a thread may still write to it, where its caller was cancelled: nobody else gets it
        self._state = "over"

    def write(self, settings: Mapping[str, Any], system: str, content: Iterable[Part], media_type: str) -> None:
        """Write the request: its settings, the system message, the user's texts and pictures, and answers between them.

        Raises JudgeFailure (class evidence) for a picture that cannot be read, RunStopped where there is no space.
        """
        try:
            for piece in self._pieces(settings, system, content, media_type):
                self._waiting.append(piece)
                self._waiting_bytes += len(piece)
                self.length += len(piece)
                if self._waiting_bytes >= _IN_MEMORY:
                    self._file = self._file or self._scratch.take()
                    self._flush(self._file)
            if self._file is not None:
                self._flush(self._file)
            self._state = "whole"
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            place = tempfile.gettempdir()
            raise RunStopped("disk", f"no space for requests in {place}; TMPDIR names another folder") from error

    def _pieces(
        self, settings: Mapping[str, Any], system: str, content: Iterable[Part], media_type: str
    ) -> Iterator[bytes]:
        """Yield the JSON, a part of the content at a time, and count the pictures."""
        head = json.dumps(dict(settings))[:-1]
        yield f'{head}, "messages": [{{"role": "system", "content": {json.dumps(system)}}}, '.encode()
        yield _USER
        picture = b'%b{"type": "image_url", "image_url": {"url": "data:' + media_type.encode() + b';base64,%b"}}'
        between = b""
        for part in content:
            if isinstance(part, Said):
                yield b']}, {"role": "assistant", "content": %b}, %b' % (json.dumps(part.text).encode(), _USER)
                between = b""
                continue
            if isinstance(part, LastShared):
                yield b'%b{"type": "text", "text": %b, %b}' % (between, json.dumps(part.text).encode(), _CACHE)
            elif isinstance(part, str):
                yield b'%b{"type": "text", "text": %b}' % (between, json.dumps(part).encode())
            else:
                self.pictures += 1
                yield picture % (between, pybase64.b64encode(part.encoded()))
            between = b", "
        yield b"]}]}"

    def _flush(self, file: IO[bytes]) -> None:
        file.write(b"".join(self._waiting))
        self._waiting.clear()
        self._waiting_bytes = 0

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
            if self._state == "over":  # answered before all was sent, and the file is another body's by now
                raise BrokenPipeError("the request is over")
