"""Shards and merging: every task in one part, no group torn, the merged run the same as an undivided one."""

import json
import subprocess
import sys

import pytest

import agenthorizon as ah
from agenthorizon.errors import UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.running.merging import merge_runs
from agenthorizon.running.run_folder import RunFolder
from agenthorizon.running.sharding import read_shard, shard_of
from agenthorizon.running.store import read_run, read_transcript


def decided(run):
    return {(key, outcome.status, outcome.verdict) for key, outcome in run.latest.items()}


def test_every_task_is_in_one_part_and_no_group_is_torn():
    bench = ah.load("demo")
    parts = [set(shard_of(bench, bench.select(), (part, 4))) for part in (1, 2, 3, 4)]
    assert sum(map(len, parts)) == len(set().union(*parts)) == 41
    for group in bench.labels.pairs():
        members = {label.trajectory_id for label in (*group.positives, *group.negatives)}
        assert sum(bool(members & part) for part in parts) == 1


def test_a_wider_selection_moves_no_task_to_another_part():
    bench = ah.load("demo")
    for part in (1, 2, 3):
        narrow, wide = (set(shard_of(bench, bench.select(split), (part, 3))) for split in ("AH", None))
        assert narrow <= wide


@pytest.mark.parametrize("text", ["0/4", "5/4", "4", "a/b", "1/0", "-1/2", "1/2/3"])
def test_a_shard_that_is_none_is_refused(text):
    with pytest.raises(UsageError, match="i/n"):
        read_shard(text)


def test_four_shards_merged_are_the_undivided_run(tmp_path):
    whole = ah.run("demo", "coin", out=tmp_path, repeats=2)
    parts = [ah.run("demo", "coin", out=tmp_path, repeats=2, shard=(part, 4)).folder for part in (1, 2, 3, 4)]
    merged = merge_runs(parts, tmp_path / "merged")
    assert decided(merged) == decided(whole)
    assert merged.config["asked"] == whole.config["asked"]
    assert merged.config["repeats"] == 2
    assert all(read_transcript(merged.folder, outcome)["text"] for outcome in merged.outcomes)
    labels = ah.load("demo").labels
    assert ah.score(merged, labels).to_json() == ah.score(whole, labels).to_json()


def test_a_folder_keeps_its_id_and_a_merged_one_has_its_own(tmp_path):
    parts = [ah.run("demo", "coin", split="AH", out=tmp_path, shard=(part, 2)) for part in (1, 2)]
    again = ah.run("demo", "coin", split="AH", out=tmp_path, shard=(1, 2))
    assert again.config["id"] == parts[0].config["id"] != parts[1].config["id"]
    merged = merge_runs([part.folder for part in parts], tmp_path / "merged")
    with RunFolder(merged.folder, merged.config) as opened:
        assert opened.id not in [part.config["id"] for part in parts]


