"""A run as it stands on disk: config.json, outcomes.jsonl (one line per attempt) and transcripts/ (every raw reply).

The last complete line of a task and repeat is what counts. A line that a killed process left unfinished is dropped.
"""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenthorizon.errors import DataError, Finding
from agenthorizon.files.regular_file import read_regular
from agenthorizon.outcome import Outcome, latest
from agenthorizon.running.config_file import CONFIG, read_config
from agenthorizon.running.outcome_lines import WrittenOutcomes, parse_outcomes
from agenthorizon.running.verdicts_asked import as_asked, both, verdicts_asked

OUTCOMES = "outcomes.jsonl"


@dataclass(frozen=True)
class Run:
    """A run as it stands on disk: what was asked of whom, and what became of it."""

    folder: Path
    config: dict[str, Any]
    outcomes: tuple[Outcome, ...]
    """Every attempt, in the order of writing."""
    warnings: tuple[Finding, ...] = ()
    """Lines of outcomes.jsonl that are no outcome: they count for nothing."""

    def __repr__(self) -> str:
        verdicts = sum(outcome.status == "verdict" for outcome in self.latest.values())
        return f"<Run {self.folder}: {len(self.config.get('asked', ()))} tasks asked, {verdicts} verdicts>"

    @property
    def judge(self) -> str:
        """The judge's name."""
        return str(self.config["judge"]["name"])

    @property
    def latest(self) -> dict[tuple[str, int], Outcome]:
        """The outcome that counts for each task and repeat."""
        return latest(list(self.outcomes))

    @property
    def verdicts_asked(self) -> dict[str, int]:
        """How many verdicts on each task it was asked for."""
        return verdicts_asked(self.config, self.latest)


def read_run(folder: Path) -> Run:
    """Read a run folder without writing to it. Raises UsageError where there is none, DataError when it is broken."""
    config = read_config(folder)
    written = read_outcomes(folder)
    return Run(folder, config, tuple(written.outcomes), tuple(written.warnings))


def run_folders(places: Iterable[Path]) -> list[Path]:
    """Return those of several places that may be run folders, as `runs/*` names reports and tables beside them, too.

    What is not there, and a run folder that has lost a file, stays, so that reading it says what is wrong; so does
    everything where nothing is a run folder.
    """
    named = list(places)
    return [place for place in named if not _is_another_thing(place)] or named


def _is_another_thing(place: Path) -> bool:
    return place.is_file() or (place.is_dir() and not any((place / name).exists() for name in (CONFIG, OUTCOMES)))


def widened(found: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return a config that was asked what two commands ask; of the rest, the first one's."""
    return {
        **found,
        "reader": more.get("reader", found.get("reader")),
        **as_asked(both(verdicts_asked(found), verdicts_asked(more))),
    }


def read_outcomes(folder: Path) -> WrittenOutcomes:
    """Read what outcomes.jsonl holds, nothing where there is none. Raises DataError when it cannot be read."""
    path = folder / OUTCOMES
    try:
        return parse_outcomes(read_regular(path) if path.exists() else b"")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error


def transcript_path(folder: Path, outcome: Outcome) -> Path:
    """Return where the raw reply of an attempt is kept."""
    return folder / "transcripts" / f"{outcome.task_id}.r{outcome.repeat}.a{outcome.attempt}.json.gz"


def read_transcript(folder: Path, outcome: Outcome) -> dict[str, Any]:
    """Return what was received for an attempt: `text`, `finish`, `raw`, and `failure`, the class of one beside them.

    Raises DataError when it is gone or broken.
    """
    path = transcript_path(folder, outcome)
    try:
        kept = json.loads(gzip.decompress(read_regular(path)))
    except (OSError, EOFError, ValueError, zlib.error, RecursionError) as error:
        raise DataError(f"no readable transcript {path.name}: {error}") from error
    if not isinstance(kept, dict) or not all(isinstance(kept.get(name), str | None) for name in ("text", "finish")):
        raise DataError(f"no readable transcript {path.name}: expected an object whose text and finish are texts")
    return kept


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file so that a crash leaves the old content or the new, never a part."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def pending(
    latest_outcomes: Mapping[tuple[str, int], Outcome], wanted: Iterable[tuple[str, int]], retry: frozenset[str]
) -> list[tuple[str, int]]:
    """Return the tasks and repeats still to be asked: new ones, passing failures, and classes named by `retry`."""

    def is_open(outcome: Outcome | None) -> bool:
        return outcome is None or not outcome.is_settled or bool(outcome.error and outcome.error.kind in retry)

    return [key for key in wanted if is_open(latest_outcomes.get(key))]
