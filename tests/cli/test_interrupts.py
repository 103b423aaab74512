"""Ctrl-C: once finishes what is in flight, twice stops at once; both leave a good run that goes on."""

import os
import signal
import subprocess
import sys
import time

import pytest

from agenthorizon.running.store import read_run


@pytest.fixture
def running(model_server, answer_body, tmp_path):
    """A run of the command line with two requests in hand, each answered after a while."""
    model_server.script = [{"body": answer_body(), "delay_s": 1.0} for _ in range(60)]
    command = [sys.executable, "-m", "agenthorizon", "run", "demo", "-j", "direct:mock", "--workers", "2"]
    command += ["--base-url", model_server.url]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, env=os.environ | {"LC_ALL": "C"}) as process:
        deadline = time.monotonic() + 60
        while len(model_server.received) < 4:
            assert time.monotonic() < deadline, "nothing was asked"
            time.sleep(0.01)
        yield process
        process.kill()


def only_run(folder):
    (path,) = (folder / "runs").glob("*/")
    return read_run(path)


def test_once_finishes_what_is_in_flight(running, model_server, tmp_path):
    running.send_signal(signal.SIGINT)
    assert running.wait(30) == 130
    assert len(only_run(tmp_path).outcomes) == len(model_server.received)
    assert b"finishing what is in flight" in running.stderr.read()


def test_twice_stops_at_once_and_the_run_goes_on(running, model_server, tmp_path):
    running.send_signal(signal.SIGINT)
    time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    assert running.wait(30) == 130
    written = only_run(tmp_path).outcomes
    assert len(written) < len(model_server.received)
    model_server.script = []
    asked = len(model_server.received)
    command = [sys.executable, "-m", "agenthorizon", "run", "demo", "-j", "direct:mock", "--base-url", model_server.url]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert only_run(tmp_path).outcomes[: len(written)] == written
    assert len(model_server.received) - asked == 41 - len(written)
