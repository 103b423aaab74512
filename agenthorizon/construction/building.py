"""Builds a data set from recordings, pairs and review decisions: a release folder that is blind from the start."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agenthorizon.construction import accounting, manifest
from agenthorizon.construction.candidates import Candidate, Identical, make_candidates
from agenthorizon.construction.drawing import by_group, draw_splits
from agenthorizon.construction.opaque import OpaqueNames
from agenthorizon.construction.pictures import Progress, look
from agenthorizon.construction.release_writer import ReleaseWriter
from agenthorizon.construction.review import Decision, apply_review
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.pair_link import PairLink
from agenthorizon.dataset.screenshots import FAULTS
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.whole_folder import new_folder
from agenthorizon.source import load

REST = "evaluation"
"""Split of the tasks that no named split took; `data partition` divides it into AH and AH-S."""

TABLE = "construction.json"


@dataclass(frozen=True)
class BuildPlan:
    """What to build, all of it read and checked before anything is written."""

    recordings: Bench
    """Every task is a recording with its own instruction. Where it has labels, its negatives are no recordings to
    build from: they did not do what was asked."""
    links: tuple[PairLink, ...]
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    identical: Identical = "refuse"
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Split → its number of tasks, drawn by whole pair groups in this order."""
    rest: str = REST
    seed: int = 0
    """Decides ids, order and the draw of splits. It belongs with the labels."""
    name: str = "built"


@dataclass(frozen=True)
class Built:
    """A finished data set."""

    folder: Path
    rows: tuple[accounting.Row, ...]
    embedded: int
    """Screenshots that carry texts which could not be taken out without decoding them; `data audit` names them."""


def plan_splits(plan: BuildPlan) -> tuple[dict[str, tuple[Candidate, ...]], tuple[accounting.Row, ...]]:
    """Return the tasks of every split, in the order of their opaque ids, and the construction table.

    Raises DataError for identical instructions and for pairs with a recording that failed, UsageError for splits larger
    than what there is.
    """
    instructions = {task.id: task.instruction for task in plan.recordings if _is_usable(plan.recordings, task.id)}
    if unusable := [end for link in plan.links for end in (link.parent, link.child) if end not in instructions]:
        faults = [Finding("pair_of_a_failure", "pairs", detail=name) for name in unusable]
        raise DataError(
            "pairs with recordings that are labelled negative, or have no label, where others have one", faults
        )
    made = make_candidates(instructions, plan.links, plan.identical)
    reviewed = apply_review(made.kept, plan.decisions)
    names = OpaqueNames(plan.seed)
    tasks = {names.task(candidate): candidate for candidate in reviewed.tasks}
    groups = by_group(sorted(tasks), {task_id: candidate.group for task_id, candidate in tasks.items()})
    drawn = draw_splits(groups, plan.sizes, plan.rest, plan.seed)
    splits = {name: tuple(tasks[task_id] for task_id in sorted(ids)) for name, ids in drawn.items()}
    return splits, tuple(accounting.construction_rows(len(instructions), made, reviewed, splits))


def _is_usable(recordings: Bench, task_id: str) -> bool:
    labels = recordings.label_splits
    return labels is None or (task_id in labels and labels[task_id].is_positive)


def build(plan: BuildPlan, out: Path, progress: Progress | None = None) -> Built:
    """Write the data set into a folder that is empty or not there yet.

    Raises UsageError when the folder holds something, DataError when a screenshot is missing.
    """
    with new_folder(out, "name another to build the data set into") as folder:
        _refuse_missing(plan.recordings)
        splits, rows = plan_splits(plan)
        embedded = _write(plan, folder, splits, rows, progress)
    return Built(out, rows, embedded)


def _write(
    plan: BuildPlan,
    out: Path,
    splits: Mapping[str, Sequence[Candidate]],
    rows: Sequence[accounting.Row],
    progress: Progress | None,
) -> int:
    """Write everything; return how many screenshots still carry texts."""
    writer = ReleaseWriter(out, plan.recordings, OpaqueNames(plan.seed))
    tasks = sorted({task.recording for members in splits.values() for task in members})
    for number, recording in enumerate(tasks, start=1):
        writer.add_recording(recording)
        if progress:
            progress(number, len(tasks), "recordings")
    labels = {name: [writer.add_task(task) for task in members] for name, members in splits.items()}
    _finish(plan, out, labels, rows)
    return writer.embedded


def _refuse_missing(recordings: Bench) -> None:
    missing = [finding for finding in recordings.check() if finding.code in FAULTS]
    if missing:
        raise DataError(f"{recordings.location} lacks screenshots; a data set is built from whole recordings", missing)


def _finish(plan: BuildPlan, out: Path, labels: Mapping[str, list[Label]], rows: Sequence[accounting.Row]) -> None:
    manifest.write_splits(out, labels)
    table = {"seed": plan.seed, "source": plan.recordings.name, "table": accounting.to_json(rows)}
    (out / TABLE).write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    manifest.write(out, plan.name, labels, {})
    bench = load(out)
    pictures = look((shot.path for task in bench for shot in bench.screenshots(task) if shot.path), decode=False)
    manifest.write(out, plan.name, labels, manifest.fingerprints(bench, pictures))
