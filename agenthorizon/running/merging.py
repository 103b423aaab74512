"""Puts the run folders of one configuration together: shards, or the same run made in two places."""

import hashlib
import heapq
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from agenthorizon.errors import UsageError
from agenthorizon.files.whole_folder import new_folder
from agenthorizon.outcome import Outcome
from agenthorizon.running.config import refuse_difference
from agenthorizon.running.config_file import CONFIG, read_config
from agenthorizon.running.store import OUTCOMES, Run, read_run, transcript_path, widened

_PATIENCE = 3.0
"""Seconds for another process that merges the same runs: it holds each of them as long as reading takes."""


class _Line(NamedTuple):
    """An attempt as it is to be written, and the transcript it has where it comes from."""

    outcome: Outcome
    transcript: Path


def merge_runs(folders: Sequence[Path], into: Path) -> Run:
    """Write the attempts of all folders into a new one and return it.

    The last line of a task and repeat counts, by the time it was written; an attempt that stands in two folders is
    taken once, others are numbered anew; lines that are no outcome are left out, and are its warnings. Raises
    UsageError for runs of different configurations, a run that is being written, or a folder that is not empty.
    """
    with new_folder(into, "name a new one with -o") as draft:
        runs = [_finished(folder) for folder in folders]
        config = runs[0].config
        for run in runs[1:]:
            refuse_difference(run.config, config, str(run.folder))
            config = widened(config, run.config)
        _write(runs, config, draft)
    return replace(read_run(into), warnings=tuple(warning for run in runs for warning in run.warnings))


def _write(runs: Sequence[Run], config: Mapping[str, Any], folder: Path) -> None:
    (folder / "transcripts").mkdir()
    alike = {name: value for name, value in config.items() if name != "id"}  # it is another folder than any of theirs
    (folder / CONFIG).write_text(json.dumps(alike, indent=1))
    with (folder / OUTCOMES).open("wb") as file:
        for line in _numbered_anew(runs):
            if line.transcript.is_file():
                shutil.copyfile(line.transcript, transcript_path(folder, line.outcome))
            file.write(line.outcome.to_line())
        os.fsync(file.fileno())


def _finished(folder: Path) -> Run:
    """Read a run that no process writes to, while none can begin to."""
    read_config(folder)  # no lock is made where there is no run
    try:
        with FileLock(folder / "lock", timeout=_PATIENCE):
            return read_run(folder)
    except Timeout as error:
        raise UsageError(f"{folder} is being written by another process; merge when it has ended") from error


def _numbered_anew(runs: Sequence[Run]) -> Iterator[_Line]:
    """Yield every attempt once, in the order of writing; one read anew keeps the number of the first reading."""
    numbers: dict[Path, int] = {}
    counts: dict[tuple[str, int], int] = {}
    seen: dict[tuple[bytes, str | None], int] = {}
    lines = ([_Line(outcome, transcript_path(run.folder, outcome)) for outcome in run.outcomes] for run in runs)
    for line in heapq.merge(*lines, key=lambda line: line.outcome.at):
        outcome, transcript = line
        content = _content(line)
        if content in seen:
            numbers.setdefault(transcript, seen[content])  # it may have been read anew in one folder alone
            continue
        key = (outcome.task_id, outcome.repeat)
        if transcript not in numbers:
            numbers[transcript] = counts[key] = counts.get(key, 0) + 1
        seen[content] = numbers[transcript]
        yield _Line(outcome.model_copy(update={"attempt": numbers[transcript]}), transcript)


def _content(line: _Line) -> tuple[bytes, str | None]:
    """Return what makes an attempt the same one, whatever number it has: merging has numbered it anew before."""
    written = line.outcome.model_copy(update={"attempt": 1}).to_line()
    if not line.transcript.is_file():
        return written, None
    with line.transcript.open("rb") as file:
        return written, hashlib.file_digest(file, "sha256").hexdigest()
