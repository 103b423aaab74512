"""Judge files: TOML that fixes a judge's settings, a user's own or those of the published configurations.

kind = "direct"                # a kind of judge, a harness, or a class of the user's own, package.module:Class
model = "Qwen/Qwen3.6-27B"
[about]                        # for the reader; the published ones say where each value comes from and what is missing
fill_in = ["model"]
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from agenthorizon.errors import UsageError
from agenthorizon.files.regular_file import read_regular

ABOUT = "about"

_MOST = 2**20
"""Bytes of a judge file."""


@dataclass(frozen=True)
class JudgeFile:
    """What a judge file says."""

    path: Path
    kind: str
    """A kind of judge, a harness, or package.module:Class."""
    settings: Mapping[str, Any] = field(repr=False)
    about: Mapping[str, Any] = field(default_factory=dict)
    """For the reader: no setting."""

    def to_fill_in(self, given: Mapping[str, Any]) -> list[str]:
        """Return the settings that its publication does not state and that are not given either."""
        known = {**self.settings, **{name: value for name, value in given.items() if value is not None}}
        return [name for name in self.about.get("fill_in", ()) if not _has(known, name)]


def published() -> dict[str, Path]:
    """Return the files of the published configurations, by name."""
    folder = Path(str(files("agenthorizon.judges") / "published"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def read_judge_file(path: Path) -> JudgeFile:
    """Read a judge file. Raises UsageError that says what is wrong with it."""
    try:
        fixed = tomllib.loads(read_regular(path, _MOST).decode("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read judge file {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not TOML: {error}") from error
    kind, about = fixed.pop("kind", None), fixed.pop(ABOUT, {})
    if not isinstance(kind, str):
        raise UsageError(f'{path} must say which kind of judge it sets up, e.g. kind = "direct"')
    if not isinstance(about, dict):
        raise UsageError(f"{path}: [{ABOUT}] must be a table")
    return JudgeFile(path, kind, fixed, about)


def unstated(spec: str, given: Mapping[str, Any]) -> list[str]:
    """Say what a judge file's publication leaves to be filled in, and what it leaves open; nothing for other judges."""
    name, _, model = spec.partition(":")
    path = published().get(name) or (Path(spec) if spec.endswith(".toml") else None)
    if path is None:
        return []
    file = read_judge_file(path)
    missing = file.to_fill_in({**given, "model": model})
    lines = [f"not published, fill in: {', '.join(missing)}"] if missing else []
    left = [one for one in file.about.get("left_open", ()) if not _has(file.settings, one)]
    return lines + ([f"not published, defaults hold: {', '.join(left)}"] if left else [])


def _has(settings: Mapping[str, Any], dotted: str) -> bool:
    name, _, inner = dotted.partition(".")
    value = settings.get(name)
    return _has(value, inner) if inner and isinstance(value, Mapping) else value not in (None, "") and not inner
