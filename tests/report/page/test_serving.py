"""The served page: what the written one has, nothing beside it, and news while a run goes on."""

import http.client
import socket
import struct
import threading
import time

import pytest

import agenthorizon as ah
from agenthorizon.outcome import Outcome
from agenthorizon.report.page.live import LiveSite
from agenthorizon.report.page.serving import server
from agenthorizon.report.page.sites import Shown, catalogue_of


@pytest.fixture
def ask(hostile_data, tmp_path, run_writer):
    """Serve a run of which no task is answered yet; returns a function that asks for a path."""
    bench = ah.load(hostile_data)
    run = run_writer(tmp_path / "run", bench, "slow", [])
    serving = server(LiveSite(catalogue_of(bench, "view"), [run], Shown()), 0)
    thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()

    def answered(path, host=None, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", serving.server_port, timeout=30)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{serving.server_port}")
        connection.endheaders()
        reply = connection.getresponse()
        return reply.status, reply.read()

    answered.run, answered.bench = run, bench
    yield answered
    serving.shutdown()
    thread.join()
    serving.server_close()


def key_of(bench, task_id):
    return catalogue_of(bench, "none").tasks[task_id].key


def test_page_index_task_and_the_recorded_picture_itself_are_served(ask, hostile_data):
    assert ask("/")[1].startswith(b"<!doctype html>")
    assert b"AH.receive" in ask("/data/index.js")[1]
    assert b'AH.receive("reasons"' in ask("/data/reasons.js")[1]
    status, task = ask(f"/data/tasks/{key_of(ask.bench, 'own')}.js")
    assert status == 200
    name = task.split(b'\\"image\\":\\"')[1].split(b"\\")[0].decode()
    [recorded] = (hostile_data / "images").iterdir()
    assert ask(f"/images/{name}") == (200, recorded.read_bytes())


@pytest.mark.parametrize(
    "path",
    [
        "/../labels.jsonl",
        "/labels.jsonl",
        "/images/../labels.jsonl",
        "/images/%2e%2e/labels.jsonl",
        "//etc/passwd",
        "/data/tasks/own.js",
        "/app/../site.py",
        "/images/",
        "/%00",
    ],
)
def test_nothing_but_the_page_is_served(ask, path):
    assert ask(path)[0] == 404


def test_another_host_name_is_refused(ask):
    assert ask("/data/index.js", host="evil.example")[0] == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_written(ask, method):
    assert ask("/data/index.js", method=method)[0] == 501


def test_a_page_that_is_up_to_date_gets_nothing_and_after_an_answer_the_new_index(ask):
    first = ask("/data/index.js")[1].decode()
    stamp = first.split('\\"stamp\\":\\"')[1].split("\\")[0]
    assert ask(f"/data/index.js?{stamp}") == (200, b"")
    verdict = {"success": False, "reasoning": "seen", "confidence": None, "mistake_type": None}
    line = Outcome(task_id="own", status="verdict", verdict=verdict).to_line()
    with (ask.run / "outcomes.jsonl").open("ab") as file:
        file.write(line)
    news = ask(f"/data/index.js?{stamp}")[1].decode()
    assert '\\"stamp\\":' in news
    assert stamp not in news


def running_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.is_alive()}  # one about to start is listed too


def test_a_browser_that_goes_away_is_no_error_and_one_of_ours_is_shown(capfd):
    gone, before = threading.Event(), running_threads()

    def slow():
        gone.wait(30)
        raise OSError("for the browser")

    serving = server(slow, 0)
    accepting = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    accepting.start()
    with socket.create_connection(("127.0.0.1", serving.server_port), timeout=30) as browser:
        browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets
        browser.sendall(f"GET /data/index.js HTTP/1.0\r\nHost: 127.0.0.1:{serving.server_port}\r\n\r\n".encode())
        while not (answering := running_threads() - before - {accepting}):
            time.sleep(0.01)
    gone.set()
    for thread in answering:
        thread.join(30)
    serving.shutdown()
    serving.server_close()
    assert capfd.readouterr().err == ""
    try:
        raise ValueError("ours")
    except ValueError:
        serving.handle_error(None, ("127.0.0.1", 1))
    assert "ValueError: ours" in capfd.readouterr().err
