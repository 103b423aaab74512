"""Scoring a run folder, from one end to the other: known answers give known scores."""

import json

import pytest

import agenthorizon as ah
from agenthorizon.errors import DataError, UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.report.repeat_tables import repeats_to_markdown
from agenthorizon.results.scorecards import find_labels, named_runs, repeats_of, score_results, score_run, score_runs
from agenthorizon.running.run_folder import RunFolder
from agenthorizon.running.store import read_run
from agenthorizon.scoring.repeats import repeat_score


def run_folder(path, outcomes, asked, location="demo", judge="known"):
    config = {
        "data": {"name": "demo", "form": "three-split", "fingerprint": "f"},
        "judge": {"name": judge},
        "prompt": {},
        "evidence": {},
        "reask": 0,
        "protocol": "published",
        "location": location,
        "asked": sorted(asked),
    }
    with RunFolder(path, config) as folder:
        for outcome in outcomes:
            folder.append(outcome, None)
    return path


def verdict(task_id, success, **more):
    return Outcome(task_id=task_id, status="verdict", verdict={"success": success, "reasoning": "x"} | BLANK, **more)


BLANK = {"confidence": None, "mistake_type": None}


@pytest.fixture(scope="module")
def labels():
    return ah.load("demo").labels


def test_outcomes_made_from_the_labels_score_100_percent(tmp_path, labels):
    outcomes = [verdict(task_id, label.is_positive) for task_id, label in labels.items()]
    ((_, card),) = score_runs([run_folder(tmp_path / "run", outcomes, labels)])
    for split in card.splits.values():
        assert (split.balanced_accuracy.value, split.tpr.value, split.tnr.value) == (1.0, 1.0, 1.0)


def test_an_empty_run_scores_zero(tmp_path, labels):
    ((_, card),) = score_runs([run_folder(tmp_path / "run", [], labels)])
    assert {split.balanced_accuracy.value for split in card.splits.values()} == {0.0}
    assert sum(split.missing for split in card.splits.values()) == 41


@pytest.mark.parametrize(("judge", "tpr", "tnr"), [("always_yes", 1.0, 0.0), ("always_no", 0.0, 1.0)])
def test_a_judge_that_always_says_the_same_scores_exactly_one_half(tmp_path, labels, judge, tpr, tnr):
    card = ah.score(ah.run("demo", judge, out=tmp_path), labels)
    for split in card.splits.values():
        assert (split.balanced_accuracy.value, split.tpr.value, split.tnr.value) == (0.5, tpr, tnr)


def test_of_one_task_and_repeat_the_last_line_counts(tmp_path, labels):
    asked = labels.splits["AH"]
    wrong = [verdict(label.trajectory_id, not label.is_positive) for label in asked]
    right = [verdict(label.trajectory_id, label.is_positive, attempt=2) for label in asked]
    folder = run_folder(tmp_path / "run", wrong + right, [label.trajectory_id for label in asked])
    ((_, card),) = score_runs([folder])
    assert list(card.splits) == ["AH"]
    assert card.balanced_accuracy.value == 1.0


def test_an_unknown_id_is_left_out_with_a_warning(tmp_path, labels):
    outcomes = [verdict("stranger", True)]
    ((_, card),) = score_runs([run_folder(tmp_path / "run", outcomes, labels)])
    assert card.warning_counts == {"unknown_result_id": 1}


def test_thinner_evidence_is_said_in_the_protocol_column(tmp_path, labels):
    seen = {"missing": [{"step": 1, "why": "missing_screenshot"}]}
    outcomes = [verdict(task_id, True, evidence=seen) for task_id in list(labels)[:3]]
    ((_, card),) = score_runs([run_folder(tmp_path / "run", outcomes, labels)])
    assert card.conditions.protocol == "screenshots missing in 3 tasks"


def test_two_runs_of_one_judge_are_told_apart(tmp_path, labels):
    folders = [run_folder(tmp_path / name, [], labels, judge="same") for name in ("a", "b")]
    (folders[1] / "config.json").write_text(
        (folders[1] / "config.json").read_text().replace('"prompt": {}', '"prompt": {"sha256": "other"}')
    )
    names = [card.judge for _, card in score_runs(folders)]
    assert len(set(names)) == 2
    assert all(name.startswith("same #") for name in names)


def test_a_run_whose_data_is_gone_asks_for_labels(tmp_path, labels):
    folder = run_folder(tmp_path / "run", [], labels, location=str(tmp_path / "gone"))
    with pytest.raises(UsageError, match="--labels"):
        score_runs([folder])
    ((_, card),) = score_runs([folder], find_labels(["demo"]))
    assert card.judge == "known"


def test_label_files_put_together_are_splits_side_by_side(tmp_path, demo):
    (tmp_path / "none.jsonl").write_text("")
    labels = find_labels([str(demo / "AgentHorizon.jsonl"), str(tmp_path / "none.jsonl")])
    assert {name: len(split) for name, split in labels.splits.items()} == {"AH": 15, "none": 0}


def test_a_run_is_read_back_as_it_was_written(tmp_path, labels):
    outcome = verdict(next(iter(labels)), True)
    run = read_run(run_folder(tmp_path / "run", [outcome], labels))
    assert run.outcomes == (outcome,)
    line = (run.folder / "outcomes.jsonl").read_text()
    assert set(json.loads(line)) == {
        *("task_id", "repeat", "attempt", "status", "verdict", "error", "evidence", "telemetry", "at")
    }


