"""A model server on 127.0.0.1 that speaks the four protocols and answers by a script: agents without a key."""

import gzip
import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from agenthorizon.isolation.record import DoorRecord
from agenthorizon.scripted import answering
from agenthorizon.scripted.acting import Script, decide
from agenthorizon.scripted.asking import Asked, protocol_of

KEY = "scripted-key-of-the-door"
"""What a request must bring where the server wants a key."""

_STATUS = {"refused_key": 401, "bad_request": 400, "busy": 429, "broken": 500}


@dataclass(frozen=True)
class Seen:
    """One request for an answer, as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    pictures: frozenset[str]
    """SHA-256 of every picture whose bytes are in it."""
    act: str
    """What was answered: the tool's name, `text`, or the scenario's failure."""


@dataclass
class ScriptedServer:
    """Use it as a context manager; `script` may be changed while it runs."""

    script: Script = field(default_factory=Script)
    seen: list[Seen] = field(default_factory=list)
    hung: threading.Event = field(default_factory=threading.Event)
    """Set when the server closes: what hangs ends then."""

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hung.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where it answers, without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def pictures(self) -> set[str]:
        """SHA-256 of every picture that came."""
        return set().union(*(seen.pictures for seen in self.seen))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, scripted: ScriptedServer, *arguments: Any) -> None:
        self.scripted = scripted
        super().__init__(*arguments)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        self._send(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}], "models": []})

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        body = json.loads(self._body() or b"{}")
        protocol = protocol_of(path)
        if protocol is None or not isinstance(body, dict):
            return self._send(404, answering.error(404, "not found"))
        asked = Asked(protocol, path, body)
        if asked.only_counts:
            return self._send(200, answering.counted(asked))
        return self._answer(asked)

    def _answer(self, asked: Asked) -> None:
        scenario = self.scripted.script.scenario
        act = decide(asked, self.scripted.script)
        is_failure = scenario in _STATUS or scenario in ("malformed", "hang")
        self._note(asked, scenario if is_failure else getattr(act, "name", "text"))
        if scenario in _STATUS:
            status = _STATUS[scenario]
            return self._send(status, answering.error(status, f"scripted refusal {status}"), {"Retry-After": "1"})
        if scenario == "hang":
            self.scripted.hung.wait()
            self.close_connection = True
            return None
        if scenario == "malformed":
            return self._send(200, "<html>this is no answer")
        is_cut = scenario == "truncated" and not hasattr(act, "name")
        if not asked.is_streamed:
            return self._send(200, answering.whole(asked, act, is_cut))
        events = answering.events(asked, act, is_cut)
        return self._stream(events[: len(events) // 2] if scenario == "cut" else events, ends=scenario != "cut")

    def _note(self, asked: Asked, act: str) -> None:
        record = DoorRecord()
        record.look(asked.body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.scripted.seen.append(Seen(asked.path, headers, asked.body, frozenset(record.pictures), act))

    def _send(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: Iterable[answering.Event], *, ends: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for name, data in events:
            text = data if isinstance(data, str) else json.dumps(data)
            self._chunk((f"event: {name}\n" if name else "") + f"data: {text}\n\n")
        if ends:
            self._chunk("")
        self.close_connection = not ends

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            data = b"".join(iter(self._read_chunk, b""))
        else:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return gzip.decompress(data) if self.headers.get("Content-Encoding") == "gzip" else data

    def _read_chunk(self) -> bytes:
        data = self.rfile.read(int(self.rfile.readline().partition(b";")[0], 16))
        self.rfile.readline()
        return data
