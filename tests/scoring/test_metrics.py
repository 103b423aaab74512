"""The counts agree with scikit-learn wherever both define the same thing."""

import random

import pytest

from agenthorizon.scoring.answers import FAILED, MALFORMED, Answer, Answers
from agenthorizon.scoring.intervals import pooled
from agenthorizon.scoring.marks import mark
from agenthorizon.scoring.metrics import count
from agenthorizon.scoring.scorecard import score
from agenthorizon.verdict import MISTAKE_TYPES


def drawn(seed):
    """Draw label rows and answers, some unusable."""
    chance = random.Random(seed)
    rows, by_id = [], {}
    for n in range(chance.randint(2, 60)):
        label = "positive" if n == 0 or (n > 1 and chance.random() < 0.4) else "negative"
        kind = None if label == "positive" else chance.choice((None, *MISTAKE_TYPES))
        rows.append({"id": f"t{n}", "label": label, "mistake_type": kind, "pair_group_id": f"g{n // 4}"})
        said = chance.choice((True, False, True, False, FAILED, MALFORMED, None))
        if isinstance(said, bool):
            said = Answer("verdict", said, None if said else chance.choice((None, *MISTAKE_TYPES)))
        if said is not None:
            by_id[f"t{n}"] = said
    return rows, by_id


@pytest.mark.parametrize("seed", range(25))
def test_scikit_learn_agrees_when_unusable_answers_are_replaced_by_the_wrong_one(seed, manifest):
    from sklearn.metrics import accuracy_score, balanced_accuracy_score, recall_score

    rows, by_id = drawn(seed)
    true = [row["label"] == "positive" for row in rows]
    said = [
        not is_positive if by_id.get(row["id"], FAILED).success is None else by_id[row["id"]].success
        for row, is_positive in zip(rows, true, strict=True)
    ]
    found = score(Answers("j", "results", by_id), manifest(rows)).main
    assert found.balanced_accuracy.value == pytest.approx(balanced_accuracy_score(true, said))
    assert found.tpr.value == pytest.approx(recall_score(true, said, pos_label=True))
    assert found.tnr.value == pytest.approx(recall_score(true, said, pos_label=False))
    assert found.accuracy.value == pytest.approx(accuracy_score(true, said))


@pytest.mark.parametrize("seed", range(25))
def test_every_figure_lies_inside_its_limits_and_every_task_has_one_kind(seed, manifest):
    rows, by_id = drawn(seed)
    found = score(Answers("j", "results", by_id), manifest(rows)).main
    recalls = found.mistake_type_recall
    figures = [found.balanced_accuracy, found.tpr, found.tnr, found.accuracy, recalls.overall]
    for figure in figures + list(recalls.by_type.values()):
        assert figure.value is None or 0 <= figure.low <= figure.value <= figure.high <= 1
    assert found.verdicts + found.malformed + found.failed + found.missing == found.tasks == len(rows)
    assert recalls.overall.numerator == sum(rate.numerator for rate in recalls.by_type.values())


@pytest.mark.parametrize(
    ("answer", "expected"), [(lambda label: True, 0.5), (lambda label: False, 0.5), (lambda label: label, 1.0)]
)
def test_constant_judges_get_half_and_the_labels_everything(answer, expected, manifest):
    labels = manifest([{"id": f"t{n}", "label": "positive" if n % 3 else "negative"} for n in range(10)])
    by_id = {task_id: Answer("verdict", answer(label.is_positive)) for task_id, label in labels.items()}
    assert score(Answers("j", "run", by_id), labels).balanced_accuracy.value == expected


def test_no_answers_get_nothing(manifest):
    labels = manifest([{"id": "a", "label": "positive"}, {"id": "b", "label": "negative"}])
    assert score(Answers("j", "run", {}), labels).balanced_accuracy.value == 0


def test_equal_balanced_accuracies_are_equal_to_the_last_bit(manifest):
    labels = manifest(
        [{"id": f"p{n}", "label": "positive"} for n in range(2)]
        + [{"id": f"n{n}", "label": "negative"} for n in range(6)]
    )
    values = []
    for tp, tn in ((1, 2), (0, 5)):  # 1/2 + 2/6 = 0/2 + 5/6, but not as a sum of floating-point numbers
        by_id = {f"p{n}": Answer("verdict", n < tp) for n in range(2)}
        by_id |= {f"n{n}": Answer("verdict", n >= tn) for n in range(6)}
        values.append(count(mark(labels.values(), by_id, labels.groups)).balanced_accuracy)
    assert values[0] == values[1]
    assert (1 / 2 + 2 / 6) / 2 != (0 / 2 + 5 / 6) / 2


def test_an_untyped_negative_leaves_the_type_denominators_only(manifest):
    labels = manifest([{"id": "n", "label": "negative"}])
    counts = count(mark(labels.values(), {"n": Answer("verdict", False)}, labels.groups))
    assert (pooled(counts.negatives), pooled(counts.typed)) == ((1, 1), (0, 0))
