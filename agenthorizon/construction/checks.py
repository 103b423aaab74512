"""Is a data set whole, and what it says? Every fault with its file and line; what is merely unusual is a note."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agenthorizon.construction.duplicates import duplicate_findings
from agenthorizon.construction.manifest import manifest_findings
from agenthorizon.construction.pair_checks import identical_instructions, pair_findings, shared_instructions
from agenthorizon.construction.pictures import Progress, look
from agenthorizon.construction.records import Records, TaskFacts, read_records
from agenthorizon.construction.step_checks import note_of_pictures, step_findings
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.screenshots import SUFFIXES, has_image_header
from agenthorizon.errors import Finding
from agenthorizon.source import open_as_it_is

NOTES = frozenset(
    {
        "action_not_object",
        "backslash_path",
        "keys_not_list",
        "lone_surrogate",
        "missing_parameter",
        "no_screenshots",
        "non_uuid_id",
        "null_action",
        "null_timestamps",
        "one_class_only",
        "os_value",
        "pair_group_size",
        "repeated_screenshot",
        "shared_instruction",
        "split_size",
        "step_id_base",
        "step_id_gap",
        "step_id_type",
        "unknown_action_type",
        "untyped_negative",
        "unused_file",
        "version",
    }
)
"""Codes of what is unusual but sound; every other finding is a fault."""

_MARKDOWNS = Path("sandbox", "data", "markdowns")


@dataclass(frozen=True)
class CheckReport:
    """What was looked at and what was found."""

    tasks: int
    steps: int
    screenshots: int
    """Different files."""
    decoded: bool
    findings: tuple[Finding, ...]

    @property
    def faults(self) -> tuple[Finding, ...]:
        """What has to be mended."""
        return tuple(finding for finding in self.findings if finding.code not in NOTES)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What is unusual but sound."""
        return tuple(finding for finding in self.findings if finding.code in NOTES)


def check_data(
    location: str | Path,
    labels: str | Path | None = None,
    *,
    decode: bool = True,
    progress: Progress | None = None,
) -> CheckReport:
    """Check a data set: records, every screenshot's bytes, pairs, duplicates, manifest.

    `decode` is that of `pictures.look`. Raises UsageError or DataError when there is nothing to check at `location`.
    """
    bench = open_as_it_is(location, labels)
    records = read_records(bench, progress)
    pictures = look((path for task in records.tasks for path in task.pictures), decode=decode, progress=progress)
    findings = [*bench.faults, *bench.warnings, *records.broken, *records.findings]
    for task in records.tasks:
        findings += [*step_findings(task, pictures), *note_of_pictures(task)]
    findings += duplicate_findings(records.tasks, pictures)
    findings += _of_labels(bench, records)
    findings += _of_folders(bench, records, set(pictures))
    findings += manifest_findings(bench, pictures)
    return CheckReport(
        tasks=len(records.tasks),
        steps=sum(len(task.steps) for task in records.tasks),
        screenshots=len(pictures),
        decoded=decode,
        findings=tuple(findings),
    )


def _of_labels(bench: Bench, records: Records) -> Iterator[Finding]:
    if bench.label_splits is None:
        return
    readable = {task.id: task for task in records.tasks}
    yield from bench.label_splits.known(readable).warnings()
    yield from pair_findings(bench.label_splits)
    yield from identical_instructions(records.tasks)
    yield from shared_instructions(records.tasks, bench.label_splits)


def _of_folders(bench: Bench, records: Records, used: set[Path]) -> Iterator[Finding]:
    """Look at what lies beside: Markdown pages of other tasks, pictures that no step names."""
    if (bench.root / _MARKDOWNS).is_dir():
        for task in records.tasks:
            yield from _markdown_findings(bench.root / _MARKDOWNS / f"{task.id}.md", task)
    for folder in sorted({path.parent for path in used}):
        for path in sorted(folder.iterdir()):
            if path.suffix.lower() in SUFFIXES and path not in used and has_image_header(path):
                yield Finding("unused_file", str(path.relative_to(bench.root)), detail="no step shows it")


def _markdown_findings(path: Path, task: TaskFacts) -> Iterator[Finding]:
    name = str(_MARKDOWNS / path.name)
    if not path.is_file():
        yield Finding("markdown_missing", name, detail="other tasks have a page there, this one has none")
    elif _words(task.instruction) not in _words(path.read_text("utf-8", "replace")):
        yield Finding("markdown_differs", name, detail="does not hold the instruction of its task")


def _words(text: str) -> str:
    """Return the words of a text, without what Markdown puts before a line or escapes a character with."""
    return " ".join(text.replace("\\", "").replace(">", " ").split())