def test_a_file_among_run_folders_is_passed_over_and_alone_it_is_refused(tmp_path, labels):
    folder = run_folder(tmp_path / "run", [], labels)
    (tmp_path / "leaderboard.md").write_text("a table")
    assert [card.judge for _, card in score_runs([folder, tmp_path / "leaderboard.md"])] == ["known"]
    with pytest.raises(UsageError, match="not a run folder"):
        score_runs([tmp_path / "leaderboard.md"])


def test_an_empty_table_of_results_is_refused_where_there_are_tasks_and_scored_where_there_are_none(tmp_path, labels):
    (tmp_path / "results.jsonl").touch()
    (tmp_path / "none.jsonl").touch()
    with pytest.raises(DataError, match=r"no result can be read from .*results\.jsonl: nothing in it"):
        score_results(tmp_path / "results.jsonl", labels)
    card = score_results(tmp_path / "results.jsonl", find_labels([str(tmp_path / "none.jsonl")]))
    assert card.splits["none"].balanced_accuracy.value is None


def test_two_runs_of_one_configuration_are_refused_by_name_wherever_each_needs_its_own(tmp_path, labels):
    folders = [run_folder(tmp_path / name, [], labels) for name in ("a", "b")]
    words = rf"{folders[0]} and {folders[1]} are runs of one configuration: give one of them, or merge them"
    for named in (score_runs, named_runs):
        with pytest.raises(UsageError, match=words):
            named(folders)


def test_two_scorecards_of_one_name_are_not_compared(tmp_path, labels):
    cards = [score_runs([run_folder(tmp_path / name, [], labels)])[0].card for name in ("a", "b")]
    with pytest.raises(UsageError, match="two judges are called known"):
        ah.compare(cards, "AH")


def test_marks_of_every_repeat_are_those_of_its_scorecard(tmp_path, labels):
    outcomes = [
        verdict(task_id, label.is_positive if repeat else number % 2 == 0, repeat=repeat)
        for repeat in range(3)
        for number, (task_id, label) in enumerate(labels.items())
        if number % 5 or repeat != 1
    ]
    run = read_run(run_folder(tmp_path / "run", outcomes, labels))
    cards = [score_run(run, ah.load("demo").labels, None, repeat) for repeat in range(3)]
    repeats = repeats_of(run)
    assert repeats == {name: [card.marks[name] for card in cards] for name in cards[0].marks}
    assert len({tuple(mark.is_right for mark in marks) for marks in repeats["AH"]}) == 3


def test_a_split_that_was_asked_once_has_one_repeat_however_often_another_was(tmp_path, labels):
    out = tmp_path / "runs"
    ah.run("demo", "always_yes", split="AH,AH-S,AH-D", out=out)
    run = ah.run("demo", "always_yes", split="AH", repeats=3, out=out)
    found = {name: repeat_score(marks) for name, marks in repeats_of(run).items()}
    assert {name: score.repeats for name, score in found.items()} == {"AH": 3, "AH-S": 1, "AH-D": 1}
    positives = {name: [label.is_positive for label in split] for name, split in labels.splits.items()}
    for name, score in found.items():  # who always says yes is right on the positives, each time
        share = sum(positives[name]) / len(positives[name])
        assert [figure.value for figure in score.pass_hat] == [pytest.approx(share)] * score.repeats
        assert score.majority.missing == 0
    assert repeats_of(run, splits=["AH-S"]) == {"AH-S": repeats_of(run)["AH-S"]}


def test_tasks_of_a_split_asked_less_often_than_others_are_left_out_of_its_repeats(tmp_path, labels):
    out = tmp_path / "runs"
    ah.run("demo", "always_yes", split="AH", out=out)
    often = [label.trajectory_id for label in labels.splits["AH"]][:6]
    run = ah.run("demo", "always_yes", ids=often, repeats=2, out=out)
    score = repeat_score(repeats_of(run)["AH"])
    share = sum(labels[task_id].is_positive for task_id in often) / 6
    assert (score.repeats, score.asked_less) == (2, len(labels.splits["AH"]) - 6)
    assert [figure.value for figure in score.pass_hat] == [pytest.approx(share)] * 2
    table = repeats_to_markdown({"j": {"AH": score}})
    assert f"Left out, as asked for in fewer repeats than others of the split: AH {score.asked_less} tasks" in table


def test_a_run_of_an_earlier_version_was_asked_for_all_its_tasks_alike(tmp_path, labels):
    folder = ah.run("demo", "always_yes", split="AH-S", repeats=2, out=tmp_path).folder
    config = json.loads((folder / "config.json").read_text())
    del config["repeats_by_task"]
    (folder / "config.json").write_text(json.dumps(config))
    wider = ah.run("demo", "always_yes", split="AH-S,AH", out=tmp_path)
    counts = wider.verdicts_asked
    assert {counts[label.trajectory_id] for label in labels.splits["AH-S"]} == {2}
    assert {counts[label.trajectory_id] for label in labels.splits["AH"]} == {1}


def test_a_run_on_data_without_labels_is_told_once_how_to_give_them(tmp_path):
    step = {"step_id": 0, "screenshot": None, "action": {"type": "wait", "parameters": {"duration_s": 1}}}
    record = {"trajectory_id": "t", "task": {"instruction": "Wait."}, "steps": [step]}
    (tmp_path / "trajectories.jsonl").write_text(json.dumps(record) + "\n")
    run = ah.run(str(tmp_path), "coin", out=tmp_path / "runs")
    with pytest.raises(UsageError) as caught:
        score_runs([run.folder])
    assert str(caught.value).endswith("has no labels; name a file of them with --labels FILE")
    assert str(caught.value).count("--labels") == 1
