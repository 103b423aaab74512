"""What one reading of a data set's records tells: what is unusual or wrong in them, and their fingerprint.

A run asks for both before it spends anything; reading 1,373 records and looking at 110,000 files for each would cost
as much as showing them all.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agenthorizon.dataset.oddities import oddities, screenshot_findings
from agenthorizon.dataset.schema import checked_id, recorded_screenshots
from agenthorizon.dataset.screenshots import Locator, Screenshot, verified
from agenthorizon.errors import DataError, Finding

if TYPE_CHECKING:
    from agenthorizon.dataset.bench import TaskFiles

Progress = Callable[[int, int], None]
"""Told how many records are read, of how many."""


class Survey:
    """Reads records for whoever asks; of each it keeps a digest, and its findings until they are asked for."""

    def __init__(self, files: "TaskFiles", root: Path) -> None:
        """Take where the records are, and the folder that no screenshot may lie outside of."""
        self._files = files
        self._root = root
        self._digests: dict[str, bytes] = {}
        self._findings: dict[str, list[Finding]] = {}
        self._sound: set[str] = set()

    def fingerprint(self, ids: Collection[str], checking: Collection[str], progress: Progress) -> str:
        """Return the SHA-256 over records and the names and sizes of their screenshots.

        Tasks of `checking` are looked at in the same reading, for the next call of `findings`. Raises DataError with
        the faults of all records at once.
        """
        chosen = frozenset(checking)
        faults: list[Finding] = []
        for done, task_id in enumerate(ids, start=1):
            if task_id not in self._digests or (task_id in chosen and task_id not in self._findings):
                faults += self._read(task_id, looks=task_id in chosen)
            progress(done, len(ids))
        if faults:
            raise DataError("the data set has records that cannot be used", faults)
        whole = hashlib.sha256()
        for task_id in sorted(ids):
            whole.update(self._digests[task_id])
        return whole.hexdigest()

    def findings(self, ids: Iterable[str]) -> list[Finding]:
        """Return what is unusual in records, and which of their screenshots are missing, by each file's first bytes.

        Raises DataError with the faults of all records at once.
        """
        faults: list[Finding] = []
        found: list[Finding] = []
        for task_id in ids:
            if task_id not in self._findings:
                faults += self._read(task_id, looks=True)
            found += self._findings.pop(task_id, [])  # whoever asks again has mended something
        if faults:
            raise DataError("the data set has records that cannot be used", faults)
        return found

    def is_sound(self, task_id: str) -> bool:
        """Whether every file that a task names was looked at and begins like an image."""
        return task_id in self._sound

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
            missing = screenshot_findings(raw.place, [verified(shot) for shot in shots])
            self._findings[task_id] = [*oddities(raw.record, raw.place, text), *missing]
            (self._sound.discard if missing else self._sound.add)(task_id)
        return []


def _digest(text: str, recorded: Sequence[str | None], shots: Sequence[Screenshot]) -> bytes:
    digest = hashlib.sha256(text.encode())
    sizes = (-1 if shot.size is None else shot.size for shot in shots)
    digest.update("".join(f"{path!a} {size}\n" for path, size in zip(recorded, sizes, strict=True)).encode())
    return digest.digest()
