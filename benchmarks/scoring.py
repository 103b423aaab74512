"""The bootstrap of scoring/bootstrap.py against the plain Python loop: same resamples, same figures, less time.

15 judges of 1,373 tasks in pair groups, 10,000 resamples of the groups: every judge's balanced accuracy and all 105
paired differences, each with its 95 % interval. The loop goes through the tasks of every drawn group for every judge;
its time grows with the number of resamples, so that it is measured on some of them and multiplied.

    python benchmarks/scoring.py            rounds of both in turn; last line: ratio NAME GOT WANT, exit 1 below
    python benchmarks/scoring.py --whole    the loop through all 10,000
"""

import argparse
import itertools
import random
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np
from claims import Ratio

from agenthorizon.scoring.bootstrap import RESAMPLES, group_counts, percentile_intervals, resampled, weights
from agenthorizon.scoring.composites import balanced_accuracy
from agenthorizon.scoring.intervals import tally

JUDGES, TASKS, POSITIVES = 15, 1373, 523
WANTED = 60.0
LOOPED = 200
"""Resamples that the loop is timed on."""
CHECKED = 100
"""Resamples on which both must agree to the last bit."""

Task = tuple[bool, list[bool]]
"""Whether it is positive, and which judges got it right."""


def made_up() -> list[list[Task]]:
    """Return pair groups of two positives or fewer and two negatives, as many tasks as the benchmark has."""
    chance = random.Random(0)
    skill = [0.5 + 0.03 * judge for judge in range(JUDGES)]
    classes = [n < POSITIVES for n in range(TASKS)]
    groups: list[list[Task]] = [[] for _ in range(425)]
    for n, positive in enumerate(classes):
        place = n if positive else n - POSITIVES
        groups[place % 425].append((positive, [chance.random() < rate for rate in skill]))
    return groups


# ---- The two ways


def in_one_product(groups: list[list[Task]]) -> tuple[np.ndarray, np.ndarray]:
    """Return (resamples, judges) balanced accuracies and (resamples, pairs) differences."""
    counts = group_counts(
        [
            tuple(
                tally(
                    (f"{n:03}", right[judge]) for n, group in enumerate(groups) for kind, right in group if kind is want
                )
                for want in (True, False)
            )
            for judge in range(JUDGES)
        ]
    )
    figures = balanced_accuracy(resampled(counts, weights(len(groups))))
    first, second = np.triu_indices(JUDGES, 1)
    return figures, figures[:, first] - figures[:, second]


def in_a_loop(groups: list[list[Task]], drawn: Sequence[Sequence[int]]) -> tuple[list[list[float]], list[list[float]]]:
    """Return the same for the resamples given as lists of group numbers."""
    figures, differences = [], []
    for resample in drawn:
        of_judges = []
        for judge in range(JUDGES):
            tp = tn = positives = negatives = 0
            for number in resample:
                for positive, right in groups[number]:
                    if positive:
                        positives += 1
                        tp += right[judge]
                    else:
                        negatives += 1
                        tn += right[judge]
            of_judges.append((tp * negatives + tn * positives) / (2 * positives * negatives))
        figures.append(of_judges)
        differences.append([a - b for a, b in itertools.combinations(of_judges, 2)])
    return figures, differences


def limits(columns: list[list[float]]) -> list[tuple[float, float]]:
    """Return the 2.5th and 97.5th percentile of each column of rows, as numpy interpolates them."""
    found = []
    for column in zip(*columns, strict=True):
        ordered = sorted(column)
        ends = []
        for share in (0.025, 0.975):
            place = share * (len(ordered) - 1)
            below = int(place)
            above = min(below + 1, len(ordered) - 1)
            ends.append(ordered[below] + (place - below) * (ordered[above] - ordered[below]))
        found.append((ends[0], ends[1]))
    return found


# ---- Measuring


def drawn_groups(groups: int, resamples: int) -> list[list[int]]:
    """Return the resamples of `weights` as lists of group numbers."""
    counts = weights(groups)[:resamples].astype(int)
    return [np.repeat(np.arange(groups), row).tolist() for row in counts]


def check(groups: list[list[Task]]) -> None:
    """Raise SystemExit unless both ways give the same figures."""
    figures, differences = in_one_product(groups)
    looped = in_a_loop(groups, drawn_groups(len(groups), CHECKED))
    same = np.array_equal(figures[:CHECKED], looped[0]) and np.array_equal(differences[:CHECKED], looped[1])
    ends = percentile_intervals(differences[:CHECKED])
    close = np.allclose(ends, limits(looped[1]), rtol=0, atol=1e-12)
    print(f"equal on {CHECKED} fixed resamples: figures and differences {same}, limits {close}")
    if not (same and close):
        sys.exit(1)


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that a piece of work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Check, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--whole", action="store_true", help="loop through all resamples, once a round")
    args = parser.parse_args()
    groups = made_up()
    check(groups)
    drawn = drawn_groups(len(groups), RESAMPLES if args.whole else LOOPED)

    def product() -> None:
        weights.cache_clear()  # the draw is part of the work
        for replicates in in_one_product(groups):
            percentile_intervals(replicates)

    def loop() -> None:
        for replicates in in_a_loop(groups, drawn):
            limits(replicates)

    ratios = []
    for _ in range(args.rounds):
        looped = seconds(loop) * RESAMPLES / len(drawn)
        ours = seconds(product)
        ratios.append(looped / ours)
        print(
            f"loop {looped:.2f} s ({len(drawn)} of {RESAMPLES} resamples), product {ours:.3f} s, ratio {ratios[-1]:.1f}"
        )
    claim = Ratio("scoring_bootstrap", median(ratios), WANTED)
    print(claim)
    sys.exit(not claim.holds)


if __name__ == "__main__":
    main()
