"""The run folder: written together, kept whatever happens, opened quickly."""

import asyncio

from agenthorizon.errors import RunStopped
from agenthorizon.outcome import Outcome
from agenthorizon.running.run_folder import RunFolder
from agenthorizon.running.store import read_run, read_transcript

CONFIG = {"data": {"name": "d"}, "judge": {"name": "j"}, "prompt": {}, "evidence": {}, "reask": 0, "asked": []}


def outcome(name):
    verdict = {"success": True, "reasoning": "x" * 200, "confidence": None, "mistake_type": None}
    return Outcome(task_id=name, status="verdict", verdict=verdict)


def names(folder):
    return [line.task_id for line in read_run(folder).outcomes]


def test_attempts_that_end_together_are_all_written_with_their_transcripts(tmp_path):
    async def write():
        with RunFolder(tmp_path / "run", CONFIG) as folder:
            await asyncio.gather(*(folder.write(outcome(f"t{i}"), {"text": str(i)}) for i in range(100)))
            assert len(folder.latest) == 100

    asyncio.run(write())
    run = read_run(tmp_path / "run")
    assert {line.task_id for line in run.outcomes} == {f"t{i}" for i in range(100)}
    assert {read_transcript(run.folder, line)["text"] for line in run.outcomes} == set(map(str, range(100)))


def test_an_attempt_whose_caller_is_cancelled_is_written_all_the_same(tmp_path):
    async def write():
        with RunFolder(tmp_path / "run", CONFIG) as folder:
            writing = [asyncio.create_task(folder.write(outcome(f"t{i}"), None)) for i in range(20)]
            await asyncio.sleep(0)
            for task in writing:
                task.cancel()

    asyncio.run(write())
    assert sorted(names(tmp_path / "run")) == sorted(f"t{i}" for i in range(20))


def test_on_a_disk_that_fills_up_as_many_lines_are_kept_as_fit(tmp_path, small_disk):
    line = len(outcome("t0").to_line())

    async def write():
        with RunFolder(tmp_path / "run", CONFIG) as folder, small_disk(3 * line + 20):
            return await asyncio.gather(
                *(folder.write(outcome(f"t{i}"), None) for i in range(9)), return_exceptions=True
            )

    told = asyncio.run(write())
    assert sum(isinstance(each, RunStopped) and "space" in str(each) for each in told) == 6
    assert names(tmp_path / "run") == ["t0", "t1", "t2"]
    assert (tmp_path / "run" / "outcomes.jsonl").read_bytes().count(b"\n") == 3
