"""Writes how far a judge's confidence can be trusted, for reading."""

from collections.abc import Iterator, Mapping

from agenthorizon.report.cells import decimal, markdown, markdown_table, percent
from agenthorizon.scoring.calibration import Calibration, Reliability


def calibration_to_markdown(by_judge: Mapping[str, Mapping[str, Calibration]]) -> str:
    """Write, for each judge and split, its words of confidence, and its repeats where there are several."""
    parts = [
        part for judge, splits in by_judge.items() for name, one in splits.items() for part in _of(judge, name, one)
    ]
    return "\n\n".join(parts) + "\n"


def _of(judge: str, split: str, found: Calibration) -> Iterator[str]:
    yield f"#### {markdown(judge)}: confidence on {markdown(split)}"
    rows = [
        [
            level.confidence or "not said",
            percent(level.share),
            percent(level.accuracy),
            *map(percent, (up.share, up.accuracy)),
        ]
        for level, up in zip(found.levels, found.at_least, strict=True)
    ]
    heads = ["Confidence", "Share of tasks", "Accuracy", "This or surer: share", "This or surer: accuracy"]
    yield markdown_table(heads, rows)
    if found.repeats:
        yield from _repeats(found.repeats)


def _repeats(found: Reliability) -> Iterator[str]:
    left_out = f", {found.without_verdict} tasks without any verdict left out" if found.without_verdict else ""
    yield (
        f"Share of yes over {found.repeats} repeats as a probability{left_out}: Brier score {decimal(found.brier)}, "
        f"calibration error {decimal(found.calibration_error)}, AUROC {decimal(found.auroc)}."
    )
    rows = [[f"{100 * one.yes:.0f}", str(one.positives.denominator), percent(one.positives)] for one in found.bins]
    yield markdown_table(["Said yes", "Tasks", "Succeeded"], rows)
