"""Finds the file of a recorded screenshot without ever leaving the data set's folder, and looks at its first bytes."""

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from agenthorizon.files.regular_file import WITHOUT_WAITING

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")

Fault = Literal["missing_screenshot", "remote_screenshot", "unsafe_path", "not_an_image"]
FAULTS: frozenset[str] = frozenset(get_args(Fault))
"""Why a screenshot can be missing; the codes, too, of what `Bench.check` says of it."""

_ADDRESS = re.compile(r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?(?://[^/?#]*)?(?P<path>[^?#]*)")

_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\x00", b"MM\x00*")


class Screenshot(NamedTuple):
    """A step's screenshot as it stands on disk: a file, none taken, or missing."""

    file: str | None = None
    """Its path as text: a Path of each would take as long to make as all the files to find."""
    fault: Fault | None = None
    """Why it is missing; None when it is not."""
    detail: str = ""
    had_backslashes: bool = False
    stat: os.stat_result | None = None
    """What the system said of the file, when it was found."""

    @property
    def path(self) -> Path | None:
        """Where the file is."""
        return None if self.file is None else Path(self.file)

    @property
    def size(self) -> int | None:
        """Bytes of the file."""
        return None if self.stat is None else self.stat.st_size

    @property
    def is_missing(self) -> bool:
        """Whether the recording names a picture that cannot be shown; a step without one is not missing."""
        return self.fault is not None


NO_SCREENSHOT = Screenshot()


class AddressParts(NamedTuple):
    """What is read of a recorded path or web address."""

    scheme: str
    """In lower case; empty where there is none."""
    path: str
    """Without host, query and fragment."""


def address_parts(recorded: str) -> AddressParts:
    """Take a path or address apart (RFC 3986, appendix B). Never raises: a host may be anything, e.g. `[x`."""
    found = _ADDRESS.match(recorded.strip())
    assert found is not None, "every part of the pattern may be empty"
    return AddressParts((found["scheme"] or "").lower(), found["path"])


class Locator:
    """Finds a task's recorded screenshots inside its data set's folder; remembers which folders lie in it.

    Made anew for each task, since somebody may put a link where a folder was.
    """

    def __init__(self, root: Path, bases: Sequence[Path]) -> None:
        """Take the folder that no screenshot may lie outside of, and those that paths may be relative to."""
        self._root = root
        self._bases = bases
        self._allowed: tuple[str, ...] | None = None
        self._starts: dict[str, list[str]] = {}
        self._inside: dict[str, bool] = {}

    def locate(self, recorded: str | None) -> Screenshot:
        """Find a recorded screenshot: relative to the first of the bases that holds it, always inside the root.

        Web addresses are not fetched. The file's content is not read: see `has_image_header`.
        """
        if not recorded or not recorded.strip():
            return NO_SCREENSHOT
        scheme = address_parts(recorded).scheme if "//" in recorded or recorded.startswith("data:") else ""
        if scheme in ("http", "https", "ftp", "s3", "gs"):
            return Screenshot(fault="remote_screenshot", detail="a web address is not fetched during judging")
        relative = recorded.replace("\\", "/")
        if scheme or not _stays_inside(relative):
            return Screenshot(fault="unsafe_path", detail=f"{recorded[:120]!r} may leave the data folder; never opened")
        return self._first_file(relative, "\\" in recorded)

    def _first_file(self, relative: str, had_backslashes: bool) -> Screenshot:
        folder, _, name = relative.rpartition("/")
        for start in self._starts_of(folder):
            path = start + name
            try:
                found = os.lstat(path)
                is_link = stat.S_ISLNK(found.st_mode)
                found = os.stat(path) if is_link else found  # noqa: PTH116
            except (OSError, ValueError):  # absent; or a name too long for the file system
                continue
            if not stat.S_ISREG(found.st_mode):
                continue
            if self._holds(os.path.realpath(path)) if is_link else self._is_inside(start):
                return Screenshot(path, had_backslashes=had_backslashes, stat=found)
            detail = "a link leads outside the data folder; link the whole folder instead"
            return Screenshot(fault="unsafe_path", detail=detail)
        return Screenshot(fault="missing_screenshot", detail=f"no file {relative[:200]!r}")

    def _starts_of(self, folder: str) -> list[str]:
        """Return what stands before a file's name, for each base; put together once a folder: a task has few."""
        if folder not in self._starts:
            self._starts[folder] = [os.path.join(base / folder, "") for base in self._bases]  # noqa: PTH118
        return self._starts[folder]

    def _is_inside(self, start: str) -> bool:
        """Whether a folder really lies in an allowed one, and so its files that are no links; asked once a folder."""
        if start not in self._inside:
            self._inside[start] = self._holds(os.path.realpath(start))
        return self._inside[start]

    def _holds(self, real: str) -> bool:
        if self._allowed is None:
            self._allowed = tuple(map(str, _allowed(self._root)))
        return any(real == place or real.startswith(place.rstrip(os.sep) + os.sep) for place in self._allowed)


def locate(recorded: str | None, bases: Sequence[Path], root: Path) -> Screenshot:
    """Find one recorded screenshot; for many of one task use a Locator."""
    return Locator(root, bases).locate(recorded)


def has_image_header(path: str | Path) -> bool:
    """Whether a file is not empty and begins like an image that recorders write. Nothing is decoded."""
    try:
        file = os.open(path, WITHOUT_WAITING)  # a third of what a file object costs
        try:
            head = os.read(file, 16)
        finally:
            os.close(file)
    except OSError:
        return False
    is_container = (head[:4] == b"RIFF" and head[8:12] == b"WEBP") or head[4:8] == b"ftyp"
    return is_container or head.startswith(_SIGNATURES)


def verified(shot: Screenshot) -> Screenshot:
    """Return the screenshot, as missing when its file is empty or does not begin like an image."""
    if shot.file is None or has_image_header(shot.file):
        return shot
    detail = f"{os.path.basename(shot.file)} is empty or does not begin like an image"  # noqa: PTH119
    return Screenshot(fault="not_an_image", detail=detail, had_backslashes=shot.had_backslashes)


def _stays_inside(relative: str) -> bool:
    """Whether a path with slashes is relative on any system and never goes up."""
    is_anchored = relative.startswith("/") or relative[1:2] == ":"
    goes_up = ".." in relative and ".." in relative.split("/")
    return not is_anchored and "\x00" not in relative and not goes_up


def _allowed(root: Path) -> list[Path]:
    """Return where a screenshot may really lie: the data root, and for a hub snapshot the blobs its links lead to."""
    resolved = root.resolve()
    blobs = [resolved.parent.parent / "blobs"] if resolved.parent.name == "snapshots" else []
    return [resolved, *blobs]
