"""Puts attempts on disk for good: their lines in outcomes.jsonl, synced together, and each one's transcript first."""

import asyncio
import errno
import gzip
import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenthorizon.outcome import Outcome
from agenthorizon.running.plain_json import json_safe
from agenthorizon.running.store import OUTCOMES, transcript_path, write_atomically


@dataclass(eq=False)
class Entry:
    """An attempt on its way to the disk."""

    outcome: Outcome
    transcript: Mapping[str, Any] | None = None
    ended: asyncio.Future[None] | None = None
    """Set when it is on disk, or cannot be."""
    error: Exception | None = None
    line: bytes = b""
    """Its line, once it is put as JSON."""
    is_over: bool = False
    """Whether writing it was tried."""


class AttemptWriter:
    """Writes the attempts of one run folder, which its caller has locked. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        """Open the folder's outcomes.jsonl, or make it. Raises OSError."""
        self._folder = folder
        self._file = os.open(folder / OUTCOMES, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        self._writing = threading.Lock()

    def close(self) -> None:
        """Close the file; what somebody still wants to write then is told so."""
        with self._writing:
            if self._file >= 0:
                os.close(self._file)
            self._file = -1  # a number that is free may be another file's by then

    def end_at(self, complete: int) -> None:
        """Drop what a killed process left behind the last whole record, whose line is ended where it does not end."""
        os.ftruncate(self._file, complete)
        if complete and os.pread(self._file, 1, complete - 1) != b"\n":
            self._write_lines(b"\n")

    def write(self, entries: Iterable[Entry]) -> None:
        """Write entries together, or where the disk does not take them all, as many of them as it does."""
        with self._writing:
            fresh = [entry for entry in entries if not entry.is_over]
            for entry in fresh:
                entry.error = _error_of(self._prepare, entry)
            good = [entry for entry in fresh if entry.error is None]
            if _error_of(self._write_lines, b"".join(entry.line for entry in good)):
                for entry in good:
                    entry.error = _error_of(self._write_lines, entry.line)
            for entry in fresh:
                entry.is_over = True

    def _prepare(self, entry: Entry) -> None:
        """Put an attempt into its line and write its transcript, which comes first."""
        entry.line = entry.outcome.to_line()
        self._write_transcript(entry.outcome, entry.transcript)

    def _write_lines(self, lines: bytes) -> None:
        size = os.fstat(self._file).st_size
        try:
            if lines and os.write(self._file, lines) < len(lines):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, size)  # no half line may stand before the next one
            raise

    def _write_transcript(self, outcome: Outcome, transcript: Mapping[str, Any] | None) -> None:
        if transcript is not None:
            data = gzip.compress(_as_json(transcript).encode(), 6, mtime=0)
            write_atomically(transcript_path(self._folder, outcome), data)


def _error_of(write: Callable[..., None], *arguments: Any) -> Exception | None:
    try:
        write(*arguments)
    except Exception as error:  # noqa: BLE001  the disk's, or of what a judge's own code returned: of one entry alone
        return error
    return None


def _as_json(transcript: Mapping[str, Any]) -> str:
    """Return a transcript as JSON; where a judge's own code left what JSON lacks, with that put into words."""
    try:
        return json.dumps(transcript, default=repr)
    except Exception:  # noqa: BLE001  keys that are no text, rings, objects that fail in their own methods
        return json.dumps(json_safe(dict(transcript)))
