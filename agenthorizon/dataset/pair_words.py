"""The words in which a task's instruction differs from the other one of its pair."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.labels import Labels


class Difference(NamedTuple):
    """Words that stand at one place of two texts; empty where one has none there."""

    here: str
    there: str


def differing_words(text: str, other: str) -> list[Difference]:
    """Return where two texts differ, word by word, in their order."""
    here, there = text.split(), other.split()
    return [
        Difference(" ".join(here[a:b]), " ".join(there[c:d]))
        for kind, a, b, c, d in SequenceMatcher(None, here, there, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


def other_instructions(bench: Bench, labels: Labels, task_id: str) -> list[str]:
    """Return the other instructions of a task's pair, once each; none where it stands alone.

    Those that its own recording was shown with come alone. Where review took them out, it is those of the group's other
    recordings.
    """
    group = labels.groups.get(task_id)
    mates = [name for name, of_group in labels.groups.items() if of_group == group and name != task_id]
    known = {name: bench[name] for name in [task_id, *mates] if bench.facts(name)}
    task = known.pop(task_id)
    same = [mate for mate in known.values() if mate.trajectory.recording == task.trajectory.recording]
    return _others(task.instruction, (mate.instruction for mate in same)) or _others(
        task.instruction, (mate.instruction for mate in known.values())
    )


def _others(instruction: str, instructions: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(other for other in instructions if other != instruction))
