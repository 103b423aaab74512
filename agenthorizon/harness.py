"""The contract of a harness: how a coding-agent CLI is launched, and what its output says about how the run ended.

Both are pure functions. Starting, bounding, isolating, killing and metering belong to `isolation`; whether a text is a
verdict is `verdict.read_verdict`'s to say. A harness never sees a key, a label or another task.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from agenthorizon.judging.scrubbing import CHUNK, KEPT, scrubbed
from agenthorizon.usage import Usage

Status = Literal[
    "ok", "no_answer", "truncated", "model_error", "turn_limit", "timeout", "cut_output", "crashed"
]  # fmt: skip
"""How a run ended; only `ok` may hold a verdict."""

Protocol = Literal["responses", "chat", "messages", "gemini"]
"""What a CLI speaks with its model: OpenAI Responses, OpenAI Chat Completions, Anthropic Messages, Gemini."""

EndedBy = Literal["itself", "clock", "idle", "requests", "spending", "refusals", "output", "storage"]
"""Who ended the process: itself, or one of the limits."""

LONGEST_LINE = 16 * 2**20
"""Characters of a line of output, after pictures were taken out; a longer one is not looked at."""

MOST_READ = 2**30
"""Bytes of a file that a CLI left which are looked at, pictures included; KEPT of them, without pictures, are read."""

Event = dict[str, Any]


@dataclass(frozen=True)
class Package:
    """Where a CLI comes from, pinned to the version it was tested with."""

    registry: Literal["npm", "pypi"]
    name: str
    version: str
    program: str
    """Name of its executable."""
    native: tuple[str, ...] = ()
    """Where the executable itself stands below node_modules, the first that is there: for npm packages whose own
    program is put in place by a script, which is not run. {machine} is linux-x64 or linux-arm64."""
    python: str | None = None
    """The Python that a PyPI package needs, e.g. 3.12; None for the one that runs this."""


@dataclass(frozen=True)
class Assignment:
    """What a launch is made from. Paths and addresses are as the CLI sees them."""

    prompt: str
    model: str
    endpoint: str
    """Where the model answers, without a path: http://127.0.0.1:9000."""
    key: str
    """A stand-in that the door asks for: the real key stays outside. Empty where there is no endpoint."""
    program: tuple[str, ...]
    """The beginning of the command line."""
    task: Path
    """The task folder, which is the working directory."""
    home: Path
    """A fresh private folder."""
    requests: int
    """Most model requests of one task."""


@dataclass(frozen=True)
class Launch:
    """A command to start."""

    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    """Beyond PATH, HOME, LANG, TERM and TMPDIR; nothing is inherited."""
    stdin: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    """Texts to write first, by their path in the home folder."""


@dataclass(frozen=True)
class Ended:
    """What a run left. Pictures were taken out of its output."""

    stdout: Path
    stderr: Path
    home: Path
    exit_code: int | None
    """None when a limit ended it; negative for a signal."""
    ended_by: EndedBy = "itself"

    def lines(self) -> Iterator[str]:
        """Yield the lines of stdout, each at most LONGEST_LINE long."""
        return _lines(self.stdout)

    def events(self) -> "Events":
        """Return the JSON objects of stdout, one a line; other lines are passed over."""
        return Events(self.lines())

    def text(self, limit: int = 2**20) -> str:
        """Return stdout as one text, at most `limit` bytes of it."""
        return _head(self.stdout, limit)

    def complaint(self, limit: int = 4000) -> str:
        """Return the end of stderr."""
        return _tail(self.stderr, limit).decode("utf-8", "replace").strip()

    def left(self, pattern: str) -> Iterator[Path]:
        """Yield the files in the home folder that match; never a link, and nothing outside, whatever the CLI made."""
        home = self.home.resolve()
        for path in sorted(self.home.glob(pattern)):
            if path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(home):
                yield path

    def left_events(self, pattern: str) -> "Events":
        """Return the JSON objects of the JSON Lines files that match, without pictures."""
        return Events(line for path in self.left(pattern) for line in _scrubbed(path).split("\n"))

    def left_json(self, name: str) -> Any:
        """Return the JSON of a file, without pictures; None when it is not there or is none."""
        for path in self.left(name):
            try:
                return json.loads(_scrubbed(path))
            except (ValueError, RecursionError):
                return None
        return None


class Events:
    """The JSON objects of a stream of lines, read once. A line cut short is noticed, never repaired."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.is_cut = False
        """After reading: whether the last line that began like an object is not one."""

    def __iter__(self) -> Iterator[Event]:
        for line in self._lines:
            if not line.startswith("{"):
                continue
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                self.is_cut = True
                continue
            self.is_cut = False
            yield event


@dataclass(frozen=True)
class ToolCall:
    """One use of a tool, by the CLI's account."""

    name: str
    target: str
    """The file or command."""
    ok: bool | None = None
    """Whether it succeeded; None where the CLI does not say."""
    said: str = ""
    """The beginning of what it returned."""


@dataclass(frozen=True)
class Account:
    """What a CLI's own output says about its run. What it cost and what was sent, the door knows better."""

    status: Status
    text: str | None = None
    """The final message, or the structured answer as JSON."""
    error: str | None = None
    """What the CLI marked as an error."""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    """US dollars by the CLI's own price table."""
    turns: int | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    pictures_opened: int | None = None
    """Screenshots its tools opened; None where the CLI does not say."""


class Harness(BaseModel, ABC):
    """Base of the harnesses in `harnesses/`: its fields are settings, which go into the run's config.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    package: ClassVar[Package | None] = None
    """Where the CLI comes from; None when it is the user's own."""
    protocol: ClassVar[Protocol]
    needs_model: ClassVar[bool] = True
    longest_side: ClassVar[int | None] = None
    """Pixels; larger screenshots are shrunk for it, where its many-image limit asks for that."""

    @abstractmethod
    def launch(self, assignment: Assignment) -> Launch:
        """Return the command for one task."""

    @abstractmethod
    def account(self, ended: Ended) -> Account:
        """Read what a run left. Called for runs that a limit ended, too."""

    def speaks(self) -> Protocol:
        """Return the protocol of this one, as its settings have it."""
        return self.protocol

    def seen_from(self, folder: Path) -> "Harness":
        """Return this one with its relative paths seen from a folder, that of the file which set it up."""
        return self

    def needs(self) -> tuple[Path, ...]:
        """Return files and folders of the user's own that it must be able to read."""
        return ()


def _lines(path: Path) -> Iterator[str]:
    if not path.is_file():
        return
    with path.open("r", encoding="utf-8", errors="replace", newline="\n") as file:
        while line := file.readline(LONGEST_LINE):
            if line.endswith("\n") or len(line) < LONGEST_LINE:
                yield line.rstrip("\r\n")
                continue
            while line and not line.endswith("\n"):
                line = file.readline(LONGEST_LINE)


def _scrubbed(path: Path) -> str:
    with path.open("rb") as file:
        kept = bytearray()
        for piece in scrubbed(iter(lambda: file.read(CHUNK) if file.tell() < MOST_READ else b"", b"")):
            kept += piece
            if len(kept) >= KEPT:
                break
        return kept[:KEPT].decode("utf-8", "replace")


def _tail(path: Path, limit: int) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - limit))
        return file.read(limit)


def _head(path: Path, limit: int) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(limit).decode("utf-8", "replace")
