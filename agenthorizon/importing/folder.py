"""Opens the files of a source without leaving its folder: links and names that lead outside are not followed.

Hidden files (`.DS_Store`, `._x`) are no part of a source. A file that cannot be read is noted and passed over.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase as fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

from agenthorizon.dataset.screenshots import locate
from agenthorizon.errors import DataError, UsageError
from agenthorizon.files.jsonlines import Line, parse_json, read_lines
from agenthorizon.files.regular_file import read_regular
from agenthorizon.importer import Frame, Notes
from agenthorizon.importing.pictures import picture_file


class SourceFolder:
    """One SOURCE of the command: a folder, or a single file in its folder."""

    def __init__(self, location: Path, prefix: str = "") -> None:
        """Open it; `prefix` goes before names, to tell several sources apart.

        Raises UsageError when nothing is there.
        """
        if not location.exists():
            raise UsageError(f"{location} does not exist")
        self._only = location.name if location.is_file() else None
        self._prefix = prefix
        self.looked_for: set[str] = set()
        """Patterns of the file names that were asked for."""
        self.root = (location.parent if location.is_file() else location).resolve()

    def files(self, *patterns: str) -> list[Path]:
        """Return the files whose name matches one of the patterns, in the order of their paths."""
        self.looked_for.update(patterns)
        all_files = [path for files in self._folders.values() for path in files]
        wanted = [path for path in all_files if self._only in (None, path.name)]
        return [path for path in wanted if any(fnmatch(path.name, pattern) for pattern in patterns)]

    def inside(self, folder: Path) -> list[Path]:
        """Return the files that lie directly in a folder of this source, by name."""
        return self._folders.get(folder, [])

    @cached_property
    def _folders(self) -> dict[Path, list[Path]]:
        """Every folder with its files, walked once; of a single file, its folder alone."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith(".")) if self._only is None else []
            paths = [Path(folder, name) for name in sorted(names) if not name.startswith(".")]
            found[Path(folder)] = [path for path in paths if self._is_inside(path)]
        return dict(sorted(found.items(), key=lambda item: item[0].parts))

    def _is_inside(self, path: Path) -> bool:
        return path.is_file() and path.resolve().is_relative_to(self.root)

    def name(self, path: Path) -> str:
        """Return how a file or folder is called in messages and keys: its path inside the source."""
        relative = path.relative_to(self.root)
        if self._prefix:
            return "/".join((self._prefix, *relative.parts))
        return relative.as_posix() if relative.parts else self.root.name

    def json(self, path: Path, notes: Notes) -> Any:
        """Parse a JSON file of this source; a broken one is noted, an absent one not, and None returned."""
        if path not in self.inside(path.parent):
            return None
        try:
            return parse_json(read_regular(path))
        except (OSError, ValueError) as error:
            notes.add("unreadable_file", self.name(path), str(error))
            return None

    def lines(self, path: Path, notes: Notes) -> Iterator[Line]:
        """Yield the objects of a JSONL file; a line that is not one is noted and passed over."""
        for line in self._lines(path, notes):
            if line.fault or not isinstance(line.value, dict):
                detail = line.fault.detail if line.fault else "expected a JSON object"
                notes.add("unreadable_line", self.name(path), detail, line=line.number)
            else:
                yield line

    def _lines(self, path: Path, notes: Notes) -> Iterator[Line]:
        try:
            yield from read_lines(path)
        except DataError as error:
            notes.add("unreadable_file", self.name(path), str(error))

    def text(self, path: Path, notes: Notes) -> str:
        """Return a text file, empty where it cannot be read; that, and bytes that are not UTF-8, are noted."""
        try:
            data = read_regular(path)
        except OSError as error:
            notes.add("unreadable_file", self.name(path), error.strerror or str(error))
            return ""
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            notes.add("not_utf8", self.name(path), "undecodable bytes are shown as U+FFFD")
            return data.decode("utf-8", errors="replace")

    def frame(self, recorded: str, base: Path) -> Frame:
        """Find a picture named by the source, relative to `base`."""
        shot = locate(recorded, [base], self.root)
        if shot.path is None:
            return Frame(recorded, fault=shot.fault or "missing_screenshot")
        return picture_file(shot.path, recorded)


def open_sources(locations: Sequence[Path]) -> list[SourceFolder]:
    """Open the SOURCEs of a command; names in several begin with their source's, numbered where two have one name.

    Raises UsageError when one is not there.
    """
    if len(locations) == 1:
        return [SourceFolder(locations[0])]
    taken: Counter[str] = Counter()
    sources = []
    for location in locations:
        name = location.resolve().name
        taken[name] += 1
        sources.append(SourceFolder(location, name if taken[name] == 1 else f"{name}#{taken[name]}"))
    return sources
