"""Dividing by splitters' verdicts: what counts, what is set aside, and how far it hangs on each splitter."""

import json
import random

import pytest
from scipy.stats import spearmanr

from agenthorizon.construction.dividing import divide, set_aside, write_division
from agenthorizon.construction.partition import Rule
from agenthorizon.construction.sensitivity import rank_correlation
from agenthorizon.construction.splitters import count_of_repeats, verdicts_of
from agenthorizon.dataset.label import Label, read_labels
from agenthorizon.dataset.labels import Labels
from agenthorizon.errors import DataError, UsageError
from agenthorizon.outcome import Outcome, OutcomeError
from agenthorizon.running.store import Run
from agenthorizon.scoring.answers import Answer
from agenthorizon.scoring.marks import mark
from agenthorizon.verdict import Verdict

TASKS = [Label(trajectory_id=f"t{n:02}", label="positive", pair_group_id=f"g{n // 4}") for n in range(40)]
LABELS = Labels({"all": TASKS})


def verdicts(**right):
    """Eight verdicts of each splitter on each task: `right` says how many of them are right, by task number."""
    return {
        name: {label.trajectory_id: [n < count(k) for n in range(8)] for k, label in enumerate(TASKS)}
        for name, count in right.items()
    }


THREE = verdicts(a=lambda k: 8 if k < 20 else 0, b=lambda k: 8 if k < 20 else 0, c=lambda k: 8 if k % 2 else 2)


def judge(seed):
    chance = random.Random(seed)
    by_id = {label.trajectory_id: Answer("verdict", chance.random() < 0.6) for label in TASKS}
    return mark(TASKS, by_id, LABELS.groups)


def test_the_published_rule_divides_and_each_splitter_alone_divides_otherwise():
    division = divide(THREE, LABELS, (), Rule(), {})
    assert {name: len(ids) for name, ids in division.splits.items()} == {"AH": 30, "AH-S": 10}
    alone = division.sensitivity.alone
    assert {name: (found.at_most, found.frontier, found.same) for name, found in alone.items()} == {
        "a": (6, 20, 30),  # 8 + 8 + 2 of 24 is AH, but easy to a alone
        "b": (6, 20, 30),
        "c": (6, 20, 30),
    }


def test_leaving_a_splitter_out_keeps_the_share_of_the_limit():
    left_out = divide(THREE, LABELS, (), Rule(), {}).sensitivity.left_out
    assert {name: (found.splitters, found.at_most) for name, found in left_out.items()} == {
        "a": (("b", "c"), 12),
        "b": (("a", "c"), 12),
        "c": (("a", "b"), 12),
    }
    assert (left_out["c"].frontier, left_out["c"].same) == (20, 30)


def test_a_limit_of_ones_own_is_scaled_too():
    found = divide(THREE, LABELS, (), Rule(3, 8, 10), {}).sensitivity
    assert (found.left_out["a"].at_most, found.alone["a"].at_most) == (6, 3)


def test_development_tasks_are_whole_pair_groups_drawn_with_the_seed_and_in_no_other_split():
    held = set_aside(LABELS, 12, seed=3)
    division = divide(THREE, LABELS, held, Rule(), {})
    assert held == set_aside(LABELS, 12, seed=3) != set_aside(LABELS, 12, seed=4)
    assert len(division.development) == 12
    assert len({LABELS.groups[task_id] for task_id in held}) == 3
    assert sum(len(ids) for ids in division.splits.values()) == 40


def test_without_a_size_the_development_split_there_is_stays_aside():
    labels = Labels({"AH-D": TASKS[:8], "rest": TASKS[8:]})
    assert set_aside(labels, None, seed=0) == {label.trajectory_id for label in TASKS[:8]}
    assert set_aside(LABELS, None, seed=0) == frozenset()


def test_ranks_are_correlated_as_scipy_does():
    judges = {f"j{seed}": judge(seed) for seed in range(6)}
    # Positives alone leave balanced accuracy undefined; make half of them negatives.
    tasks = [label.model_copy(update={"label": "negative"}) if n % 2 else label for n, label in enumerate(TASKS)]
    judges = {
        name: mark(tasks, {one.task_id: one.answer for one in marks}, LABELS.groups) for name, marks in judges.items()
    }
    first, second = ([label.trajectory_id for label in part] for part in (tasks[:20], tasks[20:]))

    def right(marks, ids):  # both classes have ten tasks: as good as balanced accuracy, and exact
        return sum(one.is_right for one in marks if one.task_id in ids)

    expected = spearmanr(*([right(marks, ids) for marks in judges.values()] for ids in (first, second))).statistic
    assert rank_correlation(first, second, judges) == pytest.approx(expected)


def test_two_judges_have_no_rank_correlation():
    ids = [label.trajectory_id for label in TASKS]
    assert rank_correlation(ids, ids, {"a": judge(1), "b": judge(2)}) is None


def test_the_files_hold_every_label_once_and_the_account_of_the_division(tmp_path):
    held = set_aside(LABELS, 12, seed=3)
    division = divide(THREE, LABELS, held, Rule(), {})
    write_division(division, LABELS, tmp_path / "out")
    read = {name: read_labels(tmp_path / "out" / f"{name}.jsonl") for name in FILES}
    assert {file.split: {label.trajectory_id for label in file.labels} for file in read.values()} == {
        name: set(ids) for name, ids in division.splits.items()
    }
    account = json.loads((tmp_path / "out" / "partition.json").read_text())
    assert account["rule"] == {"splitters": 3, "repeats": 8, "at_most": 18}
    assert account["right"] == dict(division.partition.right)


FILES = ("AgentHorizon", "AgentHorizon-Simple", "AgentHorizon-Development")


def test_a_folder_that_holds_something_is_not_written_to(tmp_path):
    (tmp_path / "mine").write_text("keep")
    with pytest.raises(UsageError, match="not an empty folder"):
        write_division(divide(THREE, LABELS, (), Rule(), {}), LABELS, tmp_path)


# ---- Verdicts of runs


def outcome(task_id, repeat, status="verdict", passing=False):
    verdict = Verdict(success=True) if status == "verdict" else None
    error = None if verdict else OutcomeError(**{"class": "x", "message": "", "passing": passing})
    return Outcome(task_id=task_id, repeat=repeat, status=status, verdict=verdict, error=error)


def run_of(tmp_path, *outcomes, data="demo"):
    return Run(tmp_path, {"judge": {"name": "j"}, "data": {"name": data, "form": "three-split"}}, outcomes)


def test_repeats_are_verdicts_in_order_and_what_is_none_counts_as_none(tmp_path):
    run = run_of(
        tmp_path,
        outcome("t", 2, "malformed"),
        outcome("t", 0),
        outcome("t", 1, "failed"),
        outcome("t", 3, "failed", passing=True),
    )
    found = verdicts_of({"j": run})
    assert found == {"j": {"t": [True, None, None]}}
    assert count_of_repeats(found) == 3


def test_a_task_whose_failure_may_pass_lacks_a_verdict_and_is_named(tmp_path):
    labels = Labels({"all": TASKS[:1]})
    run = run_of(tmp_path, outcome("t00", 0), outcome("t00", 1, "failed", passing=True))
    with pytest.raises(DataError, match="t00 has 1 verdicts, the rule counts 2"):
        divide(verdicts_of({"j": run}), labels, (), Rule(1, 2, 1), {})


def test_splitters_of_two_data_sets_are_refused(tmp_path):
    with pytest.raises(UsageError, match="one data set"):
        verdicts_of({"a": run_of(tmp_path), "b": run_of(tmp_path, data="mine")})
