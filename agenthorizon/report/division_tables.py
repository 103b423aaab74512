"""Writes a division of a data set for reading: the splits, and how they hang on the splitters."""

from collections.abc import Mapping

from agenthorizon.construction.dividing import Division
from agenthorizon.construction.sensitivity import variants
from agenthorizon.dataset.labels import Labels
from agenthorizon.report.cells import UNDEFINED, markdown, markdown_table


def division_to_markdown(division: Division, labels: Labels) -> str:
    """Write the rule, the splits and the sensitivity."""
    rule, found = division.partition.rule, division.sensitivity
    parts = [
        f"A task is of AH when at most {rule.at_most} of its {rule.verdicts} verdicts are right "
        f"({rule.splitters} splitters × {rule.repeats}; an invalid verdict counts as wrong), else of AH-S.",
        _splits(division, labels),
        "With other splitters, the limit the same share of the verdicts:",
        _variants(division),
    ]
    if ranks := {name: value for name, value in found.between_single.items() if value is not None}:
        parts += ["Judges' ranks on the frontiers of two single splitters (Spearman):", _ranks(ranks)]
    return "\n\n".join(parts) + "\n"


def _splits(division: Division, labels: Labels) -> str:
    rows = []
    for name, ids in division.splits.items():
        positives = sum(labels[task_id].is_positive for task_id in ids)
        groups = len({labels.groups[task_id] for task_id in ids})
        rows.append([name, *map(str, (len(ids), positives, len(ids) - positives, groups))])
    return markdown_table(["Split", "Tasks", "Positive", "Negative", "Pair groups"], rows)


def _variants(division: Division) -> str:
    total = len(division.partition.right)
    rows = [
        [
            markdown(name),
            f"{variant.at_most} of {len(variant.splitters) * division.partition.rule.repeats}",
            str(variant.frontier),
            str(variant.simple),
            f"{variant.same} of {total}",
            UNDEFINED if variant.ranks is None else f"{variant.ranks:z.3f}",
        ]
        for name, variant in variants(division.sensitivity)
    ]
    return markdown_table(["Splitters", "Limit", "AH", "AH-S", "Same split", "Rank correlation"], rows)


def _ranks(between: Mapping[str, float]) -> str:
    return markdown_table(["Splitters", "Correlation"], [[markdown(name), f"{r:z.3f}"] for name, r in between.items()])
