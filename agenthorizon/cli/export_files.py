"""The files that runs can be exported as beside tables, by name: a submission, a log of Inspect AI, training data."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import typer

from agenthorizon.cli.export_training import write_students, write_teachers
from agenthorizon.cli.writing import write_text


def _submission(folders: Sequence[Path], output: Path, labels: list[str] | None, splits: Sequence[str] | None) -> None:
    from agenthorizon.report.exports.run_card import run_card
    from agenthorizon.report.exports.submission_rows import submission_rows
    from agenthorizon.results.scorecards import find_labels, labels_of, manifest_of
    from agenthorizon.running.store import read_run

    run = read_run(_only(folders, "submission"))
    manifest = manifest_of(find_labels(labels) if labels else labels_of(run), splits)
    rows = submission_rows(run, manifest)
    card = output.with_suffix(".card.json")
    write_text(output, rows)
    write_text(card, json.dumps(run_card(run, manifest, rows), indent=1) + "\n")
    repeated = "; of a repeated run, the verdicts of repeat 0" if any(repeat for _, repeat in run.latest) else ""
    typer.echo(f"wrote {output} and {card}{repeated}", err=True)


def _inspect(folders: Sequence[Path], output: Path, labels: list[str] | None, splits: Sequence[str] | None) -> None:
    from agenthorizon.report.exports.inspect_log import write_inspect_log
    from agenthorizon.results.scorecards import find_labels, labels_of, opened, score_run
    from agenthorizon.running.store import read_run

    run = read_run(_only(folders, "inspect"))
    known = find_labels(labels) if labels else labels_of(run)
    card, bench = score_run(run, known, splits), opened(str(run.config.get("location", "")))
    shown = {mark.task_id: mark.label for marks in card.marks.values() for mark in marks if mark.was_asked}
    instructions = {task_id: bench[task_id].instruction for task_id in shown}
    write_inspect_log(run, card, shown, instructions, output)
    typer.echo(f"wrote {output}", err=True)


def _only(runs: Sequence[Path], to: str) -> Path:
    """Return the one run. Raises UsageError for several."""
    from agenthorizon.errors import UsageError

    if len(runs) != 1:
        raise UsageError(f"{to} is of one run, found {len(runs)}: export RUN -f {to} -o FILE")
    return runs[0]


FILES: Mapping[str, Callable[[Sequence[Path], Path, list[str] | None, Sequence[str] | None], None]] = {
    "submission": _submission,
    "inspect": _inspect,
    "sft": write_students,
    "sft-teacher": write_teachers,
}
"""Name of a format → what writes runs' folders to a file, with the labels and splits named."""
