"""Scorecards from what a user points at: run folders, another harness's results, a submission; and their labels."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label, read_labels
from agenthorizon.dataset.labels import Labels
from agenthorizon.dataset.splits import MAIN
from agenthorizon.errors import AgentHorizonError, DataError, UsageError, did_you_mean
from agenthorizon.running.config import short_hash
from agenthorizon.running.store import Run, read_run, run_folders
from agenthorizon.scoring.answers import from_outcomes
from agenthorizon.scoring.marks import Marks
from agenthorizon.scoring.results import from_results
from agenthorizon.scoring.scorecard import Conditions, Scorecard, marked, score
from agenthorizon.scoring.submission import from_submission
from agenthorizon.source import load


class ScoredRun(NamedTuple):
    """A run as it stands on disk, and its scorecard, whose judge's name no other run's has."""

    run: Run
    card: Scorecard


def score_run(run: Run, labels: Labels, splits: Collection[str] | None = None, repeat: int = 0) -> Scorecard:
    """Score one repeat of a run on the splits it was asked for, against the whole manifest of each."""
    answers = from_outcomes(run.outcomes, run.judge, repeat)
    answers = replace(answers, warnings=(*run.warnings, *answers.warnings))
    return score(answers, labels, _asked(run.verdicts_asked, repeat), splits, conditions_of(run))


def score_runs(
    folders: Iterable[Path], labels: Labels | None = None, splits: Collection[str] | None = None
) -> list[ScoredRun]:
    """Read run folders, once, and score each against `labels` or those of the data set it was made from.

    Runs whose judges have one name are told apart by the hash of their configuration. Raises UsageError for two runs of
    one configuration.
    """
    runs = _read(folders)
    return [
        ScoredRun(run, score_run(named, labels or labels_of(run), splits))
        for run, named in zip(runs, _told_apart(runs), strict=True)
    ]


def repeats_of(run: Run, labels: Labels | None = None, splits: Collection[str] | None = None) -> dict[str, list[Marks]]:
    """Return, by split, a run's marks once for each repeat that any task of the split was asked for.

    A mark says whether its task was asked in that repeat.
    """
    known, asked = labels or labels_of(run), run.verdicts_asked
    chosen = manifest_of(known, splits)
    planned = max((count for task_id, count in asked.items() if task_id in chosen), default=1)
    repeats = [
        marked(from_outcomes(run.outcomes, run.judge, repeat), known, _asked(asked, repeat), splits)
        for repeat in range(planned)
    ]
    return {name: [marks[name] for marks in repeats if name in marks] for name in repeats[0]}


def _asked(verdicts: Mapping[str, int], repeat: int) -> set[str]:
    """Return the tasks that were asked for in a repeat, counted from 0."""
    return {task_id for task_id, count in verdicts.items() if count > repeat}


def named_runs(folders: Iterable[Path]) -> list[Run]:
    """Read run folders; judges of one name get the hash of their configuration behind it.

    Raises UsageError for two runs of one configuration, which nothing tells apart.
    """
    return _told_apart(_read(folders))


def _read(folders: Iterable[Path]) -> list[Run]:
    return [read_run(place) for place in run_folders(folders)]


def _told_apart(runs: Sequence[Run]) -> list[Run]:
    names = Counter(run.judge for run in runs)
    named: dict[str, Run] = {}
    for run in (run if names[run.judge] == 1 else _renamed(run) for run in runs):
        if run.judge in named:
            raise UsageError(
                f"{named[run.judge].folder} and {run.folder} are runs of one configuration: give one of them, or merge "
                f"them (agenthorizon merge {named[run.judge].folder} {run.folder} -o FOLDER)"
            )
        named[run.judge] = run
    return list(named.values())


class CommonSplit(NamedTuple):
    """The split that scorecards are compared on."""

    name: str
    why: str = ""
    """Why it is not AH; empty where it is."""


def common_split(cards: Sequence[Scorecard]) -> CommonSplit:
    """Return AH, or the only split that all have. Raises UsageError for several, or none."""
    shared = [name for name in cards[0].splits if all(name in card.splits for card in cards)]
    if MAIN in shared:
        return CommonSplit(MAIN)
    without = ", ".join(card.judge for card in cards if MAIN not in card.splits)
    why = f"{MAIN} was not asked of {without}"
    if len(shared) != 1:
        raise UsageError(f"{why}; choose with --split one that all were asked: {', '.join(shared) or 'there is none'}")
    return CommonSplit(shared[0], why)


def splits_asked(run: Run, labels: Labels | None = None) -> set[str]:
    """Return the splits that a run was asked any task of. Raises UsageError where its labels cannot be opened."""
    asked = set(run.config.get("asked", ()))
    manifest = (labels or labels_of(run)).splits
    return {name for name, of_split in manifest.items() if any(label.trajectory_id in asked for label in of_split)}


def conditions_of(run: Run) -> Conditions:
    """Return what a run's scores depend on beside its judge."""
    data = run.config["data"]
    return Conditions(data["name"], data.get("form"), _protocol(run), data.get("fingerprint"))


