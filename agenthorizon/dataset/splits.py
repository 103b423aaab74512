"""Splits: the published names, the label files they stand in, their sizes, and the form of a data set that has them.

Two forms were published, of different tasks: three splits and, earlier, two. Names alone are here, and no label.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

MAIN = "AH"
"""The frontier split: a scorecard's own figures, the leaderboard and the comparisons are about it."""
SIMPLE = "AH-S"
DEVELOPMENT = "AH-D"

WHOLE = "all"
"""The one split of a data set of one's own that is not divided."""
_UNDIVIDED = frozenset({"labels", "trajectories", "agenthorizon"})
"""What such a set's files are called where they name no split."""

LABEL_FILES: Mapping[str, str] = {
    "AgentHorizon": MAIN,
    "AgentHorizon-Simple": SIMPLE,
    "AgentHorizon-Development": DEVELOPMENT,
    "AgentHorizon-Dev": DEVELOPMENT,
    "AgentHorizon-D": DEVELOPMENT,
}
"""File stem of a published label file → its split; of several stems of a split, files are written under the first."""

THREE_SPLIT, TWO_SPLIT = "three-split", "two-split"
FOUND, BUILT = "release", "custom"
"""Forms of other splits than the published ones: in a folder that states no form, and in one that was built here."""

CLASSES: Mapping[str, tuple[int, int]] = {MAIN: (227, 301), SIMPLE: (234, 449)}
"""Positives and negatives of the splits that the published results are of, in the three-split form."""
SIZES: Mapping[str, Mapping[str, int]] = {
    THREE_SPLIT: {MAIN: 528, SIMPLE: 683, DEVELOPMENT: 162},
    TWO_SPLIT: {MAIN: 605, SIMPLE: 768},
}
"""Published form → number of tasks by split."""

_ORDER = (MAIN, SIMPLE, DEVELOPMENT)


def form_of(names: Collection[str], otherwise: str) -> str:
    """Return the published form that has exactly these splits, else `otherwise`."""
    return next((form for form, sizes in SIZES.items() if sizes.keys() == set(names)), otherwise)


def in_order(splits: Iterable[str]) -> list[str]:
    """Return names of splits, once each, in the order of every table: AH, AH-S, AH-D, the others by name."""
    names = set(splits)
    return [*(name for name in _ORDER if name in names), *sorted(names.difference(_ORDER))]


def split_name(path: Path) -> str:
    """Return the split that a file of labels, or of records without labels, stands for.

    A published name; WHOLE where the file's name says only what it is; else its stem, `mine` of mine_labels.jsonl too.
    """
    own = path.stem.removesuffix("_labels") or path.stem
    return LABEL_FILES.get(path.stem, WHOLE if own in _UNDIVIDED else own)


def label_file_name(split: str) -> str:
    """Return the name of the file that holds a split's labels: the published one, else the split's own."""
    published = {split: stem for stem, split in reversed(tuple(LABEL_FILES.items()))}
    return f"{published.get(split, split)}.jsonl"
