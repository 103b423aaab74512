"""Fits the weights of the `ocr` judge on the development split of a data set and stores them beside the judge.

    python scripts/fit_ocr.py [DATA [WEIGHTS_FILE]]

It opens the label file of AH-D and no other. Run it again, on the data that is to be judged, where AH-D is larger than
that of the shipped set.
"""

import asyncio
import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from agenthorizon.judges._ocr_looking import Look, look
from agenthorizon.judges._ocr_reading import engine_version
from agenthorizon.judges._ocr_terms import terms_of
from agenthorizon.judges._ocr_weights import FILE, Rarity, Shares, Weights
from agenthorizon.judges.ocr import Ocr
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut

from agenthorizon.case import FULL_SIZE
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label, read_labels
from agenthorizon.errors import AgentHorizonError
from agenthorizon.evidence.blind import build_case
from agenthorizon.evidence.pictures import Pictures
from agenthorizon.source import load

ROOT = Path(__file__).resolve().parent.parent
DEVELOPMENT_FILE = "AgentHorizon-Development.jsonl"
DIGITS = 4
"""Decimals kept, so that the last bits of another machine's arithmetic do not change the file."""
FRAMES: int = Ocr.model_fields["frames"].default
THRESHOLD = 0.5
"""Not fitted: both labels weigh the same in the fit, so that 0.5 is where they balance."""


class Example(NamedTuple):
    """One development task: what was seen in it, and whether it succeeded."""

    instruction: str
    seen: Look
    label: Label

    @property
    def group(self) -> str:
        """What ties it to others."""
        return self.label.pair_group_id or self.label.trajectory_id


class HeldOut(NamedTuple):
    """How tasks of pair groups that a fit has not seen were answered."""

    positives: int
    negatives: int
    accepted_positives: int
    refused_negatives: int

    @property
    def balanced_accuracy(self) -> float:
        """The mean of the accuracies on positives and on negatives."""
        return (self.accepted_positives / self.positives + self.refused_negatives / self.negatives) / 2


def main(data: str = str(ROOT / "data" / "demo"), weights_file: str = str(ROOT / "judges" / FILE)) -> None:
    """Fit, say how little is known of the result, store."""
    label_file = Path(data) / DEVELOPMENT_FILE
    bench = load(data, label_file)
    examples = asyncio.run(looked_at(bench, read_labels(label_file).labels))
    held_out = cross_validated(examples)
    print(account(examples, held_out))
    weights = fitted(examples).model_copy(update={"provenance": provenance(bench.name, label_file, examples, held_out)})
    text = json.dumps(weights.model_dump(), indent=2, ensure_ascii=False)
    Path(weights_file).write_text(text + "\n", encoding="utf-8")
    values = ", ".join(f"{name} {getattr(weights, name)}" for name in ("bias", *Shares._fields, "threshold"))
    print(f"{FILE}: {values}")


async def looked_at(bench: Bench, labels: Iterable[Label]) -> list[Example]:
    """Look at every labelled task as the judge does."""
    examples = []
    with closing(Pictures()) as pictures:
        for label in labels:
            task = bench[label.trajectory_id]
            case = build_case(task, bench.screenshots(task), FULL_SIZE, "", pictures).case
            examples.append(Example(case.instruction, await look(case, FRAMES), label))
    return examples


def cross_validated(examples: Sequence[Example]) -> HeldOut:
    """Answer every example by what was fitted on the other pair groups."""
    right = {True: 0, False: 0}
    for others, held_out in LeaveOneGroupOut().split(examples, groups=[example.group for example in examples]):
        weights = fitted([examples[index] for index in others])
        for example in (examples[index] for index in held_out):
            success = weights.probability(weights.rarity.shares(example.seen)) >= weights.threshold
            right[example.label.is_positive] += success == example.label.is_positive
    positives = sum(example.label.is_positive for example in examples)
    return HeldOut(positives, len(examples) - positives, right[True], right[False])


def fitted(examples: Sequence[Example]) -> Weights:
    """Fit a regularised logistic regression whose weights are not negative.

    Finding more of what was asked for cannot speak against success: a share that comes out so was fitted to chance,
    and is left out.
    """
    rarity = counted(examples)
    features = np.array([rarity.shares(example.seen) for example in examples])
    success = [example.label.is_positive for example in examples]
    weights = dict.fromkeys(Shares._fields, 0.0)
    kept = list(Shares._fields)
    while kept:
        columns = [Shares._fields.index(name) for name in kept]
        model = LogisticRegression(class_weight="balanced").fit(features[:, columns], success)
        values = model.coef_[0]
        if values.min() >= 0:
            weights |= {name: round(float(value), DIGITS) for name, value in zip(kept, values, strict=True)}
            bias = round(float(model.intercept_[0]), DIGITS)
            return Weights(bias=bias, **weights, threshold=THRESHOLD, rarity=rarity, provenance={})
        del kept[int(values.argmin())]
    raise AgentHorizonError("nothing that was found speaks for success in these tasks; no weights were stored")


def counted(examples: Iterable[Example]) -> Rarity:
    """Count how many different instructions have each term."""
    instructions = {example.instruction for example in examples}
    counts = Counter(term.key for instruction in instructions for term in terms_of(instruction))
    shared = {key: count for key, count in sorted(counts.items()) if count > 1}
    return Rarity(instructions=len(instructions), counts=shared)


def account(examples: Sequence[Example], held_out: HeldOut) -> str:
    """Say what the cross-validation found, and what that is worth."""
    number = len(examples)
    right = held_out.accepted_positives + held_out.refused_negatives
    coin = sum(math.comb(number, k) for k in range(right, number + 1)) / 2**number
    return (
        f"{number} development tasks ({held_out.positives} positive) in {_groups(examples)} pair groups.\n"
        f"Leaving one pair group out: balanced accuracy {held_out.balanced_accuracy:.2f}, "
        f"{held_out.accepted_positives} of {held_out.positives} positives accepted, "
        f"{held_out.refused_negatives} of {held_out.negatives} negatives refused.\n"
        f"A coin gets {right} or more of {number} right in {coin:.0%} of tries; and tasks of a pair group are alike, "
        f"so that these {number} tell less than {number} would."
    )


def provenance(data: str, label_file: Path, examples: Sequence[Example], held_out: HeldOut) -> dict[str, Any]:
    """Return what the weights were made from, and with."""
    return {
        "script": "scripts/fit_ocr.py",
        "data": data,
        "split": "AH-D",
        "label_file_sha256": hashlib.sha256(label_file.read_bytes()).hexdigest(),
        "tasks": len(examples),
        "positive": held_out.positives,
        "pair_groups": _groups(examples),
        "frames": FRAMES,
        "engine": engine_version(),
        "scikit_learn": version("scikit-learn"),
        "held_out_balanced_accuracy": round(held_out.balanced_accuracy, DIGITS),
    }


def _groups(examples: Iterable[Example]) -> int:
    return len({example.group for example in examples})


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except AgentHorizonError as error:
        sys.exit(str(error))
