"""One recording as its user meets it: what to press, what is happening, a look, and a decision."""

import json
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from agenthorizon.cli import SOME_FAILED, printable
from agenthorizon.cli.record_answers import ask, choose
from agenthorizon.evidence.actions import wording
from agenthorizon.recording.controls import Control, Controls
from agenthorizon.recording.session import Doing, Session, State
from agenthorizon.recording.writing import IMAGES, RECORDINGS, StepWriter

_KEEP = "keep, look, again or discard? "


class Recorder:
    """Records into a draft folder until its user keeps what was recorded."""

    def __init__(self, draft: Path, keys: Mapping[Control, str], applications: tuple[str, ...], *, asks: bool) -> None:
        self._draft, self._keys, self._applications, self._asks = draft, keys, applications, asks

    def recorded(self, instruction: str) -> dict[str, Any]:
        """Record one instruction and return its record, its frames being in the draft.

        Raises what `Session.run` raises, and Exit where the user discards it.
        """
        while True:
            writer = StepWriter(self._draft)
            _say(f"\nTo do: {instruction}")
            faults = Session(Controls(self._keys), writer, self._tell).run()
            record = writer.record(instruction, self._applications)
            self._list(writer, faults)
            if writer.steps and (not self._asks or self._is_kept(record)):
                return record
            shutil.rmtree(self._draft / IMAGES / writer.id)
            if not writer.steps:
                _say("nothing was recorded")
            if not self._asks:
                raise typer.Exit(SOME_FAILED)

    def _tell(self, doing: Doing) -> None:
        lines = {
            State.WAITING: f"{self._keys['pause']} begins, pauses and goes on; {self._keys['mark']} begins and ends a "
            f"moment to be left out; {self._keys['stop']} ends the recording",
            State.RECORDING: "recording",
            State.PAUSED: "paused",
            State.STOPPED: "stopped",
        }
        if sys.stderr.isatty():
            sys.stderr.write("\a")  # the window that says it may well be hidden
        marked = "; no text, place or picture is kept until the moment ends" if doing.is_marked else ""
        _say(f"{lines[doing.state]}{marked}")

    def _list(self, writer: StepWriter, faults: list[str]) -> None:
        for number, kept in enumerate(writer.steps, start=1):
            mark = "" if kept.has_frame else "  (no screenshot)"
            _say(f"{number:4} {kept.at:7.1f} s  {wording(kept.action)}{mark}")
        for fault in faults:
            _say(f"warning: {fault}")

    def _is_kept(self, record: dict[str, Any]) -> bool:
        """Ask what to do with it. Raises Exit for discard; False is once again."""
        while (answer := choose(_KEEP, ("keep", "look", "again", "discard"))) == "look":
            with _served(self._draft, record) as address:
                _say(f"{address} shows it")
                ask("Enter ends that ")
        if answer == "discard":
            _say("discarded; nothing was saved")
            raise typer.Exit(SOME_FAILED)
        return answer == "keep"


@contextmanager
def _served(draft: Path, record: dict[str, Any]) -> Iterator[str]:
    """Serve one recording as `agenthorizon view` does, on a free port, while the context lasts."""
    from agenthorizon.report.page.live import LiveSite
    from agenthorizon.report.page.serving import HOST, server
    from agenthorizon.report.page.sites import Shown, catalogue_of
    from agenthorizon.source import load

    path = draft / RECORDINGS
    path.write_text(json.dumps(record) + "\n", "utf-8")
    with server(LiveSite(catalogue_of(load(str(draft)), "view"), [], Shown(is_blind=False)), 0) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        yield f"http://{HOST}:{serving.server_address[1]}/"
        serving.shutdown()
        thread.join()
    path.unlink()


def _say(line: str) -> None:
    sys.stderr.write(f"{printable(line)}\n")
    sys.stderr.flush()
