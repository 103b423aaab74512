"""What recorded runs of the real CLIs are taken for: each row of expected.csv gets its status, no failure a verdict.

The columns: which CLI (and variant of its launch), what the model did, the right status, whether there is a verdict,
the exit code, whether a time limit killed it. A note may name a second status that is right, too.
"""

import csv
import re
from pathlib import Path

import pytest

from agenthorizon.errors import MalformedVerdict
from agenthorizon.harness import Ended
from agenthorizon.isolation.processes import Finished
from agenthorizon.isolation.settling import status_of
from agenthorizon.judging.scrubbing import scrub
from agenthorizon.plugins import implementation
from agenthorizon.verdict import read_verdict

TRANSCRIPTS = Path(__file__).parents[1] / "recorded" / "transcripts"
ROWS = list(csv.DictReader((TRANSCRIPTS / "expected.csv").read_text("utf-8").splitlines()))
HARNESSES = {"claude": "claude_code", "gemini": "gemini_cli", "qwen": "qwen_code", "mini": "mini_swe_agent"}


def harness_of(cli):
    name = cli.removeprefix("ll_").partition("_")[0]  # ll_: with a proxy in between; a suffix: another launch
    return implementation("harnesses", HARNESSES.get(name, name))()


def judged(row, folder):
    """Return status and verdict as a run would have them."""
    recorded = TRANSCRIPTS / row["cli"] / row["scenario"]
    for stream in ("stdout", "stderr"):
        scrub(recorded.with_name(f"{recorded.name}.{stream}"), folder / stream)
    ended_by = "clock" if row["killed"] == "yes" else "itself"
    code = None if row["killed"] == "yes" else int(row["exit_code"])
    account = harness_of(row["cli"]).account(Ended(folder / "stdout", folder / "stderr", folder, code, ended_by))
    status = status_of(account, Finished(code, ended_by, seconds=1.0))
    if status != "ok":
        return status, None
    try:
        return status, read_verdict(account.text)
    except MalformedVerdict:
        return "no_answer", None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['cli']}-{row['scenario']}")
def test_a_recorded_run_gets_its_status_and_a_verdict_only_if_it_has_one(row, tmp_path):
    status, verdict = judged(row, tmp_path)
    also = re.findall(r"\((\w+) also right", row["note"])
    assert status in [row["status"], *also]
    assert (verdict is not None) == (row["verdict"] == "yes")
    if verdict:
        assert verdict.success is True  # what the scripted model of the recordings always said
