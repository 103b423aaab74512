"""Every recorded case about files and processes: half-written results, two writers, a full disk, changed settings."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import agenthorizon as ah
from agenthorizon.errors import UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.results.scorecards import score_results
from agenthorizon.running.run_folder import RunFolder
from agenthorizon.running.store import pending, read_run

ROWS = map(json.loads, (Path(__file__).parents[1] / "recorded" / "runs.jsonl").read_text("utf-8").splitlines())
CASES = {row["id"]: row for row in ROWS if row["kind"] == "files"}
CONFIG = {"data": {"name": "d"}, "judge": {"name": "j"}, "prompt": {}, "evidence": {}, "reask": 0, "asked": []}
TESTED = set()


def case(name):
    """Mark the test of a case, which gets its row."""
    TESTED.add(name)
    return pytest.mark.parametrize("row", [CASES[name]], ids=[name])


def test_every_case_has_its_test():
    assert set(CASES) == TESTED


def before(row, folder):
    """Write the files that stand there before."""
    for name, text in row["script"][0]["before"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def labels(folder, *names):
    rows = [{"trajectory_id": name, "label": "positive"} for name in names]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    from agenthorizon.results.scorecards import find_labels

    return find_labels([str(folder / "labels.jsonl")])


def verdict(name):
    return Outcome(task_id=name, status="verdict", verdict={"success": True, "reasoning": "x"})


def failed(name):
    error = {"class": "connection", "message": "reset", "passing": True}
    return Outcome(task_id=name, status="failed", error=error)


def written(folder, *outcomes, torn=b""):
    with RunFolder(folder, CONFIG) as run:
        for outcome in outcomes:
            run.append(outcome, None)
    with (folder / "outcomes.jsonl").open("ab") as file:
        file.write(torn)


def still_open(folder, *names):
    with RunFolder(folder, CONFIG) as run:
        return [name for name, _ in pending(run.latest, [(name, 0) for name in names], frozenset())]


@case("half-written-result")
def test_a_half_written_result_is_incorrect_and_asked_again(row, tmp_path):
    before(row, tmp_path)
    card = score_results(tmp_path / "results", labels(tmp_path, "A"))
    assert [warning.code for warning in card.warnings] == ["unreadable_result"]
    assert card.splits["all"].malformed == 1
    written(tmp_path / "run", torn=verdict("A").to_line()[:30])
    assert still_open(tmp_path / "run", "A") == ["A"]


@case("half-line-jsonl")
def test_a_half_line_is_dropped_and_nothing_is_appended_to_it(row, tmp_path):
    before(row, tmp_path)
    card = score_results(tmp_path / "results.jsonl", labels(tmp_path, "A", "B"))
    assert card.splits["all"].verdicts == 1
    written(tmp_path / "run", verdict("A"), torn=verdict("B").to_line()[:40])
    assert still_open(tmp_path / "run", "A", "B") == ["B"]
    written(tmp_path / "run", verdict("B"))
    lines = (tmp_path / "run" / "outcomes.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["task_id"] for line in lines] == ["A", "B"]


@case("error-record-exists")
def test_a_recorded_failure_in_passing_is_no_finished_task(row, tmp_path):
    before(row, tmp_path)
    card = score_results(tmp_path / "results", labels(tmp_path, "A"))
    assert card.splits["all"].failed == 1
    written(tmp_path / "run", failed("A"))
    assert still_open(tmp_path / "run", "A") == ["A"]


TWO = "import sys, agenthorizon as ah; from parity import Slow; ah.run(sys.argv[1], Slow(), out=sys.argv[2])"
SLOW = """
import asyncio
from typing import ClassVar
from agenthorizon.judge import Judge, answer

class Slow(Judge):
    looks_at_pictures: ClassVar[bool] = False

    async def judge(self, case):
        await asyncio.sleep(0.2)
        return answer(True, "x" * 10_000)
"""


@case("two-processes")
def test_of_two_processes_on_one_folder_one_is_refused_and_one_finishes(row, small_data, tmp_path):
    (script,) = row["script"]
    (tmp_path / "parity.py").write_text(SLOW)
    command = [sys.executable, "-c", TWO, str(small_data(script["tasks"])), str(tmp_path / "runs")]
    started = [
        subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) for _ in range(script["start"])
    ]
    told = [process.communicate(timeout=60)[1] for process in started]
    assert sorted(process.returncode for process in started) == [0, 1]
    assert sum("being written by another process" in words for words in told) == 1
    run = read_run(next((tmp_path / "runs").glob("*/")))
    assert len(run.outcomes) == len(run.latest) == row["expect"]["results"]


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (25_000, 25_000))  # no file grows beyond: two results fit, of 10 kB each
from agenthorizon.cli import main
sys.argv[1:] = ["run", sys.argv[1], "-j", "parity:Slow", "--workers", "1"]
main()
"""


@case("disk-full")
def test_a_full_disk_ends_the_command_and_keeps_what_was_written(row, small_data, tmp_path):
    (tmp_path / "parity.py").write_text(SLOW)
    data = str(small_data(row["script"][0]["tasks"] - 1))
    done = subprocess.run([sys.executable, "-c", FULL, data], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert row["expect"]["message_contains"] in done.stderr
    run = read_run(next((tmp_path / "runs").glob("*/")))
    assert len(run.outcomes) == row["expect"]["results_readable"]
    assert (run.folder / "outcomes.jsonl").read_bytes().endswith(b"\n")


def moved(first, second_name):
    """Put the first run's folder where the second one's would be."""
    shutil.move(first, second_name)
    return second_name


@case("resume-changed-prompt")
def test_another_prompt_in_the_same_folder_is_refused_by_name(row, tmp_path):
    first, second = ({**CONFIG, "prompt": {"sha256": step[key]["prompt"]}} for step, key in _steps(row))
    _refused(first, second, row["expect"]["names"], tmp_path)


@case("resume-changed-data")
def test_other_data_in_the_same_folder_is_refused_by_name(row, tmp_path):
    first, second = (
        {**CONFIG, "data": {"name": "d", "fingerprint": step[key]["data_hash"]}} for step, key in _steps(row)
    )
    _refused(first, second, row["expect"]["names"], tmp_path)


def _steps(row):
    return zip(row["script"], ("run", "resume"), strict=True)


def _refused(first, second, name, folder):
    with RunFolder(folder / "first", first):
        pass
    with pytest.raises(UsageError, match=name), RunFolder(moved(folder / "first", folder / "second"), second):
        pass


@case("resume-changed-workers")
def test_other_workers_and_time_limits_go_on(row, tmp_path):
    options = [{"workers": step[key]["workers"], "timeout": step[key]["timeout_s"]} for step, key in _steps(row)]
    first, second = (ah.run("demo", "coin", split="AH", out=tmp_path, **each) for each in options)
    assert second.folder == first.folder
    assert second.outcomes == first.outcomes


@case("result-unknown-id")
def test_a_result_of_an_unknown_task_warns_and_changes_nothing(row, tmp_path):
    before(row, tmp_path)
    known = labels(tmp_path, "A")
    (tmp_path / "none").mkdir()
    card, empty = (score_results(tmp_path / name, known) for name in ("results", "none"))
    assert row["expect"]["warnings"] == ["unknown_result_id"]
    assert any(warning.code.startswith("unknown") for warning in card.warnings)
    assert card.splits["all"] == empty.splits["all"]
