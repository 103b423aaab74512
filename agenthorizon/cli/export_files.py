"""The files that one run can be exported as beside tables, by name: a submission, a log of Inspect AI."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import typer

from agenthorizon.cli.writing import write_text


def _submission(folder: Path, output: Path, labels: list[str] | None, splits: Sequence[str] | None) -> None:
    from agenthorizon.report.exports.run_card import run_card
    from agenthorizon.report.exports.submission_rows import submission_rows
    from agenthorizon.results.scorecards import find_labels, labels_of, manifest_of
    from agenthorizon.running.store import read_run

    run = read_run(folder)
    manifest = manifest_of(find_labels(labels) if labels else labels_of(run), splits)
    rows = submission_rows(run, manifest)
    card = output.with_suffix(".card.json")
    write_text(output, rows)
    write_text(card, json.dumps(run_card(run, manifest, rows), indent=1) + "\n")
    repeated = "; of a repeated run, the verdicts of repeat 0" if any(repeat for _, repeat in run.latest) else ""
    typer.echo(f"wrote {output} and {card}{repeated}", err=True)


def _inspect(folder: Path, output: Path, labels: list[str] | None, splits: Sequence[str] | None) -> None:
    from agenthorizon.report.exports.inspect_log import write_inspect_log
    from agenthorizon.results.scorecards import find_labels, labels_of, opened, score_run
    from agenthorizon.running.store import read_run

    run = read_run(folder)
    known = find_labels(labels) if labels else labels_of(run)
    card, bench = score_run(run, known, splits), opened(str(run.config.get("location", "")))
    shown = {mark.task_id: mark.label for marks in card.marks.values() for mark in marks if mark.was_asked}
    instructions = {task_id: bench[task_id].instruction for task_id in shown}
    write_inspect_log(run, card, shown, instructions, output)
    typer.echo(f"wrote {output}", err=True)


FILES: Mapping[str, Callable[[Path, Path, list[str] | None, Sequence[str] | None], None]] = {
    "submission": _submission,
    "inspect": _inspect,
}
"""Name of a format → what writes a run's folder to a file, with the labels and splits named."""
