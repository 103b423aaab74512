"""What one reading of a data set's records tells: what is unusual or wrong in them, and their fingerprint.

A run asks for both before it spends anything; reading 1,373 records and looking at 110,000 files for each would cost
as much as showing them all.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from agenthorizon.dataset.oddities import oddities, screenshot_findings
from agenthorizon.dataset.schema import checked_id, recorded_screenshots
from agenthorizon.dataset.screenshots import Locator, Screenshot, verified
from agenthorizon.dataset.task_files import RawTask, TaskFiles
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.jsonlines import has_lone_surrogate

Progress = Callable[[int, int], None]
"""Told how many records are read, of how many."""


class Survey:
    """Reads the records of a data set, each once: for its digest, and where it is looked at, for its findings."""

    def __init__(self, files: TaskFiles, root: Path, ids: Collection[str]) -> None:
        """Take where the records are, the folder that no screenshot may lie outside of, and the tasks that count."""
        self._files = files
        self._root = root
        self._ids = ids
        self._digests: dict[str, bytes] = {}
        self._findings: dict[str, list[Finding]] = {}
        self._sound: set[str] = set()
        self._fingerprint: str | None = None

    def fingerprint(self, progress: Progress, checking: Collection[str] = ()) -> str:
        """Return the SHA-256 over all records and the names and sizes of their screenshots, taken once.

        Tasks of `checking` are looked at in the same reading, which `findings` is spared. Raises DataError with the
        faults of all records at once.
        """
        if self._fingerprint is None:
            self._read_all(progress, frozenset(checking))
            whole = hashlib.sha256()
            for task_id in sorted(self._ids):
                whole.update(self._digests[task_id])
            self._fingerprint = whole.hexdigest()
        return self._fingerprint

    def findings(self, ids: Collection[str]) -> list[Finding]:
        """Return what is unusual in records, and which of their screenshots are missing, by each file's first bytes.

        Those that were looked at are not read again, until they are forgotten. Raises DataError with the faults of all
        records at once.
        """
        _refuse([fault for each in ids if each not in self._findings for fault in self._read(each, looks=True)])
        return [finding for task_id in ids for finding in self._findings[task_id]]

    def forget(self, ids: Iterable[str]) -> None:
        """Have records looked at anew when their findings are asked for."""
        for task_id in ids:
            self._findings.pop(task_id, None)

    def is_sound(self, task_id: str) -> bool:
        """Whether every file that a task names was there, and began like an image, when it was last looked at."""
        return task_id in self._sound

    def _read_all(self, progress: Progress, looked_at: Collection[str]) -> None:
        faults: list[Finding] = []
        for done, task_id in enumerate(self._ids, start=1):
            looks = task_id in looked_at
            if task_id not in self._digests or (looks and task_id not in self._findings):
                faults += self._read(task_id, looks=looks)
            progress(done, len(self._ids))
        _refuse(faults)

    def _read(self, task_id: str, *, looks: bool) -> list[Finding]:
        """Take one record in; return why it cannot be used."""
        try:
            raw = self._files.read(task_id)
            checked_id(raw.record, raw.place)
        except DataError as error:
            return list(error.faults) or [Finding("unreadable", task_id, detail=str(error))]
        recorded = recorded_screenshots(raw.record)
        locator = Locator(self._root, self._files.bases(task_id))
        shots = [locator.locate(path) for path in recorded]
        text = json.dumps([task_id, raw.record], sort_keys=True)
        self._digests[task_id] = _digest(text, recorded, shots)
        if looks:
            # The text is ASCII and tells at once that there is none, as nearly always.
            has_surrogate = "\\ud" in text and has_lone_surrogate(raw.record)
            self._look(task_id, raw, shots, has_surrogate)
        return []

    def _look(self, task_id: str, raw: RawTask, shots: Iterable[Screenshot], has_surrogate: bool) -> None:
        missing = screenshot_findings(raw.place, [verified(shot) for shot in shots])
        self._findings[task_id] = [*oddities(raw.record, raw.place, has_surrogate), *missing]
        if missing:
            self._sound.discard(task_id)
        else:
            self._sound.add(task_id)


def _refuse(faults: Sequence[Finding]) -> None:
    if faults:
        raise DataError("the data set has records that cannot be used", faults)


def _digest(text: str, recorded: Sequence[str | None], shots: Sequence[Screenshot]) -> bytes:
    digest = hashlib.sha256(text.encode())
    sizes = (-1 if shot.size is None else shot.size for shot in shots)
    digest.update("".join(f"{path!a} {size}\n" for path, size in zip(recorded, sizes, strict=True)).encode())
    return digest.digest()
