"""Names that say nothing: ids of tasks and folders of recordings, made from the seed and the originals."""

import hashlib
import uuid
from dataclasses import dataclass

from agenthorizon.construction.candidates import Candidate


@dataclass(frozen=True)
class OpaqueNames:
    """Makes UUIDs that are the same whenever the seed and the recordings are.

    Who knows the seed and the recordings' ids can make them too: both belong with the labels, out of judges' reach.
    """

    seed: int

    def task(self, candidate: Candidate) -> str:
        """Return the id of a task."""
        return self._made("task", candidate.instruction_of, candidate.recording)

    def folder(self, recording: str) -> str:
        """Return the folder of a recording's screenshots, which its tasks share."""
        return self._made("folder", recording)

    def group(self, group: str) -> str:
        """Return the id of a pair group."""
        return self._made("group", group)

    def _made(self, *parts: str) -> str:
        digest = hashlib.sha256("\0".join((str(self.seed), *parts)).encode("utf-8", "surrogatepass")).digest()
        return str(uuid.UUID(bytes=digest[:16], version=4))
