"""Fixtures shared by the tests: recorded material, the shipped data set, a real model server with scripted replies."""

import json
import os
import shutil
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parent
VERDICT = {"success": False, "reasoning": "Wrong sheet edited.", "confidence": "high", "mistake_type": None}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the documents' outputs, by far the longest test: no process is to wait for it at the end."""
    items.sort(key=lambda item: item.path.name != "test_docs.py")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure, unless its reason names hardware that CI lacks."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        return  # one of several processes; the one that started them counts
    skipped = [report for report in reporter.stats.get("skipped", []) if "hardware:" not in str(report.longrepr)]
    if os.environ.get("CI") and skipped:
        reporter.write_line(f"{len(skipped)} skipped tests count as failures here")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def recorded() -> Path:
    """Folder of recorded material: replies, pictures, trajectories, CLI transcripts."""
    return TESTS / "recorded"


@contextmanager
def _home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="desktop-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def home_folder() -> Callable[[], AbstractContextManager[Path]]:
    """Make a folder that any user can reach, unlike pytest's own: recorded programs are nobody's where we are root."""
    return _home


@pytest.fixture(scope="session")
def demo() -> Path:
    """Folder of the shipped data set."""
    return TESTS.parent / "data" / "demo"


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests cache apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AGENTHORIZON_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def completion(content: str | None = None, **changes: Any) -> dict[str, Any]:
    """Return the body of an ordinary answer; `changes` replace its top-level fields."""
    message = {"role": "assistant", "content": json.dumps(VERDICT) if content is None else content}
    return {
        "id": "r1",
        "object": "chat.completion",
        "model": "mock-1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 1200, "completion_tokens": 40, "total_tokens": 1240},
    } | changes


def events(reply: dict[str, Any]) -> str:
    """Return the stream that a scripted reply is."""
    deltas = [{"index": 0, "delta": {"content": text}, "finish_reason": None} for text in reply["sse"]]
    if reply.get("finish_reason"):
        deltas.append({"index": 0, "delta": {}, "finish_reason": reply["finish_reason"]})
    lines = [json.dumps({"object": "chat.completion.chunk", "choices": [delta]}) for delta in deltas]
    return "".join(f"data: {line}\n\n" for line in [*lines, *(["[DONE]"] if reply.get("done") else [])])


@dataclass(frozen=True)
class Received:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class ModelServer:
    """A chat server on 127.0.0.1. Each request takes the next reply of the script; an empty script answers well.

    A reply: {"status": 200, "headers": {}, "body": {…} or "body_text": "…", "delay_s": 0},
    or {"reset": "before_headers"}, or {"sse": [texts], "finish_reason": null, "done": true}.
    """

    url: str
    script: list[dict[str, Any]] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)
    finished: int = 0
    """Requests that are no longer in hand, answered or not."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_reply(self, request: Received) -> dict[str, Any]:
        with self.lock:
            self.received.append(request)
            return self.script.pop(0) if self.script else {"body": completion()}


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, server: ModelServer, *args: Any) -> None:
        self.model_server = server
        super().__init__(*args)

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length)
        if len(body) < length:
            return  # the client died in the middle of its request
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.model_server.next_reply(Received(self.path, headers, body))
        time.sleep(reply.get("delay_s", 0))
        with self.model_server.lock:
            self.model_server.finished += 1
        if "reset" in reply:
            # With no time to linger, closing sends a reset instead of an orderly end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        self._send(reply)

    def _send(self, reply: dict[str, Any]) -> None:
        reply = {**reply, "body_text": events(reply)} if "sse" in reply else reply
        data = reply["body_text"].encode() if "body_text" in reply else json.dumps(reply["body"]).encode()
        headers = {"content-type": "application/json", "content-length": str(len(data))} | reply.get("headers", {})
        try:
            self.send_response(reply.get("status", 200))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client gave up waiting, as some scripts intend

    def finish(self) -> None:
        try:
            super().finish()
        except (OSError, ValueError):
            self.rfile.close()  # the connection was reset by us

    def log_message(self, *_: Any) -> None:
        """Keep the test output clean."""


@contextmanager
def serving() -> Iterator[ModelServer]:
    """Run a model server on a free port."""
    state = ModelServer(url="")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, state))
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A running model server; `.script` its replies, read what came in `.received`."""
    with serving() as server:
        yield server


@pytest.fixture(scope="session")
def start_model_server() -> Any:
    """The context manager behind `model_server`, for fixtures that live longer than a test."""
    return serving


@pytest.fixture(scope="session")
def answer_body() -> Any:
    """The function that makes the body of an ordinary answer: answer_body(content, **top-level fields)."""
    return completion
