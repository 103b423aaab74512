"""Lets simple classifiers guess the labels from one narrow view, cross-validated by pair group: 50 % is blindness.

A guesser is trained on whole pair groups and guesses the others, so it cannot profit from having seen a pair. The
interval of what it reaches is that of any judge (`scoring.intervals`). A view leaks when the interval, widened for the
number of guessers (Bonferroni), lies above 50 %: were intervals exact, one sound data set in forty would be suspected.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from agenthorizon.construction.subjects import Subject
from agenthorizon.construction.views import VIEWS, Features
from agenthorizon.scoring.intervals import Z95, Interval, balanced_accuracy_interval, tally

FOLDS = 5
TREES = 30
TOO_LITTLE = "not testable"
"""Said of a view where tasks are too few to learn from some and guess others."""
NEEDED = "two pair groups, two positives and two negatives are needed to guess some from others"
INSTRUCTION = "instruction alone"
CHANCE_OF_ALARM = 0.025 / (len(VIEWS) + 1)
"""How probable a false suspicion by one view may be."""


@dataclass(frozen=True)
class Guess:
    """What one guesser reached."""

    view: str
    balanced_accuracy: float | None
    """None where there is nothing to learn from; `why` says what."""
    interval: Interval | None
    """95 %, by pair group."""
    why: str = ""
    """Why nothing could be learned; empty where it could."""
    is_testable: bool = True
    """Whether the data set could have shown a leak: a view that is the same for all tasks cannot be one."""

    @property
    def leaks(self) -> bool:
        """Whether it is better than chance beyond what so many guessers reach by luck."""
        if self.balanced_accuracy is None or self.interval is None:
            return False
        below = self.balanced_accuracy - self.interval.low
        widened = NormalDist().inv_cdf(1 - CHANCE_OF_ALARM) / Z95
        return self.balanced_accuracy - below * widened > 0.5


def guess_all(subjects: Sequence[Subject]) -> list[Guess]:
    """Return what every guesser reaches."""
    texts = [subject.facts.instruction for subject in subjects]
    guesses = [_guess(INSTRUCTION, subjects, texts, _of_texts)]
    for name, view in VIEWS.items():
        features = _common(view(subjects), [subject.group for subject in subjects])
        guesses.append(_guess(name, subjects, features, _of_features))
    return guesses


def _common(features: Sequence[Features], groups: Sequence[str]) -> list[Features]:
    """Leave out words that stand in one pair group alone: nothing learned from them could be used on another."""
    homes: dict[object, set[str]] = {}
    for each, group in zip(features, groups, strict=True):
        for item in each.items():
            homes.setdefault(_word(item), set()).add(group)
    return [{key: value for key, value in each.items() if len(homes[_word((key, value))]) > 1} for each in features]


def _word(item: tuple[str, float | str]) -> object:
    return item if isinstance(item[1], str) else item[0]


def _guess(name: str, subjects: Sequence[Subject], seen: Sequence[Any], model: Callable[[], Any]) -> Guess:
    from sklearn.model_selection import StratifiedGroupKFold

    answers = [subject.label.is_positive for subject in subjects]
    groups = [subject.group for subject in subjects]
    folds = min(FOLDS, len(set(groups)), answers.count(True), answers.count(False))
    if folds < 2:
        return Guess(name, None, None, TOO_LITTLE, is_testable=False)
    if all(each == seen[0] for each in seen):
        return Guess(name, None, None, "the same for all tasks")
    guessed: dict[int, bool] = {}
    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=0)
    for train, test in splitter.split(seen, answers, groups):
        known = [answers[n] for n in train]
        if len(set(known)) < 2:
            guessed |= {int(n): known[0] for n in test}
            continue
        fitted = model().fit([seen[n] for n in train], known)
        guessed |= dict(zip(map(int, test), map(bool, fitted.predict([seen[n] for n in test])), strict=True))
    return _scored(name, guessed, answers, groups)


def _scored(name: str, guessed: Mapping[int, bool], answers: Sequence[bool], groups: Sequence[str]) -> Guess:
    marks = {
        kind: [(groups[n], guess == kind) for n, guess in guessed.items() if answers[n] == kind]
        for kind in (True, False)
    }
    shares = [sum(right for _, right in each) / len(each) for each in marks.values()]
    return Guess(name, sum(shares) / 2, balanced_accuracy_interval(tally(marks[True]), tally(marks[False])))


def _of_texts() -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    words = TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"(?u)\b\w+\b", sublinear_tf=True)
    return make_pipeline(words, LogisticRegression(class_weight="balanced", max_iter=1000))


def _of_features() -> Any:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.pipeline import make_pipeline

    forest = RandomForestClassifier(
        TREES, max_depth=4, min_samples_leaf=2, max_features=0.5, class_weight="balanced", random_state=0
    )
    return make_pipeline(DictVectorizer(sparse=False), forest)
