"""The scores of one split: each figure with its interval, and how many tasks have no verdict."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from agenthorizon.scoring.bootstrap import intervals
from agenthorizon.scoring.composites import f1, mcc
from agenthorizon.scoring.estimates import Estimate, Rate, estimate_of, rate_of
from agenthorizon.scoring.intervals import balanced_accuracy_interval, pooled
from agenthorizon.scoring.marks import Marks
from agenthorizon.scoring.metrics import Counts, count
from agenthorizon.scoring.pair_insight import PairInsight, pair_insight

_RATES = ("balanced_accuracy", "tpr", "tnr", "accuracy", "precision", "f1", "mcc")
_FAILINGS = ("coverage", "refusal_rate", "truncation_rate")
_INSIGHT = (
    "both_right",
    "yes_to_both",
    "no_to_both",
    "inverted",
    "without_verdict",
    "yes_rate",
    "d_prime",
    "criterion",
)


@dataclass(frozen=True)
class MistakeTypeRecall:
    """Of typed negatives, the share judged a failure of the right type."""

    overall: Rate
    by_type: Mapping[str, Rate]


@dataclass(frozen=True)
class SplitScore:
    """One judge on one split. Denominators are those of the label manifest, however much was asked."""

    tasks: int
    positives: int
    negatives: int
    balanced_accuracy: Estimate
    tpr: Rate
    tnr: Rate
    accuracy: Rate
    mistake_type_recall: MistakeTypeRecall
    verdicts: int | None
    """This and the next three are None where a published row does not say it."""
    malformed: int | None
    failed: int | None
    missing: int | None
    asked: int
    """How many of the tasks the judge was asked."""
    precision: Rate
    """Of the tasks that count as judged successful, the share that was."""
    f1: Estimate
    mcc: Estimate
    coverage: Rate
    """Share of the tasks with a verdict."""
    refusal_rate: Rate
    truncation_rate: Rate
    """Share of the tasks whose answer a token limit cut."""
    pairs: PairInsight

    @property
    def partial(self) -> str | None:
        """The words by which a row says that less was asked than the split holds, else None."""
        return f"partial: {self.asked} of {self.tasks}" if self.asked < self.tasks else None

    def flat(self) -> dict[str, float | int | None]:
        """Return all figures side by side: `tpr`, `tpr_low`, `tpr_high`, `tpr_numerator` …, unrounded."""
        columns: dict[str, float | int | None] = {
            name: getattr(self, name) for name in ("tasks", "asked", "positives", "negatives")
        }
        for name, estimate in self._estimates():
            columns |= estimate.flat(name)
        return columns | {name: getattr(self, name) for name in ("verdicts", "malformed", "failed", "missing")}

    def _estimates(self) -> Iterator[tuple[str, Estimate]]:
        for name in (*_RATES, *_FAILINGS):
            yield name, getattr(self, name)
        yield "mistake_type_recall", self.mistake_type_recall.overall
        for kind, rate in self.mistake_type_recall.by_type.items():
            yield f"{kind.lower().replace(' ', '_')}_recall", rate
        for name in _INSIGHT:
            yield f"pairs_{name}", getattr(self.pairs, name)


def split_score(marks: Marks, recordings: Mapping[str, str] | None = None) -> SplitScore:
    """Turn a judge's marks on one split into its scores; `recordings` names the recording that each task shows."""
    counts = count(marks)
    limits = balanced_accuracy_interval(counts.positives, counts.negatives)
    f1_score, correlation = _composites(counts)
    return SplitScore(
        tasks=len(marks),
        positives=pooled(counts.positives).total,
        negatives=pooled(counts.negatives).total,
        balanced_accuracy=estimate_of(counts.balanced_accuracy, limits),
        tpr=rate_of(counts.positives),
        tnr=rate_of(counts.negatives),
        accuracy=rate_of(counts.tasks),
        mistake_type_recall=MistakeTypeRecall(
            rate_of(counts.typed), {name: rate_of(tallies) for name, tallies in counts.mistakes.items()}
        ),
        verdicts=counts.kinds["verdict"],
        malformed=counts.kinds["malformed"],
        failed=counts.kinds["failed"],
        missing=counts.kinds["missing"],
        asked=sum(mark.was_asked for mark in marks),
        precision=rate_of(counts.accepted),
        f1=f1_score,
        mcc=correlation,
        coverage=rate_of(counts.verdicts),
        refusal_rate=rate_of(counts.refused),
        truncation_rate=rate_of(counts.truncated),
        pairs=pair_insight(marks, recordings or {}),
    )


def _composites(counts: Counts) -> list[Estimate]:
    formulas = (f1, mcc)
    table = np.array([*pooled(counts.positives), *pooled(counts.negatives)], dtype=np.float64)
    limits = intervals(counts.positives, counts.negatives, formulas)
    return [estimate_of(float(formula(table)), limit) for formula, limit in zip(formulas, limits, strict=True)]
