"""Figures made of both classes at once, for one table of counts or for ten thousand resampled ones.

Every function takes an array whose last axis is (true positives, positives, true negatives, negatives) and returns
an array without that axis, NaN where the figure is undefined. A task without a verdict counts as the wrong answer.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Figures = NDArray[np.float64]
Formula = Callable[[Figures], Figures]


def balanced_accuracy(counts: Figures) -> Figures:
    """Return half the sum of the accuracies of both classes; undefined without one of them."""
    tp, positives, tn, negatives = np.moveaxis(counts, -1, 0)
    return _divided(tp * negatives + tn * positives, 2 * positives * negatives)


def f1(counts: Figures) -> Figures:
    """Return the harmonic mean of precision and TPR, 2 TP / (2 TP + FP + FN); undefined without positives."""
    tp, positives, tn, negatives = np.moveaxis(counts, -1, 0)
    found = _divided(2 * tp, tp + positives + negatives - tn)
    return np.where(positives > 0, found, np.nan)


def mcc(counts: Figures) -> Figures:
    """Return Matthews' correlation (1975) of verdicts and labels.

    Undefined where either takes one value only: a judge that always says the same has no correlation, not one of 0.
    """
    tp, positives, tn, negatives = np.moveaxis(counts, -1, 0)
    fp, fn = negatives - tn, positives - tp
    margins = (tp + fp) * (tn + fn) * positives * negatives
    return _divided(tp * tn - fp * fn, np.sqrt(margins))


def d_prime(counts: Figures) -> Figures:
    """Return d′, how far apart successes and failures look to the judge, in standard deviations.

    d′ = z(H) - z(F) with the log-linear correction (Hautus 1995): 0.5 is added to the numbers of hits and false
    alarms and 1 to those of tasks, so that rates of 0 and 1 have a place. Undefined without one of the classes.
    """
    hits, false_alarms = _corrected(counts)
    return hits - false_alarms


def criterion(counts: Figures) -> Figures:
    """Return the criterion c = -(z(H) + z(F)) / 2, corrected like `d_prime`: below 0 the judge leans to yes."""
    hits, false_alarms = _corrected(counts)
    return -(hits + false_alarms) / 2


def _corrected(counts: Figures) -> tuple[Figures, Figures]:
    tp, positives, tn, negatives = np.moveaxis(counts, -1, 0)
    absent = (positives == 0) | (negatives == 0)
    hits = ndtri((tp + 0.5) / (positives + 1))
    false_alarms = ndtri((negatives - tn + 0.5) / (negatives + 1))
    return np.where(absent, np.nan, hits), np.where(absent, np.nan, false_alarms)


def _divided(above: Figures, below: Figures) -> Figures:
    found: Figures = np.divide(above, below, out=np.full(np.shape(below), np.nan), where=below != 0)
    return found
