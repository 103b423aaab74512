"""`agenthorizon export`: tables to paste, figures to compute with, a submission, training data."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.export_files import FILES
from agenthorizon.cli.export_tables import LEADERBOARD, TABLES, Scored
from agenthorizon.cli.options import STDOUT, LabelsOption, Published, Runs, Splits, split_names
from agenthorizon.cli.writing import write_text
from agenthorizon.report.tabled import FORMATS

if TYPE_CHECKING:
    Format = str
    Table = str
else:  # the choices that the command line offers are made from what can be written
    Format = StrEnum("Format", {name: name for name in (*FORMATS, *FILES)})
    Table = StrEnum("Table", {name: name for name in TABLES})


def export(
    runs: Runs,
    to: Annotated[
        Format,
        typer.Option("--format", "-f", help="md, html and latex are for reading; csv, json, parquet are unrounded."),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A file; stdout without it, or as -.")
    ] = None,
    labels: LabelsOption = None,
    split: Splits = None,
    published: Published = False,
    columns: Annotated[
        str | None, typer.Option(help="Columns and their order, by comma; an unknown one names them all.", metavar="C")
    ] = None,
    table: Annotated[Table, typer.Option(help="Another table than the leaderboard.")] = LEADERBOARD,
    by: Annotated[str, typer.Option(metavar="FIELDS", help="Fields of --table slices, by comma.")] = "os,steps",
) -> None:
    """Write tables, a submission, a log or training data.

    The leaderboard of runs is ranked on AH, with a table for each split. --table ablations sets runs of one judge with
    less evidence (run --without, --only) against the one with all of it. A submission has a row for every task of the
    labels, and a run card beside it (mine.card.json for mine.jsonl). A log needs the extra `inspect`.

    sft and sft-teacher are training data for judges, of AH-D or of a split of your own named train or dev, never of AH
    or AH-S: what the judge was sent and its answers that agree with the label; and the same prompts for a teacher, who
    is told the label and the words in which the pair's instructions differ.

    \b
    Examples:
      agenthorizon export runs/* --format md -o leaderboard.md
      agenthorizon export runs/* --format latex --columns judge,balanced_accuracy,tpr,tnr -o table.tex
      agenthorizon export runs/* --format csv > leaderboard.csv
      agenthorizon export runs/* --format latex --table comparisons --split AH -o comparisons.tex
      agenthorizon export runs/*ocr* --format md --table ablations
      agenthorizon export runs/mine --format submission -o mine.jsonl
      agenthorizon export runs/mine --format inspect -o mine.eval
      agenthorizon export runs/mine --format sft --split AH-D -o student.jsonl
      agenthorizon export runs/mine --format sft-teacher --split AH-D -o teacher.jsonl
    """
    splits = split_names(split)
    if to in FILES:
        FILES[to](runs, _file(output, to), labels, splits)
        return
    from agenthorizon.cli.leaving_out import asked_of, of_one_data_set
    from agenthorizon.errors import UsageError
    from agenthorizon.results.scorecards import find_labels, score_runs
    from agenthorizon.scoring.published import with_published

    if published and table != LEADERBOARD:
        raise UsageError(f"--published is of the leaderboard, not of --table {table}")
    known, chosen = find_labels(labels) if labels else None, columns.split(",") if columns else None
    folders = of_one_data_set(runs, split, known) if table == "comparisons" else asked_of(runs, splits, known)
    runs_and_cards = score_runs(folders, known, splits)
    rows = [card for _, card in runs_and_cards]
    scored = Scored(runs_and_cards, with_published(rows) if published else rows, by.split(","))
    _put(output, TABLES[table](scored).written(to, chosen))


def _put(output: Path | None, text: str | bytes) -> None:
    """Write to a file, or to stdout where none was named."""
    to_stdout = output is None or output == STDOUT
    if to_stdout and isinstance(text, bytes) and sys.stdout.isatty():
        from agenthorizon.errors import UsageError

        raise UsageError("parquet is no text for a terminal: name a file with -o FILE")
    if output is None or to_stdout:
        typer.echo(text, nl=False)
    else:
        write_text(output, text)
        typer.echo(f"wrote {output}", err=True)


def _file(output: Path | None, to: Format) -> Path:
    """Return the file to write. Raises UsageError where none is named."""
    from agenthorizon.errors import UsageError

    if output is None or output == STDOUT:
        raise UsageError(f"{to} is written to a file: export RUN -f {to} -o FILE")
    return output
