"""How often does `data audit` suspect a data set that leaks nothing?

Builds data sets as `data build` does from made-up recordings that differ at random alone: instructions from a small
vocabulary, step counts, typed texts; 38 % of the positives dropped at random, as by review of the benchmark.
Whatever the audit suspects then, it suspects wrongly.

    python benchmarks/false_alarms.py --sets 100 --first-seed 100000
"""

import argparse
import json
import random
import tempfile
from collections import Counter
from pathlib import Path

from agenthorizon.construction.audit import audit_data
from agenthorizon.construction.building import BuildPlan, build
from agenthorizon.construction.review import Decision
from agenthorizon.dataset.pair_link import PairLink
from agenthorizon.source import load

DROPPED = 0.38
VERBS = ("insert", "delete", "rename", "export", "move", "copy", "sort", "print")
THINGS = ("table", "chart", "folder", "page", "heading", "image", "invoice", "column")


def main() -> None:
    """Read the command line, audit the sets, print how many were suspected and of what."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, nargs=2, default=(10, 60), metavar=("LEAST", "MOST"))
    wanted = parser.parse_args()
    suspected: Counter[str] = Counter()
    sets = 0
    for seed in range(wanted.first_seed, wanted.first_seed + wanted.sets):
        with tempfile.TemporaryDirectory() as folder:
            leaks = {leak.code for leak in audit_data(make(Path(folder), seed, *wanted.pairs)).leaks}
        suspected.update(leaks)
        sets += bool(leaks)
    print(f"{sets} of {wanted.sets} sets suspected; by code: {dict(suspected)}")


def make(folder: Path, seed: int, least: int, most: int) -> Path:
    """Build one data set of least to most pairs; return its folder."""
    dice = random.Random(seed)
    pairs = dice.randint(least, most)
    records = [_recording(dice, number) for number in range(2 * pairs)]
    (folder / "recordings.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    links = tuple(PairLink(f"rec-{2 * n}", f"rec-{2 * n + 1}") for n in range(pairs))
    dropped = {f"rec-{n}": Decision(is_dropped=True) for n in range(2 * pairs) if dice.random() < DROPPED}
    plan = BuildPlan(load(folder / "recordings.jsonl"), links, decisions=dropped, seed=seed)
    return build(plan, folder / "built").folder


def _recording(dice: random.Random, number: int) -> dict[str, object]:
    steps = [
        {
            "step_id": step,
            "action": {"type": "type", "parameters": {"text": "x" * dice.randint(1, 9)}},
            "timestamp_us": step * 1_000_000,
        }
        for step in range(dice.randint(1, 12))
    ]
    return {
        "trajectory_id": f"rec-{number}",
        "task": {
            "instruction": f"{dice.choice(VERBS)} the {dice.choice(THINGS)} number {number}",
            "applications": [dice.choice(("Calc", "Writer", "Files"))],
        },
        "environment": {"os": "linux", "screen_resolution": [100, 100]},
        "steps": steps,
    }


if __name__ == "__main__":
    main()
