"""Scorecard: every number about one judge, each rate with its interval, split by split."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from agenthorizon.dataset.labels import Labels
from agenthorizon.dataset.splits import MAIN
from agenthorizon.errors import Finding, UsageError, did_you_mean
from agenthorizon.scoring.answers import Answers, Origin, keep_known
from agenthorizon.scoring.estimates import Estimate, Rate
from agenthorizon.scoring.marks import Marks, mark
from agenthorizon.scoring.split_score import SplitScore, split_score

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Conditions:
    """What decides whether two scorecards can stand in one table."""

    data: str = ""
    """Name of the data set."""
    form: str | None = None
    """Layout the data set was found in; rows of different forms are never compared."""
    protocol: str = "not known"
    """`published`, what deviates from it, or that it does not apply."""
    fingerprint: str | None = None
    """Fingerprint of the data set; None where only its labels are known."""

    @property
    def title(self) -> str:
        """The data set and its form, for a heading."""
        return " · ".join(part for part in (self.data, self.form) if part)

    @property
    def origin(self) -> str:
        """Data set, form and fingerprint in words: only what agrees in all three is ranked or compared together."""
        known = (self.data or "unnamed data", self.form, self.fingerprint and f"fingerprint {self.fingerprint[:8]}")
        return ", ".join(part for part in known if part)


@dataclass(frozen=True)
class Scorecard:
    """One judge's scores."""

    judge: str
    splits: Mapping[str, SplitScore]
    source: Origin
    conditions: Conditions = field(default_factory=Conditions)
    warnings: tuple[Finding, ...] = ()
    marks: Mapping[str, Marks] = field(default_factory=dict)
    """By split, what became of each task: what comparisons, slices and tests of this judge are made from."""
    recordings: Mapping[str, str] = field(default_factory=dict)
    """The recording that each task shows, where it is known."""

    def __repr__(self) -> str:
        splits = ", ".join(f"{name} {_percent(score.balanced_accuracy.value)}" for name, score in self.splits.items())
        return f"<Scorecard {self.judge}, balanced accuracy: {splits}>"

    @property
    def main(self) -> SplitScore:
        """The score on the main split. Raises UsageError where there is none."""
        return self.splits[self.main_split]

    @property
    def main_split(self) -> str:
        """AH, else the only split. Raises UsageError where there are several others."""
        if MAIN in self.splits:
            return MAIN
        if len(self.splits) == 1:
            return next(iter(self.splits))
        raise UsageError(f"the scorecard has no {MAIN}; choose one of splits: {', '.join(self.splits)}")

    @property
    def balanced_accuracy(self) -> Estimate:
        """Balanced accuracy on the main split."""
        return self.main.balanced_accuracy

    @property
    def tpr(self) -> Rate:
        """Accuracy on the positives of the main split."""
        return self.main.tpr

    @property
    def tnr(self) -> Rate:
        """Accuracy on the negatives of the main split."""
        return self.main.tnr

    @property
    def mistake_type_recall(self) -> Rate:
        """Mistake-type recall over all typed negatives of the main split."""
        return self.main.mistake_type_recall.overall

    @property
    def warning_counts(self) -> dict[str, int]:
        """Warnings summed by kind."""
        codes = [warning.code for warning in self.warnings]
        return {code: codes.count(code) for code in sorted(set(codes))}

    def to_json(self) -> dict[str, Any]:
        """Return the scorecard as a JSON object: a list of runs with this one in it."""
        return as_json([self])

    def records(self) -> list[dict[str, Any]]:
        """Return one flat record per split: columns such as `tpr`, `tpr_low`, `tpr_high`, all unrounded."""
        about = {"judge": self.judge, "source": self.source, **asdict(self.conditions)}
        return [{**about, "split": name, **score.flat()} for name, score in self.splits.items()]

    def frame(self) -> "DataFrame":
        """Return the records as a DataFrame."""
        from pandas import DataFrame

        return DataFrame.from_records(self.records())


def as_json(cards: Iterable[Scorecard]) -> dict[str, Any]:
    """Return scorecards as one JSON object, the same for runs, results and submissions."""
    return {
        "runs": [
            {
                "judge": card.judge,
                "splits": {name: asdict(score) for name, score in card.splits.items()},
                "source": card.source,
                **asdict(card.conditions),
                "warnings": card.warning_counts,
            }
            for card in cards
        ]
    }


def score(
    answers: Answers,
    labels: Labels,
    asked: Collection[str] | None = None,
    splits: str | Collection[str] | None = None,
    conditions: Conditions | None = None,
) -> Scorecard:
    """Score one judge's answers.

    Args:
        answers: What the judge said; answers to tasks without a label are left out with a warning.
        labels: The manifest, which fixes every denominator.
        asked: Ids of the tasks a run was asked (a set, for speed); splits with none of them are left out. None: all.
        splits: Names of the splits to score. None: all.
        conditions: What the scorecard says of its data and protocol.

    Raises UsageError for an unknown split, or where no split is left.
    """
    known = keep_known(answers, labels)
    marks = marked(known, labels, asked, splits)
    scores = {name: split_score(found, labels.recordings) for name, found in marks.items()}
    about = conditions or Conditions()
    return Scorecard(answers.judge, scores, answers.source, about, known.warnings, marks, labels.recordings)


def marked(
    answers: Answers,
    labels: Labels,
    asked: Collection[str] | None = None,
    splits: str | Collection[str] | None = None,
) -> dict[str, Marks]:
    """Return, by split, what became of each task; see `score` for what it takes and raises."""
    names = _chosen(labels, [splits] if isinstance(splits, str) else splits)
    marks = {name: mark(labels.splits[name], answers.by_id, labels.groups, asked) for name in names}
    marks = {name: found for name, found in marks.items() if not found or any(one.was_asked for one in found)}
    if not marks:
        raise UsageError(f"{answers.judge} was asked no task of {', '.join(names)}")
    return marks


def _percent(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:.1f}"


def _chosen(labels: Labels, splits: Collection[str] | None) -> list[str]:
    if unknown := [name for name in splits or () if name not in labels.splits]:
        near = did_you_mean(unknown[0], labels.splits) or ";"
        raise UsageError(f"unknown split {', '.join(unknown)}{near} the labels have {', '.join(labels.splits)}")
    return [name for name in labels.splits if splits is None or name in splits]
