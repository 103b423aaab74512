"""The real CLIs, installed from their registries, judge real recordings in the sandbox, with a scripted model."""

import json

import pytest

from agenthorizon.isolation import installs
from agenthorizon.plugins import implementation, names
from agenthorizon.scripted.answering import TOKENS_CACHED, TOKENS_IN, TOKENS_OUT
from agenthorizon.scripted.server import KEY
from agenthorizon.source import load

pytestmark = pytest.mark.outside

REAL = [
    name
    for name in names("harnesses")
    if (package := implementation("harnesses", name).package) and installs.has_python(package)
]
"""OpenHands is among them where its Python is at hand; its recordings are tested anyway."""

TASKS = 3
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")


@pytest.mark.parametrize("name", REAL)
def test_it_judges_three_tasks_and_what_it_took_is_what_the_server_saw(name, scripted, installed, command, tmp_path):
    installed(name)
    ids = tmp_path / "ids"
    ids.write_text("\n".join(load("demo").select("AH-D")[:TASKS]))
    arguments = ["run", "demo", "--ids", str(ids), "--judge", f"{name}:scripted-model", "--base-url", scripted.url]
    done = command(*arguments, "--out", str(tmp_path / "runs"), "--workers", "2", **dict.fromkeys(KEYS, KEY))
    assert done.returncode == 0, done.stderr
    written = next((tmp_path / "runs").glob("*/outcomes.jsonl"))
    outcomes = [json.loads(line) for line in written.read_text("utf-8").splitlines()]
    assert len(outcomes) == TASKS
    assert all(outcome["verdict"]["success"] is True for outcome in outcomes)
    assert sum(outcome["telemetry"]["requests"] for outcome in outcomes) == len(scripted.seen)
    tokens = {kind: sum(outcome["telemetry"]["tokens"][kind] for outcome in outcomes) for kind in ("input", "output")}
    assert tokens == {"input": TOKENS_IN * len(scripted.seen), "output": TOKENS_OUT * len(scripted.seen)}
    cached = sum(outcome["telemetry"]["tokens"]["cached_read"] for outcome in outcomes)
    assert cached == TOKENS_CACHED * len(scripted.seen)
    sent = [picture["sha256"] for outcome in outcomes for picture in outcome["agent"]["pictures_sent"]]
    assert set(sent) == scripted.pictures
    assert [outcome["telemetry"]["images"] for outcome in outcomes] == [1] * TASKS
    assert all(outcome["agent"]["isolation"] == "bubblewrap" for outcome in outcomes)
