"""Comparisons of judges as tables: those that `compare` prints, and that of the pairs, which is exported."""

from typing import Any

from agenthorizon.report.cells import POINTS, UNDEFINED, markdown, markdown_table, number, percent, points, probability
from agenthorizon.report.grid import RATES, Cell, Column, Grid, figure
from agenthorizon.report.tabled import Tabled
from agenthorizon.scoring.comparing import Comparison, Comparisons
from agenthorizon.scoring.significance import McNemar

EXPLAINED = (
    "Differences are first minus second, in points, with 95 % intervals that respect pair groups, on the tasks both "
    "were asked. p is that of the balanced accuracies' difference, by Holm over all pairs; below .05 the two are told "
    "apart. Tasks to show a difference: how many like these would find it, where it is there, with a chance of 80 %. "
    "Right alone: tasks that only the first, only the second got right, and McNemar's exact p, which takes tasks for "
    "independent."
)


def comparisons_to_markdown(found: Comparisons, about: str, points_apart: float = 0.05) -> str:
    """Write three tables; `about` names the data, `points_apart` is the difference that tasks are counted for."""
    parts = [
        f"### {markdown(about)} · compared on {markdown(found.split)}",
        "Judges that share a letter cannot be told apart; ranks are those that the comparisons leave open.",
        _standings(found),
        EXPLAINED,
        _pairs(found.pairs, points_apart),
        f"All together, on the {found.common_tasks} tasks that all were asked. Fleiss' kappa of their verdicts: "
        f"{_kappa(found.fleiss_kappa)}.",
        _ensembles(found),
    ]
    return "\n\n".join(parts) + "\n"


def _standings(found: Comparisons) -> str:
    rows = []
    for standing in found.standings.values():
        ranks = str(standing.best) if standing.best == standing.worst else f"{standing.best} to {standing.worst}"
        rows.append([ranks, markdown(standing.judge), " ".join(standing.groups)])
    return markdown_table(["Rank", "Judge", "Tied"], rows)


def _pairs(pairs: tuple[Comparison, ...], points_apart: float) -> str:
    heads = [
        "First",
        "Second",
        "Tasks",
        "Balanced accuracy",
        "p",
        "Better",
        "Tasks to show a difference",
        "TPR",
        "Positives right alone",
        "TNR",
        "Negatives right alone",
    ]
    return markdown_table([*heads, "Cohen's kappa", "Errors shared"], [_pair(pair, points_apart) for pair in pairs])


def _pair(pair: Comparison, points_apart: float) -> list[str]:
    return [
        markdown(pair.first),
        markdown(pair.second),
        str(pair.tasks),
        points(pair.balanced_accuracy),
        probability(pair.p_holm),
        markdown(pair.better) if pair.better else "cannot tell",
        number(pair.balanced_accuracy.tasks_needed(pair.tasks, points_apart)),
        points(pair.tpr),
        _alone(pair.positives_test),
        points(pair.tnr),
        _alone(pair.negatives_test),
        _kappa(pair.kappa),
        percent(pair.error_overlap),
    ]


def _alone(test: McNemar) -> str:
    return f"{test.first_only} : {test.second_only}, p {probability(test.p)}"


def _kappa(kappa: float | None) -> str:
    return UNDEFINED if kappa is None else f"{kappa:z.2f}"


def _ensembles(found: Comparisons) -> str:
    named = {"ideal: right wherever one of them is": found.ideal, "majority: what more than half say": found.majority}
    rows = [
        [name, percent(score.balanced_accuracy), percent(score.tpr), percent(score.tnr)]
        for name, score in named.items()
    ]
    return markdown_table(["Ensemble", "Balanced accuracy", "TPR", "TNR"], rows)


def comparison_table(found: Comparisons, title: str) -> Tabled:
    """Return the table of every two judges: one grid, and one record per pair."""
    return Tabled([_grid(found, title)], _records(found))


def _grid(found: Comparisons, title: str) -> Grid:
    rates = (Column(head) for head in RATES)
    heads = (Column("First", False), Column("Second", False), Column("Tasks"), *rates, Column("p"))
    columns = (*heads, Column("Better", False), Column("Cohen's kappa"))
    caption = (
        f"{found.split}: first minus second, in points, with 95 % intervals that respect pair groups. p is that of the "
        "balanced accuracies' difference, by Holm over all pairs."
    )
    return Grid(title, caption, columns, tuple(_cells(pair) for pair in found.pairs))


def _cells(pair: Comparison) -> tuple[Cell, ...]:
    rates = (figure(estimate, POINTS) for estimate in (pair.balanced_accuracy, pair.tpr, pair.tnr))
    names = (Cell(pair.first), Cell(pair.second), Cell(str(pair.tasks)))
    told = (probability(pair.p_holm), pair.better or "cannot tell", _kappa(pair.kappa))
    return (*names, *rates, *map(Cell, told))


def _records(found: Comparisons) -> list[dict[str, Any]]:
    return [
        {
            "split": found.split,
            "first": pair.first,
            "second": pair.second,
            **difference_record(pair),
            "better": pair.better,
            "positives_only_first_right": pair.positives_test.first_only,
            "positives_only_second_right": pair.positives_test.second_only,
            "negatives_only_first_right": pair.negatives_test.first_only,
            "negatives_only_second_right": pair.negatives_test.second_only,
            "kappa": pair.kappa,
            **pair.error_overlap.flat("error_overlap"),
        }
        for pair in found.pairs
    ]


def difference_record(pair: Comparison) -> dict[str, Any]:
    """Return the tasks of a pair and the differences of its rates."""
    return {
        "tasks": pair.tasks,
        "positives": pair.positives,
        "negatives": pair.negatives,
        **pair.balanced_accuracy.flat("balanced_accuracy"),
        **pair.tpr.flat("tpr"),
        **pair.tnr.flat("tnr"),
        "p_holm": pair.p_holm,
    }
