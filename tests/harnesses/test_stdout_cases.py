"""What CLIs were seen to print in the field, and what a user must get of it."""

import json
from pathlib import Path

import pytest

from agenthorizon.errors import MalformedVerdict
from agenthorizon.harness import Ended
from agenthorizon.isolation.processes import Finished
from agenthorizon.isolation.settling import status_of
from agenthorizon.plugins import implementation
from agenthorizon.verdict import read_verdict

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "recorded" / "stdout.jsonl").read_text("utf-8").splitlines()
]
HARNESSES = {"claude": "claude_code", "codex": "codex", "gemini": "gemini_cli", "opencode": "opencode"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_what_a_cli_printed_is_a_verdict_only_if_it_is_one(case, tmp_path):
    (tmp_path / "out").write_text(case["raw"], "utf-8")
    name = case["layer"].removeprefix("stdout:").partition("-")[0]
    harness = implementation("harnesses", HARNESSES[name])()
    account = harness.account(Ended(tmp_path / "out", tmp_path / "err", tmp_path, exit_code=0))
    verdict = None
    if status_of(account, Finished(0, "itself", 1.0)) == "ok":
        try:
            verdict = read_verdict(account.text)
        except MalformedVerdict:
            verdict = None
    expect = case["expect"]
    assert (verdict is not None) == expect["valid"]
    if verdict:
        found = (verdict.success, verdict.mistake_type, verdict.confidence)
        assert found == (expect["success"], expect["mistake_type"], expect["confidence"])
