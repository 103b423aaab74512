"""The contract of an importer: something that reads another project's recordings, and the records it hands over.

An importer is one file in `data/importers/` with one class that has `recordings`; the file's name is the format's name.
It only translates: files are opened through the SourceFolder it is given, ids, pictures and every output file are the
writer's (`importing/writer.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from agenthorizon.dataset.pair_link import PairLink
from agenthorizon.errors import Finding
from agenthorizon.task import KNOWN_ACTIONS, Action

if TYPE_CHECKING:
    from agenthorizon.importing.folder import SourceFolder


@dataclass(frozen=True)
class Frame:
    """One picture of a source: a file, bytes that stood inside a JSON, or why there is none."""

    name: str
    """As the source names it; goes into the sources file, never where a judge could see it."""
    path: Path | None = None
    data: bytes | None = field(default=None, repr=False)
    fault: str | None = None
    """Why there is no picture although the source has a place for one; None when there is one."""
    size: tuple[int, int] | None = None
    """Width and height in pixels, where the header says so."""


@dataclass(frozen=True)
class ImportedStep:
    """A screenshot taken before an action, and that action."""

    frame: Frame | None
    """None where the source took no picture for this action."""
    action: Action
    original: str | None = None
    """The action in the source's own text; None for a step that only carries a picture."""
    timestamp_us: int | None = None
    """Microseconds from the start of the recording."""

    @property
    def is_mapped(self) -> bool:
        """Whether the schema knows the action and nothing it requires is missing or in another unit."""
        if not self.action.is_known or "unit" in self.action.parameters:
            return False
        return all(self.action.parameters.get(name) is not None for name in KNOWN_ACTIONS[self.action.type])


@dataclass(frozen=True)
class RecordedAnswer:
    """What the source itself says about success; written into the label file alone."""

    label: Literal["positive", "negative"]
    stated: Any
    """The source's own value, e.g. a score of 1.0."""


@dataclass(frozen=True)
class Recording:
    """One recording of a source."""

    key: str
    """Its name in the source, unique there; the opaque id is made from it."""
    instruction: str | None
    """None where the source has none: the user must give one."""
    steps: tuple[ImportedStep, ...]
    os: str | None = None
    screen_resolution: tuple[int, int] | None = None
    task: dict[str, Any] = field(default_factory=dict)
    """More fields of the record's `task` object: applications, category, persona …"""
    extra: dict[str, Any] = field(default_factory=dict)
    """More top-level fields of the record, such as milestones."""
    answer: RecordedAnswer | None = None
    kept: dict[str, Any] = field(default_factory=dict)
    """What has no place in the schema or would tell the answer; written into the sources file alone."""
    pair: PairLink | None = None
    """Which recording it was made a pair with, by their keys: this one is the child."""
    pictures: str | None = None
    """Key of the recording whose pictures these are, where several instructions share one; None is its own."""


class Notes:
    """Collects what was unusual or could not be read while importing."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def add(self, code: str, file: str, detail: str = "", *, line: int | None = None) -> None:
        """Add one note."""
        self.findings.append(Finding(code, file, line, detail=detail))


class Importer(Protocol):
    """Reads the recordings of one format."""

    def recordings(self, sources: Sequence["SourceFolder"], notes: Notes) -> Iterator[Recording]:
        """Yield every recording found in the sources; what is broken goes into the notes and is passed over."""
