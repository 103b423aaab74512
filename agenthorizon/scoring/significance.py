"""Tests of paired yes-or-no outcomes, and their correction for being many."""

from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.05
"""Below it two judges are told apart."""


@dataclass(frozen=True)
class McNemar:
    """The exact test on the tasks of one class that one judge alone got right. It takes tasks for independent."""

    first_only: int
    second_only: int
    p: float


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """Test whether each judge is as often right alone: the two-sided binomial of discordant tasks (McNemar 1947).

    Without any discordant task p is 1.
    """
    n, less = first_only + second_only, min(first_only, second_only)
    ways = tail = 1  # in whole numbers, exact however many there are: ways to choose k of n, and their sum up to k
    for k in range(less):
        ways = ways * (n - k) // (k + 1)
        tail += ways
    return McNemar(first_only, second_only, min(1.0, 2 * tail / 2**n))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p values for being many (Holm 1979), keeping their order; a test that could not be made is not counted.

    The m-th smallest of n is multiplied by n - m + 1, and is at least as large as those before it.
    """
    made = sorted((p, index) for index, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for place, (p, index) in enumerate(made):
        largest = max(largest, min(1.0, p * (len(made) - place)))
        corrected[index] = largest
    return corrected
