"""Opens what a user points at, run folders or a data set, as the site that shows them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import UsageError
from agenthorizon.report.page.album import Album
from agenthorizon.report.page.answers import JudgeAnswers
from agenthorizon.report.page.catalogue import Catalogue
from agenthorizon.report.page.site import Site
from agenthorizon.results.scorecards import opened, score_run
from agenthorizon.results.slicing import slice_run, slice_run_where_known
from agenthorizon.running.store import Run
from agenthorizon.scoring.published import with_published
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.slices import Slice

SLICED_BY = ("os", "domain", "steps", "type")
"""Fields that a site slices scores by where nobody names any."""


@dataclass(frozen=True)
class Shown:
    """What a site shows and leaves out."""

    is_blind: bool = False
    """Leave out labels and all that is made from them."""
    published: bool = False
    """The published results too, where the data are theirs."""
    by: Sequence[str] | None = None
    """Fields to slice by, which the tasks must have; None: those of SLICED_BY that they have."""


def bench_of(runs: Sequence[Run], location: str | None, progress: Callable[[int, int], None]) -> Bench:
    """Return the data set that runs were made from, found at `location` if it is elsewhere now.

    Every record is read to see that it is the one; `progress` is told how many are, of how many.
    Raises UsageError where runs are of several data sets, or it is not the one they judged.
    """
    prints = {run.config["data"].get("fingerprint") for run in runs}
    if len(prints) > 1:
        names = ", ".join(sorted({f"{run.config['data']['name']} ({run.folder})" for run in runs}))
        raise UsageError(f"a page shows runs of one data set; these are of {len(prints)}: {names}")
    bench = opened(location or str(runs[0].config.get("location", "")))
    if bench.take_fingerprint(progress) not in prints:
        raise UsageError(
            f"{bench.location} is not what {runs[0].folder} judged: its records or screenshots have changed, "
            "so a verdict would stand beside another recording. Name the data set that was judged with --data"
        )
    return bench


def site_of_runs(catalogue: Catalogue, runs: Sequence[Run], shown: Shown, stamp: str | None = None) -> Site:
    """Return the site of runs that judged a data set, their judges' names told apart."""
    judges = [JudgeAnswers(run) for run in runs]
    if shown.is_blind or catalogue.labels is None:
        return Site(catalogue, judges, is_blind=True, stamp=stamp)
    labels = catalogue.labels
    cards = [score_run(run, labels) for run in runs]
    slices = {card.judge: _slices(card, run, shown.by) for run, card in zip(runs, cards, strict=True)}
    return Site(catalogue, judges, with_published(cards) if shown.published else cards, slices, stamp=stamp)


def _slices(card: Scorecard, run: Run, by: Sequence[str] | None) -> list[Slice]:
    return slice_run_where_known(card, run, SLICED_BY) if by is None else slice_run(card, run, by)


def catalogue_of(bench: Bench, pictures: str) -> Catalogue:
    """Return a data set for the page; `pictures` is `thumbs`, `link` or `none`."""
    suffix = ".webp" if pictures == "thumbs" else None
    return Catalogue(bench, None if pictures == "none" else Album(bench.root, suffix))
