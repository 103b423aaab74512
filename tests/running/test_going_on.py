"""Going on: what is on disk is never asked again, what failed in passing is, and no crash costs a verdict."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import agenthorizon as ah
from agenthorizon.errors import RunStopped, UsageError
from agenthorizon.outcome import Outcome
from agenthorizon.running.run_folder import RunFolder
from agenthorizon.running.store import read_run

SLOW_JUDGE = """
import asyncio, json, pathlib
from agenthorizon import Judge, Reply
from typing import ClassVar

class Slow(Judge):
    looks_at_pictures: ClassVar[bool] = False
    log: str

    async def judge(self, case):
        with open(self.log, "a") as file:
            file.write(case.id + "\\n")
        await asyncio.sleep(0.05)
        return Reply(text=json.dumps({"success": int(case.id, 16) % 2 == 0, "reasoning": "parity"}))
"""


@pytest.fixture
def slow_judge(tmp_path, monkeypatch):
    """A user's judge that writes down whom it was asked about."""
    (tmp_path / "parity.py").write_text(SLOW_JUDGE)
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("parity", None)
    import parity

    return parity.Slow(log=str(tmp_path / "asked"))


def asked(tmp_path):
    return (tmp_path / "asked").read_text().split()


def test_the_same_call_asks_nothing_again(tmp_path, slow_judge):
    first = ah.run("demo", slow_judge, split="AH", out=tmp_path)
    again = ah.run("demo", slow_judge, split="AH", out=tmp_path)
    assert len(asked(tmp_path)) == len(first.outcomes) == 15
    assert again.outcomes == first.outcomes


def test_a_wider_call_asks_only_what_is_new(tmp_path, slow_judge):
    ah.run("demo", slow_judge, split="AH", out=tmp_path)
    wider = ah.run("demo", slow_judge, split=["AH", "AH-S"], out=tmp_path)
    assert len(asked(tmp_path)) == len(wider.latest) == 27
    assert len(wider.config["asked"]) == 27


def test_workers_and_timeout_are_not_configuration(tmp_path, slow_judge):
    ah.run("demo", slow_judge, split="AH", out=tmp_path, workers=2, timeout=60)
    ah.run("demo", slow_judge, split="AH", out=tmp_path, workers=8, timeout=120)
    assert len(asked(tmp_path)) == 15


KILLED = """
import sys
import agenthorizon as ah
from parity import Slow
ah.run("demo", Slow(log=sys.argv[2]), out=sys.argv[1], workers=2)
"""


def test_after_kill_9_no_written_verdict_is_asked_again_and_none_is_lost(tmp_path, slow_judge):
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(tmp_path / "asked")]
    process = subprocess.Popen(command, env=environment)
    deadline = time.monotonic() + 30
    while not _lines(tmp_path / "killed") >= 8:
        assert time.monotonic() < deadline, "the run wrote nothing"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    written = [outcome.task_id for outcome in read_run(_only(tmp_path / "killed")).outcomes]
    asked_before = len(asked(tmp_path))

    finished = ah.run("demo", slow_judge, out=tmp_path / "killed", workers=2)
    undisturbed = ah.run("demo", slow_judge, out=tmp_path / "undisturbed", workers=2)

    assert 8 <= len(written) < 41
    assert [outcome.task_id for outcome in finished.outcomes][: len(written)] == written
    assert len(asked(tmp_path)) - asked_before == 41 - len(written) + 41
    labels = ah.load("demo").labels
    assert ah.score(finished, labels).to_json() == ah.score(undisturbed, labels).to_json()


def _only(folder):
    (run,) = folder.glob("*/")
    return run


def _lines(folder):
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("*/outcomes.jsonl"))


def test_a_torn_last_line_is_dropped_and_its_task_asked_again(tmp_path, slow_judge):
    run = ah.run("demo", slow_judge, split="AH", out=tmp_path)
    path = run.folder / "outcomes.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    again = ah.run("demo", slow_judge, split="AH", out=tmp_path)
    assert len(asked(tmp_path)) == 16
    assert len(again.latest) == 15
    assert all(json.loads(line) for line in path.read_bytes().splitlines())