def test_runs_of_different_configurations_are_not_merged(tmp_path):
    runs = [ah.run("demo", judge, split="AH", out=tmp_path).folder for judge in ("always_yes", "coin")]
    with pytest.raises(UsageError, match=r"judge\.name"):
        merge_runs(runs, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_run_that_is_being_written_is_not_merged(tmp_path):
    run = ah.run("demo", "coin", split="AH", out=tmp_path)
    with RunFolder(run.folder, run.config), pytest.raises(UsageError, match="another process"):
        merge_runs([run.folder], tmp_path / "merged")


def test_of_many_processes_that_merge_into_one_folder_one_does_and_each_other_is_told_so(tmp_path):
    parts = [str(ah.run("demo", "coin", out=tmp_path, shard=(part, 2)).folder) for part in (1, 2)]
    command = [sys.executable, "-c", MERGES, str(tmp_path / "merged"), *parts]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    merging = [subprocess.Popen(command, **streams) for _ in range(4)]
    assert [each.stdout.readline() for each in merging] == ["ready\n"] * 4
    for each in merging:
        each.stdin.write("\n")
        each.stdin.flush()
    told = [each.communicate(timeout=60)[0] for each in merging]
    assert told.count("merged\n") == 1
    refused = [text for text in told if text != "merged\n"]
    assert [text for text in refused if "name a new one with -o" not in text] == []
    assert len(read_run(tmp_path / "merged").latest) == 41
    assert list(tmp_path.glob(".*")) == []


MERGES = """
import sys
from pathlib import Path
from agenthorizon.errors import UsageError
from agenthorizon.running.merging import merge_runs
print("ready", flush=True)
sys.stdin.readline()
try:
    merge_runs([Path(part) for part in sys.argv[2:]], Path(sys.argv[1]))
    print("merged")
except UsageError as error:
    print(error)
"""


def outcome(at, status="verdict", attempt=1):
    verdict = {"success": status == "verdict", "reasoning": at, "confidence": None, "mistake_type": None}
    error = {"class": "timeout", "message": "", "passing": True}
    ending = {"verdict": verdict} if status == "verdict" else {"error": error}
    return Outcome(task_id="A", status=status, at=f"2026-01-01T00:00:0{at}.000+00:00", attempt=attempt, **ending)


CONFIG = {"data": {"name": "d"}, "judge": {"name": "j"}, "prompt": {}, "evidence": {}, "reask": 0, "asked": ["A"]}


@pytest.fixture
def made_twice(tmp_path):
    """The same run made in two places, each with two attempts at one task, in turn."""
    for name, times in {"one": "13", "two": "24"}.items():
        with RunFolder(tmp_path / name, CONFIG) as folder:
            folder.append(outcome(times[0], "failed"), None)
            folder.append(outcome(times[1], attempt=2), {"text": times[1]})
    return [tmp_path / "one", tmp_path / "two"]


def test_the_last_line_by_time_counts_and_attempts_are_numbered_anew(made_twice, tmp_path):
    merged = merge_runs(made_twice, tmp_path / "merged")
    assert [(line.attempt, line.at[18]) for line in merged.outcomes] == [(1, "1"), (2, "2"), (3, "3"), (4, "4")]
    assert merged.latest["A", 0].verdict.reasoning == "4"
    assert [read_transcript(merged.folder, line)["text"] for line in merged.outcomes[2:]] == ["3", "4"]


def test_what_was_merged_before_is_taken_once(made_twice, tmp_path):
    merge_runs(made_twice[:1], tmp_path / "first")
    again = merge_runs([tmp_path / "first", *made_twice], tmp_path / "again")
    assert len(again.outcomes) == 4


def test_merging_with_a_part_of_what_was_merged_adds_nothing_although_attempts_were_numbered_anew(made_twice, tmp_path):
    merged = merge_runs(made_twice, tmp_path / "merged")
    again = merge_runs([merged.folder, *reversed(made_twice)], tmp_path / "again")
    assert again.outcomes == merged.outcomes
    assert [read_transcript(again.folder, line)["text"] for line in again.outcomes[2:]] == ["3", "4"]


def test_what_was_read_anew_after_merging_keeps_its_attempt_s_number(made_twice, tmp_path):
    merged = merge_runs(made_twice, tmp_path / "merged")
    two = read_run(made_twice[1])
    with RunFolder(two.folder, CONFIG) as folder:
        folder.append(outcome("5", attempt=2).model_copy(update={"reread": True}), None)
    again = merge_runs([merged.folder, two.folder], tmp_path / "again")
    assert [line.attempt for line in again.outcomes] == [1, 2, 3, 4, 4]
    assert read_transcript(again.folder, again.outcomes[-1])["text"] == "4"


def test_two_attempts_that_differ_in_what_was_received_alone_are_two(tmp_path):
    for name in ("one", "two"):
        with RunFolder(tmp_path / name, CONFIG) as folder:
            folder.append(outcome("1"), {"text": name})
    merged = merge_runs([tmp_path / "one", tmp_path / "two"], tmp_path / "merged")
    assert sorted(read_transcript(merged.folder, line)["text"] for line in merged.outcomes) == ["one", "two"]


def test_a_folder_that_is_there_is_not_written_over(made_twice):
    with pytest.raises(UsageError, match="not an empty folder"):
        merge_runs(made_twice[:1], made_twice[1])
    assert json.loads((made_twice[1] / "config.json").read_text())["asked"] == ["A"]
    assert len(read_run(made_twice[1]).outcomes) == 2
