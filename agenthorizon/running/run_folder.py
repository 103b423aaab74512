"""Writes a run folder: attempts are appended and synced line by line, by one process at a time.

What was written stays good whatever happens next; a folder made for a run that then asked nothing is taken away again.
"""

import asyncio
import contextlib
import errno
import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from agenthorizon.errors import Finding, RunStopped, UsageError
from agenthorizon.outcome import Outcome, OutcomeError
from agenthorizon.running.attempt_writer import AttemptWriter, Entry
from agenthorizon.running.config import refuse_difference
from agenthorizon.running.config_file import CONFIG, read_config
from agenthorizon.running.store import OUTCOMES, read_outcomes, widened, write_atomically
from agenthorizon.verdict import READER


class Unwritable(Exception):
    """One attempt that cannot be put as JSON; the disk is well, and others can be written."""


def failure_of_writing(outcome: Outcome, message: str) -> Outcome:
    """Return the failure that stands in the place of an outcome which cannot be written."""
    error = OutcomeError.model_validate({"class": "crashed", "message": message, "passing": True})
    return Outcome(
        task_id=outcome.task_id, repeat=outcome.repeat, attempt=outcome.attempt, status="failed", error=error
    )


class RunFolder:
    """A run folder opened for writing, by one process at a time. Use it as a context manager."""

    def __init__(
        self, folder: Path, config: Mapping[str, Any], *, rereads: bool = False, keeps_empty: bool = True
    ) -> None:
        """Prepare; nothing is touched before `with`.

        One that `rereads` may have been read by another reader. Without `keeps_empty`, a folder that `with` had to
        make is taken away at its end if nothing was written to it.
        """
        self.named = folder
        """As its user names it."""
        self.path = folder.absolute()
        """Whatever a judge's own code does to this process's working folder."""
        self._rereads = rereads
        self._keeps_empty = keeps_empty
        self._is_new = False
        self._config = dict(config)
        self._lock = FileLock(self.path / "lock")
        self._writer: AttemptWriter | None = None
        self._queue: list[Entry] = []
        self._flushing: asyncio.Task[None] | None = None
        self._attempts: dict[tuple[str, int], int] = {}
        self.latest: dict[tuple[str, int], Outcome] = {}
        self.outcomes: tuple[Outcome, ...] = ()
        """Every attempt that stood there when it was opened."""
        self.warnings: tuple[Finding, ...] = ()
        """Lines that stood there and are no outcome."""

    def __enter__(self) -> Self:
        """Create or reopen the folder.

        Raises UsageError when another process writes to it or it holds another configuration.
        """
        self._is_new = not self.path.exists()
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            raise UsageError(f"{self.named} is being written by another process; wait for it or use --out") from error
        try:
            self._open()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            # What an interruption left in the queue was paid for.
            self._writer.write(self._queue)
            self._writer.close()
        if self._is_new and not self._keeps_empty and not self.latest:
            self._take_away()
        self._lock.release()

    def _take_away(self) -> None:
        """Remove what `_open` made, under the lock; whatever else is there stays, and the folder with it."""
        if (self.path / OUTCOMES).is_file() and (self.path / OUTCOMES).stat().st_size:
            return
        with contextlib.suppress(OSError):
            (self.path / "transcripts").rmdir()
            for name in (OUTCOMES, CONFIG, "lock"):
                (self.path / name).unlink(missing_ok=True)
            self.path.rmdir()

    def _open(self) -> None:
        if (self.path / CONFIG).is_file():
            found = read_config(self.path)
            refuse_difference(found | ({"reader": READER} if self._rereads else {}), self._config, str(self.named))
            self._config = widened(found, self._config)
        (self.path / "transcripts").mkdir(exist_ok=True)
        written = read_outcomes(self.path)
        self._writer = AttemptWriter(self.path)
        self._writer.end_at(written.complete)
        self.outcomes, self.warnings = tuple(written.outcomes), tuple(written.warnings)
        for outcome in self.outcomes:
            self._count(Entry(outcome))
        self._config.setdefault("id", secrets.token_hex(16))
        write_atomically(self.path / CONFIG, json.dumps(self._config, indent=1).encode())

    def _count(self, entry: Entry) -> None:
        outcome, ended = entry.outcome, entry.ended
        if entry.error is None:
            key = (outcome.task_id, outcome.repeat)
            self.latest[key] = outcome
            self._attempts[key] = max(self._attempts.get(key, 0), outcome.attempt)
        if ended is not None and not ended.done():  # it is when its caller was cancelled
            if entry.error is None:
                ended.set_result(None)
            else:
                ended.set_exception(self._stopped(entry.error))

    @property
    def id(self) -> str:
        """What stands for this folder and no other, wherever it is moved; known once it is open."""
        return str(self._config["id"])

    def next_attempt(self, task_id: str, repeat: int) -> int:
        """Return the number of the next attempt at a task and repeat, from 1."""
        return self._attempts.get((task_id, repeat), 0) + 1

    def append(self, outcome: Outcome, transcript: Mapping[str, Any] | None) -> None:
        """Write one attempt for good: the transcript first, so that no outcome lacks what it was read from.

        Raises RunStopped when the disk does not take it, Unwritable when it cannot be put as JSON; what was written
        before stays good.
        """
        entry = Entry(outcome, transcript)
        self._opened.write([entry])
        self._count(entry)
        if entry.error is not None:
            raise self._stopped(entry.error)

    async def write(self, outcome: Outcome, transcript: Mapping[str, Any] | None) -> None:
        """Write one attempt for good without holding up the event loop; what comes together is synced together.

        Raises what `append` raises. When the caller is cancelled the attempt is written all the same.
        """
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(Entry(outcome, transcript, ended))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        await ended

    async def _flush(self) -> None:
        try:
            while batch := self._queue[:]:
                await asyncio.to_thread(self._opened.write, batch)
                del self._queue[: len(batch)]
                for entry in batch:
                    self._count(entry)
        except BaseException as error:
            for entry in self._queue:  # whoever waits for a line must hear that it does not come
                if entry.ended is not None and not entry.ended.done():
                    entry.ended.set_exception(error)
            raise
        finally:
            self._flushing = None

    @property
    def _opened(self) -> AttemptWriter:
        assert self._writer is not None, "a run folder is written to inside `with`"
        return self._writer

    def _stopped(self, error: Exception) -> RunStopped | Unwritable:
        if isinstance(error, OSError):
            return RunStopped("disk", _disk_message(error, self.named))
        return Unwritable(f"what came back cannot be written: {type(error).__name__}")


def _disk_message(error: OSError, folder: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"no space left on the disk of {folder}; what was written is good, the same command goes on"
    return f"cannot write to {folder}: {error.strerror}; what was written is good"
