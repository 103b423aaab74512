"""Judges with the names they have in folders and tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenthorizon import plugins


@dataclass(frozen=True)
class NamedJudge:
    """A judge and the name it has in folders and tables."""

    name: str
    judge: Any
    folder: Path | None = None
    """The run folder, where it is not the one that its configuration names."""


def named_judges(judges: Iterable[str | Any], offered: Mapping[str, Any] | None = None) -> list[NamedJudge]:
    """Return judges with their names; see `plugins.make_judge` for `offered`. Raises UsageError for a bad one."""
    named = []
    for judge in judges:
        if isinstance(judge, str):
            name = Path(judge).stem if judge.endswith(".toml") else judge
            named.append(NamedJudge(name, plugins.make_judge(judge, offered)))
        else:
            named.append(NamedJudge(type(judge).__name__, judge))
    return named
