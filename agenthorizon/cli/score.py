"""`agenthorizon score`: balanced accuracy, TPR, TNR and more, each with its interval."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthorizon.cli.options import AsJson, LabelsOption, Splits, runs_argument, split_names

if TYPE_CHECKING:
    from agenthorizon.cli.score_sections import Section
    from agenthorizon.dataset.labels import Labels
    from agenthorizon.scoring.scorecard import Scorecard


def score(
    runs: Annotated[list[Path] | None, runs_argument("[RUN...]", "Run folders.")] = None,
    results: Annotated[
        Path | None,
        typer.Option(help="Verdict files: a folder of <trajectory_id>.json, or a JSONL file.", metavar="PATH"),
    ] = None,
    submission: Annotated[Path | None, typer.Option(help="A submission file.", metavar="FILE")] = None,
    labels: LabelsOption = None,
    split: Splits = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="FIELDS",
            help="Also by os, app, domain, steps, swap, type, screenshots or any field of labels and tasks, by comma.",
        ),
    ] = None,
    repeats: Annotated[
        bool, typer.Option("--repeats", help="Also what all repeats of a RUN say; its score is of repeat 0.")
    ] = False,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Also how far the judge's confidence can be trusted.")
    ] = False,
    published: Annotated[
        bool,
        typer.Option("--published", help="The published results too, where the data are theirs; alone with no RUN."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Score runs, verdict files of another harness, or a submission.

    Missing, malformed and failed tasks count as incorrect; the denominators are the label manifest's. Exit code 0
    once scores are printed; warnings go to stderr, summed by kind.

    \b
    Examples:
      agenthorizon score runs/*
      agenthorizon score runs/* --split AH --json
      agenthorizon score runs/* --split AH --by os,steps
      agenthorizon score --published
      agenthorizon score --results verdicts/ --labels release/AgentHorizon.jsonl
      agenthorizon score --submission mine.jsonl --labels release/
    """
    from agenthorizon.cli.leaving_out import asked_of
    from agenthorizon.cli.score_sections import Wanted, sections
    from agenthorizon.results.scorecards import find_labels, score_runs
    from agenthorizon.scoring.answers import ONE_REPEAT
    from agenthorizon.scoring.published import with_published

    splits = split_names(split)
    alone = published and not (runs or results or submission)
    known = find_labels(labels) if labels else None
    folders = asked_of(runs or [], splits, known)
    if not alone:
        _refuse_all_but_one(folders, results, submission)
    scored = score_runs(folders, known, splits)
    cards = [card for _, card in scored] or _other_cards(results, submission, known, splits)
    answered = {ONE_REPEAT} if repeats else set()
    _warn(cards, answered)
    shown = with_published(cards) if published else cards
    fields = by.split(",") if by else []
    extra = sections(cards, Wanted([run for run, _ in scored], labels or [], splits, fields, repeats, confidence))
    for text in [_json(shown, extra, answered)] if as_json else _tables(shown, extra):
        typer.echo(text)


def _warn(cards: "list[Scorecard]", answered: set[str]) -> None:
    """Print the warnings, but for those that the command itself answers."""
    from agenthorizon.cli.findings import summed

    for card in cards:
        for line in summed([warning for warning in card.warnings if warning.code not in answered]):
            typer.echo(line, err=True)


def _json(cards: "list[Scorecard]", extra: "list[Section]", answered: set[str]) -> str:
    from agenthorizon.scoring.scorecard import as_json

    found = as_json(cards)
    for run in found["runs"]:
        run["warnings"] = {code: count for code, count in run["warnings"].items() if code not in answered}
    for section in extra:
        for run, of_run in zip(found["runs"], section.json, strict=False):  # published rows have no sections
            run[section.name] = of_run
    return json.dumps(found, indent=1)


def _tables(cards: "list[Scorecard]", extra: "list[Section]") -> list[str]:
    from agenthorizon.report.leaderboard_markdown import to_markdown

    return [to_markdown(cards), *(section.markdown for section in extra)]


def _refuse_all_but_one(folders: list[Path], results: Path | None, submission: Path | None) -> None:
    from agenthorizon.errors import UsageError

    if sum((bool(folders), results is not None, submission is not None)) != 1:
        raise UsageError("score takes run folders, or --results PATH, or --submission FILE: one of the three")


def _other_cards(
    results: Path | None, submission: Path | None, labels: "Labels | None", splits: list[str] | None
) -> "list[Scorecard]":
    """Return the scorecard of what is no run, if there is any."""
    from agenthorizon.errors import UsageError
    from agenthorizon.results.scorecards import score_results, score_submission

    if results is None and submission is None:
        return []
    if labels is None:
        raise UsageError("give the labels to score against: --labels FILE (or a data set)")
    if results is not None:
        return [score_results(results, labels, splits)]
    assert submission is not None
    return [score_submission(submission, labels, splits)]
