"""Real CLIs for the tests: installed once by the command a user has, judged by the scripted model."""

import os
import subprocess
import sys
from typing import Any

import pytest

from agenthorizon.isolation import installs
from agenthorizon.outcome import Outcome
from agenthorizon.plugins import implementation, make_judge, names
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Runner
from agenthorizon.running.watching import Silent
from agenthorizon.scripted.server import KEY, ScriptedServer
from agenthorizon.source import load

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")


@pytest.fixture(scope="session")
def command():
    """The function that runs `agenthorizon` as a user does: command(*arguments, **environment)."""
    return _command


def _command(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "agenthorizon", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="session")
def installable():
    """Names of the harnesses whose Python is at hand."""
    packages = {name: implementation("harnesses", name).package for name in names("harnesses")}
    return {name for name, package in packages.items() if package and installs.has_python(package)}


@pytest.fixture(scope="session")
def installed():
    """Return a function that installs a harness once, by the command a user has."""
    done: set[str] = set()

    def install(name: str) -> None:
        if name not in done:
            made = _command("harnesses", "install", name)
            assert made.returncode == 0, made.stderr
            done.add(name)

    return install


@pytest.fixture
def scripted():
    """A running scripted model."""
    with ScriptedServer() as server:
        yield server


class _Watcher(Silent):
    """Tells of every outcome as it is written."""

    def __init__(self, told: Any) -> None:
        self._told = told

    def wrote(self, folder: Any, outcome: Outcome, *, last: bool) -> None:
        if self._told:
            self._told(outcome)


@pytest.fixture
def ask(scripted, tmp_path, monkeypatch, installed):
    """Return a function that has a real CLI judge tasks of the demo set and returns the outcomes."""
    import asyncio

    for name in KEYS:
        monkeypatch.setenv(name, KEY)

    def judge_tasks(name: str, tasks: int = 1, workers: int = 2, wrote: Any = None, **settings: Any) -> list[Outcome]:
        installed(name) if implementation("harnesses", name).package else None
        offered = {"base_url": scripted.url, "seconds": 90, **settings}
        judge = make_judge(f"{name}:scripted-model", offered)
        bench = load("demo")
        runner = Runner(bench, Options(out=tmp_path / "runs", attempts=1, workers=workers), _Watcher(wrote))
        (run,) = asyncio.run(runner.run([NamedJudge(name, judge)], bench.select("AH-D")[:tasks]))
        return list(run.outcomes)

    return judge_tasks
