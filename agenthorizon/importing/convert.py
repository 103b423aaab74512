"""Converts sources of one format into a data set: finds the importer by name, lets it read, writes."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agenthorizon import plugins
from agenthorizon.errors import Finding
from agenthorizon.importer import Importer, Notes, Recording
from agenthorizon.importing.folder import open_sources
from agenthorizon.importing.report import ImportReport
from agenthorizon.importing.writer import Settings, write

ROOM = "data.importers"


def convert(
    sources: Sequence[Path], out: Path, settings: Settings, progress: Callable[[int], None] | None = None
) -> ImportReport:
    """Import `sources` as a data set at `out`; `progress` is told the number of recordings read so far.

    Raises UsageError for an unknown format, a source that is not there, or an `out` that is in use. When nothing could
    be taken nothing is written, and the report says why.
    """
    importer: Importer = plugins.implementation(ROOM, settings.format)()
    notes = Notes()
    folders = open_sources(sources)
    keys: list[str] = []
    report = write(_told(importer.recordings(folders, notes), keys, progress), out, settings, notes)
    if not keys:
        wanted = sorted({pattern for folder in folders for pattern in folder.looked_for})
        detail = f"no recording of {settings.format} was found; looked for files named {', '.join(wanted)}"
        report.findings.append(Finding("no_recording", ", ".join(map(str, sources)), detail=detail))
    elif unmatched := sorted(settings.instructions.keys() - keys):
        report.findings.append(_unmatched(unmatched, keys))
    return report


def _unmatched(unmatched: Sequence[str], keys: Sequence[str]) -> Finding:
    """Say which keys of the instructions are no recording's, and what recordings are called."""
    more = f" and {len(unmatched) - 3} more" if len(unmatched) > 3 else ""
    named = ", ".join(map(repr, unmatched[:3])) + more
    detail = f"{named} matched no recording; expected keys such as {', '.join(map(repr, keys[:3]))}"
    return Finding("unmatched_instruction", "--instructions", detail=detail)


def _told(
    recordings: Iterator[Recording], keys: list[str], progress: Callable[[int], None] | None
) -> Iterator[Recording]:
    """Yield the recordings, noting their keys."""
    for number, recording in enumerate(recordings, start=1):
        keys.append(recording.key)
        yield recording
        if progress:
            progress(number)
