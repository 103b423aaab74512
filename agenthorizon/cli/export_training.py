"""Training data for judges as files: `sft`, a student's examples, and `sft-teacher`, prompts of one who is told."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from agenthorizon.cli.writing import write_text

if TYPE_CHECKING:
    from agenthorizon.report.exports.sent_prompts import SentPrompts
    from agenthorizon.report.exports.training_rows import TrainingRows
    from agenthorizon.running.store import Run

    _Add = Callable[[TrainingRows, Run, SentPrompts], None]


def write_students(
    folders: Sequence[Path], output: Path, labels: list[str] | None, splits: Sequence[str] | None
) -> None:
    """Write the examples of runs whose verdict agrees with the label."""
    from agenthorizon.report.exports.training_rows import TrainingRows

    _write(TrainingRows.add_students, folders, output, labels, splits)


def write_teachers(
    folders: Sequence[Path], output: Path, labels: list[str] | None, splits: Sequence[str] | None
) -> None:
    """Write the prompts of runs for a teacher, each beside the student's."""
    from agenthorizon.report.exports.training_rows import TrainingRows

    _write(TrainingRows.add_teachers, folders, output, labels, splits)


def _write(
    add: "_Add", folders: Sequence[Path], output: Path, labels: list[str] | None, splits: Sequence[str] | None
) -> None:
    from agenthorizon.cli.progress_bar import ProgressBar
    from agenthorizon.dataset.trainable import HeldOut, training_splits
    from agenthorizon.errors import UsageError
    from agenthorizon.evidence.pictures import Pictures
    from agenthorizon.report.exports.sent_prompts import SentPrompts
    from agenthorizon.report.exports.training_rows import TrainingRows
    from agenthorizon.results.scorecards import find_labels, labels_of, named_runs, opened
    from agenthorizon.running.remaking import reopened_data
    from agenthorizon.source import SHIPPED

    lines, pictures = [], Pictures.kept()
    with ProgressBar("prompts") as bar:
        runs = named_runs(folders)
        benches = {
            place: reopened_data(run) for place, run in {run.config.get("location"): run for run in runs}.items()
        }
        given = find_labels(labels) if labels else None
        held_out = HeldOut([*(opened(name) for name in SHIPPED), *benches.values()], given)
        for run in runs:
            bench, known = benches[run.config.get("location")], given or labels_of(run)
            made = TrainingRows(bench, known, training_splits(known, splits), held_out, bar.at)
            add(made, run, SentPrompts(run, bench, pictures))
            lines += [json.dumps(row) for row in made.rows]
            typer.echo(f"{run.folder}: {len(made.rows)} rows", err=True)
            for why, count in made.left_out.items():
                typer.echo(f"  {count} left out: {why}", err=True)
            if made.without_pair:
                typer.echo(f"  {made.without_pair} with the label alone: the task has no pair", err=True)
    if not lines:
        raise UsageError("nothing is left to train on; why is said above")
    write_text(output, "".join(f"{line}\n" for line in lines))
    typer.echo(f"wrote {len(lines)} rows to {output}", err=True)
