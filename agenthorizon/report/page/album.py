"""Screenshots under opaque names: what a picture is called on the page says nothing about where it lies."""

import hashlib
from pathlib import Path

from agenthorizon.case import View
from agenthorizon.errors import JudgeFailure
from agenthorizon.evidence.images import recorded_size

THUMB = View(fit=(1280, 832), format="webp", quality=70)
"""Large enough to read a dialogue, some 30 KB; 34 GB of recordings are not copied."""

_KNOWN = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".avif")


class Album:
    """Names screenshots and remembers where they are; tasks of one recording share theirs."""

    def __init__(self, root: Path, suffix: str | None = None) -> None:
        """Take the data set's folder, and how the names end (as the files do, if not given)."""
        self._root = root
        self._suffix = suffix
        self._names: dict[Path, str] = {}
        self._sizes: dict[Path, tuple[int, int] | None] = {}
        self.paths: dict[str, Path] = {}
        """Name on the page → file of the data set."""

    def name(self, path: Path) -> str:
        """Return the name of a screenshot on the page."""
        if path not in self._names:
            inside = str(path.relative_to(self._root)) if path.is_relative_to(self._root) else str(path)
            digest = hashlib.sha256(f"agenthorizon picture {inside!a}".encode()).hexdigest()[:24]
            suffix = path.suffix.lower() if path.suffix.lower() in _KNOWN else ".png"
            self._names[path] = digest + (self._suffix or suffix)
            self.paths[self._names[path]] = path
        return self._names[path]

    def size(self, path: Path) -> tuple[int, int] | None:
        """Return width and height in recorded pixels, which actions count in; None where the header is broken."""
        if path not in self._sizes:
            try:
                self._sizes[path] = recorded_size(path)
            except JudgeFailure:
                self._sizes[path] = None
        return self._sizes[path]
