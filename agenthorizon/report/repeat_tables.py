"""Writes what a judge's repeats say, for reading: every repeat, their mean, a vote of them, how steady they are."""

from collections.abc import Mapping

from agenthorizon.report.cells import UNDEFINED, markdown, markdown_table, percent
from agenthorizon.scoring.repeats import RepeatScore

EXPLAINED = (
    "pass^k: the chance that k trials of a task are all right, pass@k that one at least is; a trial without a verdict "
    "is wrong. Error of repeating: standard error of one repeat's balanced accuracy from asking the same tasks again; "
    "error of tasks: from which pair groups are in the split. In points."
)


def repeats_to_markdown(by_judge: Mapping[str, Mapping[str, RepeatScore]]) -> str:
    """Write two tables a judge: the splits, and pass^k and pass@k of each."""
    parts = [part for judge, splits in by_judge.items() for part in _of_judge(judge, splits)]
    return "\n\n".join([*parts, EXPLAINED]) + "\n"


def _of_judge(judge: str, splits: Mapping[str, RepeatScore]) -> list[str]:
    most = max(found.repeats for found in splits.values())
    fewer = "up to " if any(found.repeats < most for found in splits.values()) else ""
    left_out = ", ".join(f"{name} {found.asked_less}" for name, found in splits.items() if found.asked_less)
    note = [f"Left out, as asked for in fewer repeats than others of the split: {markdown(left_out)} tasks."]
    heads = ["Split", "Each repeat", "Mean", "Majority vote", "Error of repeating", "Error of tasks"]
    chances = ["Split", *(f"pass^{k}" for k in range(1, most + 1)), *(f"pass@{k}" for k in range(2, most + 1))]
    return [
        f"#### {markdown(judge)}, {fewer}{most} repeats: balanced accuracy",
        markdown_table(heads, [_figures(name, found) for name, found in splits.items()]),
        markdown_table(chances, [_chances(name, found, most) for name, found in splits.items()]),
        *(note if left_out else []),
    ]


def _figures(name: str, found: RepeatScore) -> list[str]:
    each = ", ".join(_share(value) for value in found.balanced_accuracy)
    errors = (_share(found.error_of_repeating), _share(found.error_of_tasks))
    vote = percent(found.majority.balanced_accuracy)
    return [markdown(name), each, _share(found.mean_balanced_accuracy), vote, *errors]


def _chances(name: str, found: RepeatScore, most: int) -> list[str]:
    """Return a split's chances; the cells of repeats it was not asked for are empty of a figure."""
    never = [UNDEFINED] * (most - found.repeats)
    return [markdown(name), *map(percent, found.pass_hat), *never, *map(percent, found.pass_at[1:]), *never]


def _share(value: float | None) -> str:
    return UNDEFINED if value is None else f"{100 * value:.1f}"
