"""Could anything but the work itself tell a judge the answer? Giveaways in words, and what simple guessers reach."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from statistics import median

from agenthorizon.construction.giveaways import giveaways
from agenthorizon.construction.guessing import CHANCE_OF_ALARM, Guess, guess_all
from agenthorizon.construction.pictures import Progress
from agenthorizon.construction.records import read_records
from agenthorizon.construction.subjects import Subject, gather
from agenthorizon.errors import DataError, Finding
from agenthorizon.source import open_as_it_is

STANDS_OUT = 3600.0
"""Seconds from the middle of all file times from which a file stands out."""


@dataclass(frozen=True)
class AuditReport:
    """What an audit found."""

    tasks: int
    groups: int
    guesses: tuple[Guess, ...]
    leaks: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    """What a careless harness could make a leak of; this package's evidence does not show it."""

    @property
    def is_testable(self) -> bool:
        """Whether there are tasks enough for any guesser to show a leak."""
        return any(guess.is_testable for guess in self.guesses)


def audit_data(
    location: str | Path, labels: str | Path | None = None, *, progress: Progress | None = None
) -> AuditReport:
    """Audit a data set that has labels.

    Raises DataError when it has none, or is broken otherwise than by answers inside its records.
    """
    bench = open_as_it_is(location, labels)
    records = read_records(bench, progress)
    absent = (warning for warning in bench.warnings if warning.code == "label_without_task")
    faults = [*bench.faults, *records.broken, *absent]
    inside = [fault for fault in faults if fault.code == "label_leak"]
    if others := [fault for fault in faults if fault.code != "label_leak"]:
        raise DataError(f"{location} is broken; mend what `data check` finds first", others)
    subjects = gather(bench, records, progress)
    guesses = tuple(guess_all(subjects))
    return AuditReport(
        tasks=len(subjects),
        groups=len({subject.group for subject in subjects}),
        guesses=guesses,
        leaks=(
            *inside,
            *giveaways(subjects),
            *(_of_guess(guess) for guess in guesses if guess.leaks),
            *_order_within_recordings(subjects),
        ),
        notes=tuple(_notes(subjects)),
    )


def _of_guess(guess: Guess) -> Finding:
    assert guess.balanced_accuracy is not None
    assert guess.interval is not None
    low, high = guess.interval
    detail = f"a guesser that sees nothing else reaches {guess.balanced_accuracy:.1%} [{low:.1%}, {high:.1%}]"
    return Finding(f"guessed_from_{guess.view.replace(' ', '_')}", "labels", detail=detail)


def _order_within_recordings(subjects: Sequence[Subject]) -> Iterator[Finding]:
    """Suspect an order in which one class comes first among the tasks of a recording, by the sign test."""
    first: dict[str, Subject] = {}
    positive_first: dict[str, bool] = {}
    for subject in subjects:
        if recording := subject.label.original_id:
            before = first.setdefault(recording, subject)
            if before.label.is_positive != subject.label.is_positive:
                positive_first.setdefault(recording, before.label.is_positive)
    ahead, total = sum(positive_first.values()), len(positive_first)
    fewer = min(ahead, total - ahead)
    if sum(comb(total, k) for k in range(fewer + 1)) / 2**total < CHANCE_OF_ALARM:
        detail = f"the positive comes first in {ahead} of {total} recordings that are shown under both labels"
        yield Finding("order_within_recordings", "labels", detail=detail)


def _notes(subjects: Sequence[Subject]) -> Iterator[Finding]:
    yield from _twins(subjects)
    yield from _recorders_words(subjects)
    yield from _times_that_stand_out(subjects)
    texts = Counter(text for subject in subjects for facts in subject.pictures for text in facts.embedded)
    if texts:
        detail = f"{texts.total()} texts inside screenshots, e.g. {texts.most_common(1)[0][0][:100]!r}"
        yield Finding("picture_texts", "screenshots", detail=detail)


def _twins(subjects: Sequence[Subject]) -> Iterator[Finding]:
    recordings: dict[str, list[Subject]] = defaultdict(list)
    for subject in subjects:
        if subject.label.original_id:
            recordings[subject.label.original_id].append(subject)
    twins = [same for same in recordings.values() if len(same) > 1]
    if twins:
        tasks = sum(len(same) for same in twins)
        detail = (
            f"{len(twins)} recordings are shown under two instructions or more, in {tasks} tasks: who sees two at "
            "once, or a folder name that they share, knows that at most one is right"
        )
        yield Finding("same_recording", "labels", detail=detail)


def _recorders_words(subjects: Sequence[Subject]) -> Iterator[Finding]:
    worded = [s for s in subjects if any(step.thought or step.action_description for step in s.task.trajectory.steps)]
    if worded:
        detail = f"{len(worded)} records hold thoughts or descriptions, which say what was done for what; never shown"
        yield Finding("recorder_words", "records", detail=detail)


def _times_that_stand_out(subjects: Sequence[Subject]) -> Iterator[Finding]:
    times = {path: path.stat().st_mtime for subject in subjects for path in subject.files}
    middle = median(times.values()) if times else 0.0
    apart = [path for path, time in times.items() if abs(time - middle) > STANDS_OUT]
    if apart and len(apart) <= len(times) / 10:
        for path in apart:
            yield Finding("file_time", path.name, detail="was changed at another time than nearly all others")
