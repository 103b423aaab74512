"""The body of a chat request, written to a temporary file a picture at a time and sent from there in small pieces.

So a request of three hundred screenshots takes no more memory than one of them, and its length is known before it is
sent, which servers that refuse chunked bodies want.
"""

import errno
import json
import os
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

import pybase64

from agenthorizon.errors import RunStopped
from agenthorizon.judge import Sheet

from ._asking import Said

PIECE = 65_536
"""Bytes of a piece."""

_ANSWERED = b']}, {"role": "assistant", "content": %b}, {"role": "user", "content": ['
_IN_MEMORY = 4 * PIECE  # a smaller body never touches the disk


class Body:
    """A request's JSON. Use it as a context manager: write it, then send it."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  closed by __exit__
        self.length = 0
        self.pictures = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write(
        self, settings: Mapping[str, Any], system: str, content: Iterable[str | Sheet | Said], media_type: str
    ) -> None:
        """Write the request: its settings, the system message, the user's texts and pictures, and answers between them.

        Raises JudgeFailure (class evidence) for a picture that cannot be read, RunStopped where there is no space.
        """
        head = json.dumps(dict(settings))[:-1]
        roles = f'"messages": [{{"role": "system", "content": {json.dumps(system)}}}, {{"role": "user", "content": ['
        waiting = [f"{head}, {roles}".encode()]
        picture_head = b'{"type": "image_url", "image_url": {"url": "data:%b;base64,' % media_type.encode()
        try:
            between = b""
            for part in content:
                if isinstance(part, Said):
                    waiting.append(_ANSWERED % json.dumps(part.text).encode())
                    between = b""
                    continue
                waiting.append(between)
                between = b", "
                if isinstance(part, str):
                    waiting.append(b'{"type": "text", "text": %b}' % json.dumps(part).encode())
                    continue
                self.pictures += 1
                waiting += (picture_head, pybase64.b64encode(part.encoded()), b'"}}')
                self._file.write(b"".join(waiting))
                waiting.clear()
            self._file.write(b"".join((*waiting, b"]}]}")))
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            place = tempfile.gettempdir()
            raise RunStopped("disk", f"no space for requests in {place}; TMPDIR names another folder") from error
        self.length = self._file.tell()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self._file.seek(0, os.SEEK_SET)
        while piece := self._file.read(PIECE):
            yield piece
