"""Serves a site on 127.0.0.1, straight from the data set's folder. It reads, and writes nothing.

No path of a request ever becomes a path on disk: what can be asked for is a list of names. Requests that name another
host are refused, so that a page elsewhere cannot reach it under a name of its own (DNS rebinding).
"""

import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from agenthorizon.errors import AgentHorizonError
from agenthorizon.report.page.site import Site
from agenthorizon.report.page.writing import INDEX, app_files

HOST = "127.0.0.1"
_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "gif": "image/gif",
    "bmp": "image/bmp",
    "avif": "image/avif",
}

NowShown = Callable[[], Site]
"""Returns the site as the runs stand now; its stamp changes when they do."""


class _Answer(NamedTuple):
    status: HTTPStatus
    content: bytes
    type: str = "text/plain; charset=utf-8"


_ABSENT = _Answer(HTTPStatus.NOT_FOUND, b"There is nothing of this name here.\n")


class _SiteServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, now_shown: NowShown, port: int) -> None:
        self.app = app_files()
        self.now_shown = now_shown
        super().__init__((HOST, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong in an answer, but not that a browser went away before it had it all."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _SiteServer
    server_version = "agenthorizon"
    sys_version = ""

    def do_GET(self) -> None:
        self._send(self._found(), with_content=True)

    def do_HEAD(self) -> None:
        self._send(self._found(), with_content=False)

    def _found(self) -> _Answer:
        port = self.server.server_port
        if self.headers.get("host") not in (f"{HOST}:{port}", f"localhost:{port}"):
            return _Answer(HTTPStatus.FORBIDDEN, b"This server answers to 127.0.0.1 only.\n")
        return _answer(self.path, self.server.app, self.server.now_shown)

    def _send(self, answer: _Answer, with_content: bool) -> None:
        self.send_response(answer.status)
        headers = {
            "Content-Type": answer.type,
            "Content-Length": str(len(answer.content)),
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "max-age=3600" if answer.type.startswith("image/") else "no-store",
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if with_content:
            self.wfile.write(answer.content)

    def log_message(self, *_: Any) -> None:
        pass  # the terminal is kept for the address


def server(now_shown: NowShown, port: int) -> ThreadingHTTPServer:
    """Return a server that is bound and not yet running; port 0 takes a free one. Raises OSError."""
    return _SiteServer(now_shown, port)


def _answer(target: str, app: dict[str, bytes], now_shown: NowShown) -> _Answer:
    path, _, query = target.partition("?")
    name = path.removeprefix("/") or INDEX
    if name in app:
        return _Answer(HTTPStatus.OK, app[name], _type(name))
    try:
        content = _content(name, query, now_shown())
    except (AgentHorizonError, OSError) as error:
        return _Answer(HTTPStatus.INTERNAL_SERVER_ERROR, f"{error}\n".encode("utf-8", "replace"))
    return _ABSENT if content is None else _Answer(HTTPStatus.OK, content, _type(name))


def _content(name: str, query: str, site: Site) -> bytes | None:
    """Return a file of the site; of the index nothing to a page that has it as it stands."""
    catalogue = site.catalogue
    if name == "data/index.js":
        return b"" if site.stamp and query == site.stamp else site.index.encode()
    if name == "data/reasons.js":
        return site.reasons.encode()
    if name.startswith("data/tasks/"):
        key = name.removeprefix("data/tasks/").removesuffix(".js")
        return site.task(catalogue.ids[key]).encode() if key in catalogue.ids else None
    path = catalogue.album.paths.get(name.removeprefix("images/")) if catalogue.album else None
    return path.read_bytes() if path else None


def _type(name: str) -> str:
    return _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
