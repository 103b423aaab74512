"""An agent of the user's own: a command in a TOML file; the prompt goes in on stdin, the verdict comes out on stdout.

    kind = "command"
    command = ["sh", "my-agent.sh"]

It runs in the task folder. Its environment names that folder (AGENTHORIZON_TASK) and, where the file names a model,
what to ask it by: AGENTHORIZON_ENDPOINT, AGENTHORIZON_MODEL, AGENTHORIZON_KEY (a stand-in).
"""

import os
from pathlib import Path
from typing import ClassVar

from pydantic import Field, PrivateAttr

from agenthorizon.harness import Account, Assignment, Ended, Harness, Launch, Protocol


class Command(Harness):
    """Your own agent, as a command in a TOML file."""

    protocol: ClassVar[Protocol] = "chat"
    needs_model: ClassVar[bool] = False

    command: tuple[str, ...] = Field(min_length=1)
    """The program and its arguments. Words that name a file, seen from the TOML file's folder, else from where you
    are, stand for that file."""
    api: Protocol = "chat"
    """What it speaks with its model: responses, chat, messages or gemini."""
    readable: tuple[str, ...] = ()
    """Other files and folders it needs, e.g. a virtual environment."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Further variables. They are recorded: no place for a key."""

    _folder: Path | None = PrivateAttr(None)
    """Folder of the TOML file; no part of what is recorded."""

    def seen_from(self, folder: Path) -> "Command":
        """Return this one with words looked up in a folder first."""
        seen = self.model_copy()
        seen._folder = folder.resolve()
        return seen

    def _file(self, word: str) -> Path | None:
        """Return the file or folder that a word names, absolute; None where it names none."""
        places = [self._folder / word] if self._folder else []
        return next((place.resolve() for place in (*places, Path(word)) if os.path.exists(place)), None)  # noqa: PTH110  False for a word too long

    def speaks(self) -> Protocol:
        """Return what the file says."""
        return self.api

    def needs(self) -> tuple[Path, ...]:
        """Return the files among the command's words, and what else was named."""
        named = [path for word in self.command if (path := self._file(word)) and path.is_file()]
        others = [path for word in self.readable if (path := self._file(word))]
        return (*named, *others)

    def launch(self, assignment: Assignment) -> Launch:
        """Run the command."""
        asked = {
            "AGENTHORIZON_ENDPOINT": assignment.endpoint,
            "AGENTHORIZON_MODEL": assignment.model,
            "AGENTHORIZON_KEY": assignment.key,
        }
        environment = {"AGENTHORIZON_TASK": str(assignment.task)} | (asked if assignment.model else {})
        # Where the agent runs is another folder, hence absolute.
        files = [self._file(word) for word in self.command]
        words = zip(self.command, files, strict=True)
        command = tuple(str(path) if path and path.is_file() else word for word, path in words)
        return Launch(command, environment | self.environment, stdin=assignment.prompt)

    def account(self, ended: Ended) -> Account:
        """Take all of stdout for the answer, unless it ended badly."""
        if ended.exit_code:
            return Account("crashed", ended.text(), f"exit code {ended.exit_code}: {ended.complaint()}")
        return Account("ok", ended.text(), ended.complaint() or None)
