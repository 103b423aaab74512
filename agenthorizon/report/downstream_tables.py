"""Writes what a judge's errors do downstream, for reading."""

from agenthorizon.report.cells import markdown, markdown_table, percent
from agenthorizon.scoring.downstream import Downstream
from agenthorizon.scoring.scorecard import Scorecard


def downstream_to_markdown(found: Downstream, card: Scorecard) -> str:
    """Write the corrected rate, where grades were given, and a table over base rates."""
    rates = f"TPR {percent(card.tpr)}, TNR {percent(card.tnr)}"
    parts = [f"### {markdown(card.judge)}, as on {markdown(card.main_split)}: {rates}"]
    if found.graded and found.corrected:
        parts.append(
            f"Graded successful: {percent(found.graded)}. Success rate behind it: **{percent(found.corrected)}**."
        )
    rows = [[f"{100 * one.base_rate:g}", percent(one.wrong)] for one in found.filtered]
    parts.append("A training set of what the judge passed, in percent:")
    parts.append(markdown_table(["Successes before the filter", "Failures after it"], rows))
    return "\n\n".join(parts) + "\n"
