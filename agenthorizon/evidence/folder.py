"""A case as a folder that an agent explores: one task alone, read-only, its names and times without meaning.

AGENTS.md            the judging guide; CLAUDE.md, GEMINI.md and QWEN.md are links to it
task.md              the instruction, then every step: screenshot, action
task.json            the same for a program
screenshots/007.png  the screenshot taken before step 7
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from agenthorizon.case import Case, ShownStep
from agenthorizon.evidence.markdown import render

GUIDE = "AGENTS.md"
LINKS = ("CLAUDE.md", "GEMINI.md", "QWEN.md")
"""Names under which other CLIs look for the guide."""

_SOME_TIME = 946_684_800.0
"""1 January 2000: file times tell nothing."""


class TaskFolder(NamedTuple):
    """A folder as written."""

    path: Path
    digests: dict[str, int]
    """SHA-256 of every picture file, and the number of the first step that shows it."""


def write_folder(case: Case, path: Path) -> TaskFolder:
    """Write a case into a new folder. Raises JudgeFailure (class evidence) when a picture cannot be read."""
    suffix = case.media_type.removeprefix("image/").replace("jpeg", "jpg")
    digits = max(3, len(str(len(case.steps))))

    def name(step: ShownStep) -> str | None:
        return f"screenshots/{step.number:0{digits}}.{suffix}" if step.picture else None

    (path / "screenshots").mkdir(parents=True)
    digests: dict[str, int] = {}
    for step in case.steps:
        if step.picture and (file := name(step)):
            data = step.picture.encoded()
            digests.setdefault(hashlib.sha256(data).hexdigest(), step.number)
            (path / file).write_bytes(data)
    (path / "task.md").write_text(render(case, name), "utf-8")
    (path / "task.json").write_text(_json(case, name), "utf-8")
    (path / GUIDE).write_text(case.guide, "utf-8")
    for link in LINKS:
        (path / link).symlink_to(GUIDE)
    _seal(path)
    return TaskFolder(path, digests)


def unseal(path: Path) -> None:
    """Let a sealed folder be removed."""
    for folder in (path, *path.rglob("*")):
        if folder.is_dir() and not folder.is_symlink():
            folder.chmod(0o700)


def _json(case: Case, name: Any) -> str:
    steps = [
        {
            "step": step.number,
            "screenshot": name(step),
            **({"note": step.note} if step.note else {}),
            "action": step.action and {"type": step.action.type, "parameters": step.action.parameters},
        }
        for step in case.steps
    ]
    return json.dumps({"instruction": case.instruction, "steps": steps}, indent=1) + "\n"


def _seal(path: Path) -> None:
    """Make everything read-only and equally old; the deepest first, since writing below changes a folder's time."""
    for each in sorted((path, *path.rglob("*")), key=lambda entry: -len(entry.parts)):
        if not each.is_symlink():
            each.chmod(0o555 if each.is_dir() else 0o444)
        os.utime(each, (_SOME_TIME, _SOME_TIME), follow_symlinks=False)