def outcome(task_id, status="verdict", **error):
    verdict = {"success": True, "reasoning": "x", "confidence": None, "mistake_type": None}
    return Outcome(
        task_id=task_id,
        status=status,
        verdict=verdict if status == "verdict" else None,
        error={"class": "x", "message": "", "passing": True} | error if status != "verdict" else None,
    )


CONFIG = {
    "data": {"name": "d", "fingerprint": "d1"},
    "judge": {"name": "j"},
    "prompt": {"sha256": "P1"},
    "evidence": {},
    "reask": 0,
    "asked": [],
}


def test_a_failure_that_may_pass_is_asked_again_and_a_final_one_is_not(tmp_path):
    from agenthorizon.running.store import pending

    with RunFolder(tmp_path / "run", CONFIG) as folder:
        folder.append(outcome("A", "failed", passing=True), None)
        folder.append(outcome("B", "failed", passing=False, **{"class": "refused"}), None)
        folder.append(outcome("C", "malformed", passing=False), None)
        folder.append(outcome("D"), None)
        keys = [(name, 0) for name in "ABCDE"]
        assert pending(folder.latest, keys, frozenset()) == [("A", 0), ("E", 0)]
        assert pending(folder.latest, keys, frozenset({"refused"})) == [("A", 0), ("B", 0), ("E", 0)]


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"prompt": {"sha256": "P2"}}, "prompt.sha256"),
        ({"data": {"name": "d", "fingerprint": "d2"}}, "data.fingerprint"),
    ],
)
def test_a_folder_of_another_configuration_is_refused_by_naming_what_differs(tmp_path, changed, name):
    with RunFolder(tmp_path / "run", CONFIG):
        pass
    with pytest.raises(UsageError, match=name), RunFolder(tmp_path / "run", CONFIG | changed):
        pass


def test_a_second_process_on_one_folder_is_refused(tmp_path):
    code = (
        "import sys, json; from pathlib import Path; from agenthorizon.running.run_folder import RunFolder\n"
        "try:\n"
        "    with RunFolder(Path(sys.argv[1]), json.loads(sys.argv[2])): print('opened')\n"
        "except Exception as error: print(error)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "run"), json.dumps(CONFIG)]
    with RunFolder(tmp_path / "run", CONFIG):
        refused = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    after = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "being written by another process" in refused
    assert after == "opened\n"


def test_a_full_disk_stops_the_run_and_spoils_nothing(tmp_path, small_disk):
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        folder.append(outcome("A"), None)
        folder.append(outcome("B"), None)
        size = (tmp_path / "run" / "outcomes.jsonl").stat().st_size
        # A limit on the size of files is as near as an ordinary process comes to a full disk: a write is cut short.
        with small_disk(size + 30), pytest.raises(RunStopped, match="space"):
            folder.append(outcome("C"), None)
    kept = read_run(tmp_path / "run")
    assert [o.task_id for o in kept.outcomes] == ["A", "B"]
    assert (tmp_path / "run" / "outcomes.jsonl").read_bytes().endswith(b"\n")
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        folder.append(outcome("C"), None)
    assert [o.task_id for o in read_run(tmp_path / "run").outcomes] == ["A", "B", "C"]


def test_one_failing_task_does_not_end_the_run(tmp_path):
    class Moody:
        def judge(self, case):
            if case.steps[0].number and int(case.id, 16) % 3 == 0:
                raise RuntimeError("not today")
            return '{"success": true, "reasoning": "fine"}'

    run = ah.run("demo", Moody(), out=tmp_path)
    kinds = {outcome.status for outcome in run.outcomes}
    assert kinds == {"verdict", "failed"}
    assert len(run.latest) == 41
    failed = next(o for o in run.outcomes if o.status == "failed")
    assert (failed.error.kind, failed.error.passing) == ("crashed", True)


def test_every_reply_is_kept_and_can_be_read(tmp_path):
    from agenthorizon.running.store import read_transcript

    run = ah.run("demo", "always_yes", split="AH", out=tmp_path)
    replies = [read_transcript(run.folder, outcome)["text"] for outcome in run.outcomes]
    assert all(ah.read_verdict(reply).success for reply in replies)


def test_a_running_event_loop_is_told_to_await(tmp_path):
    import asyncio

    async def notebook():
        ah.run("demo", "always_yes", out=tmp_path)

    with pytest.raises(UsageError, match="await"):
        asyncio.run(notebook())
