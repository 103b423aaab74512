"""Chooses what can be compared of `runs/*`, naming on stderr what is left out: no runs, runs and splits."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from agenthorizon.dataset.labels import Labels
    from agenthorizon.running.store import Run
    from agenthorizon.scoring.scorecard import Scorecard


def runs_alone(places: list[Path] | None) -> list[Path]:
    """Return the run folders that `runs/*` names, saying what else lies there; see `run_folders`."""
    from agenthorizon.cli import printable
    from agenthorizon.running.store import run_folders

    found = run_folders(places or [])
    if others := [place for place in places or [] if place not in found]:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        typer.echo(printable(f"passed over, no run folders: {', '.join(map(str, others[:3]))}{more}"), err=True)
    return found


def asked_of(
    runs: Sequence[Path], splits: Collection[str] | None, labels: "Labels | None", least: int = 1
) -> list[Path]:
    """Return the run folders that were asked anything of one of `splits`, saying which were not.

    All of them where no split is named, and where fewer than `least` would be left: then who reads them says what is
    wrong.
    """
    from agenthorizon.cli import printable
    from agenthorizon.results.scorecards import splits_asked

    folders = list(runs)
    if splits is None or len(folders) < 2:
        return folders
    kept = [folder for folder in folders if splits_asked(_planned(folder), labels).intersection(splits)]
    if least <= len(kept) < len(folders):
        left_out = ", ".join(str(folder) for folder in folders if folder not in kept)
        typer.echo(printable(f"left out, asked nothing of {', '.join(splits)}: {left_out}"), err=True)
        return kept
    return folders


def of_one_data_set(runs: Sequence[Path], split: str | None, labels: "Labels | None") -> list[Path]:
    """Return the runs to compare on a split, AH where none is named, saying which were not asked it.

    Raises UsageError for runs of different data sets or forms.
    """
    from agenthorizon.dataset.splits import MAIN
    from agenthorizon.errors import UsageError
    from agenthorizon.results.scorecards import conditions_of

    folders = list(runs)
    origins: dict[str, list[str]] = {}
    for folder in folders:
        origins.setdefault(conditions_of(_planned(folder)).origin, []).append(str(folder))
    if len(origins) > 1:
        found = "; ".join(f"{origin}: {', '.join(of_origin)}" for origin, of_origin in origins.items())
        raise UsageError(f"runs of different data sets are not compared, name those of one. Found {found}")
    return asked_of(folders, [split or MAIN], labels, least=2)


def said_split(cards: "Sequence[Scorecard]") -> str:
    """Return the split to compare scorecards on, saying why it is not AH. Raises what `common_split` raises."""
    from agenthorizon.cli import printable
    from agenthorizon.results.scorecards import common_split

    found = common_split(cards)
    if found.why:
        typer.echo(printable(f"on {found.name}, the one split that all were asked: {found.why}"), err=True)
    return found.name


def _planned(folder: Path) -> "Run":
    """Return a run without its outcomes, which may be many: what it was asked stands in its configuration."""
    from agenthorizon.running.config_file import read_config
    from agenthorizon.running.store import Run

    return Run(folder, read_config(folder), ())
