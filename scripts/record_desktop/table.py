"""The table of pairs in docs/desktop.md, made from the data set's own manifest."""

from typing import Any

_SHORT = {
    "Critical Mistake": "critical",
    "Bad Side Effect": "side effect",
    "Misunderstanding of the Instruction": "misunderstanding",
}


def table(manifest: dict[str, Any]) -> str:
    """Return one row per pair: applications, steps, what differs, and the mistake type of each swap with its reason."""
    head = (
        "| pair | split | applications | steps | what differs | A's instruction, B's recording "
        "| B's instruction, A's recording |\n| --- | --- | --- | --- | --- | --- | --- |\n"
    )
    return head + "".join(_row(pair) for pair in manifest["pairs"])


def _row(pair: dict[str, Any]) -> str:
    sides = [pair["sides"][letter] for letter in "ab"]
    cells = [
        f"`{pair['name']}`",
        pair["split"],
        ", ".join(pair["applications"]),
        " / ".join(str(side["steps"]) for side in sides),
        pair["differs"],
        *(f"**{_SHORT[side['mistake_type']]}**: {side['because']}" for side in sides),
    ]
    return f"| {' | '.join(cells)} |\n"
