"""A small web site on this machine for the browser scenarios; what its forms send is kept as JSON lines in a file."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

_PAGES = Path(__file__).parent / "pages"
_LARGEST_FORM = 100_000


@contextmanager
def website(page: str, kept: Path) -> Iterator[str]:
    """Serve one page of `pages/` at the address given back, and append every form sent from it to `kept`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, page, kept))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def sent(kept: Path) -> list[dict[str, str]]:
    """Return every form that was sent: its fields, with the address it went to under `form`."""
    return [json.loads(line) for line in kept.read_text("utf-8").splitlines()]


class _Handler(BaseHTTPRequestHandler):
    """GET / shows the page. POST /line keeps a form and goes back to it, any other address ends with thanks."""

    def __init__(self, page: str, kept: Path, *connection: Any) -> None:
        self.page, self.kept = page, kept
        super().__init__(*connection)

    def do_GET(self) -> None:
        """Show the page, or the thanks."""
        if self.path == "/done":
            self._show((_PAGES / "done.html").read_text("utf-8"))
        elif self.path == "/":
            lines = sum(form["form"] == "line" for form in sent(self.kept))
            text = (_PAGES / self.page).read_text("utf-8")
            self._show(text.replace("LINES", f"Lines in this order: {lines}"))
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """Keep what was sent and lead on."""
        size = min(int(self.headers.get("content-length", 0)), _LARGEST_FORM)
        fields = dict(parse_qsl(self.rfile.read(size).decode()))
        form = self.path.strip("/")
        with self.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"form": form, **fields}) + "\n")
        self.send_response(303)
        self.send_header("location", "/" if form == "line" else "/done")
        self.end_headers()

    def _show(self, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""