def _renamed(run: Run) -> Run:
    named = {**run.config["judge"], "name": f"{run.judge} #{short_hash(run.config)}"}
    return replace(run, config={**run.config, "judge": named})


def score_results(path: Path, labels: Labels, splits: Collection[str] | None = None) -> Scorecard:
    """Score verdict files of another harness. Raises what `from_results` raises; without labels none are needed."""
    return score(from_results(path, may_be_empty=not labels), labels, None, splits)


def score_submission(path: Path, labels: Labels, splits: Collection[str] | None = None) -> Scorecard:
    """Score a submission, which must hold no task but those of `labels`."""
    return score(from_submission(path, labels), labels, None, splits)


def labels_of(run: Run) -> Labels:
    """Return the labels of the data set that a run was made from. Raises UsageError that asks for --labels."""
    location = str(run.config.get("location", ""))
    try:
        bench = opened(location)
    except AgentHorizonError as error:
        raise UsageError(
            f"{run.folder}: its data {location!r} cannot be opened for labels; give --labels FILE: {error}"
        ) from error
    if bench.label_splits is None:
        raise UsageError(f"{run.folder}: its data {location!r} has no labels; name a file of them with --labels FILE")
    return bench.labels


def find_labels(locations: Sequence[str]) -> Labels:
    """Return the labels in label files (each one split) or of data sets, put together.

    Raises UsageError for what is neither, DataError where two of them label one task.
    """
    splits: dict[str, tuple[Label, ...]] = {}
    for location in locations:
        if Path(location).is_file():
            file = read_labels(Path(location))
            found = {file.split: file.labels}
        else:
            found = dict(opened(location).labels.splits)
        if twice := splits.keys() & found.keys():
            raise DataError(f"split {', '.join(twice)} comes from two of {', '.join(locations)}")
        splits |= found
    return Labels(splits)


def manifest_of(labels: Labels, splits: Collection[str] | None = None) -> frozenset[str]:
    """Return the ids of all labelled tasks, or of those of some splits. Raises UsageError for an unknown split."""
    if unknown := [name for name in splits or () if name not in labels.splits]:
        near = did_you_mean(unknown[0], labels.splits) or ";"
        raise UsageError(f"unknown split {', '.join(unknown)}{near} the labels have {', '.join(labels.splits)}")
    chosen = labels.splits if splits is None else splits
    return frozenset(label.trajectory_id for name in chosen for label in labels.splits[name])


@cache
def opened(location: str) -> Bench:
    """Open a data set, once however many runs were made from it. Raises what `load` raises."""
    return load(location)


def _protocol(run: Run) -> str:
    """Return how a run stands to the published protocol, with what its outcomes say of the evidence shown."""
    said = str(run.config.get("protocol", "not known"))
    thinner = sum(bool(outcome.evidence.get("missing")) for outcome in run.latest.values())
    if not thinner or said == "does not apply":
        return said
    incomplete = f"screenshots missing in {thinner} tasks"
    return incomplete if said == "published" else f"{said}; {incomplete}"
