"""Judges with the names they have in folders and tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agenthorizon import plugins
from agenthorizon.judge import Judge
from agenthorizon.judging.judge_files import read_judge_file


@dataclass(frozen=True)
class NamedJudge:
    """A judge and the name it has in folders and tables."""

    name: str
    judge: Any
    folder: Path | None = None
    """The run folder, where it is not the one that its configuration names."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """What a plain class was made with by a judge file: it does not know itself how to be made again."""


def named_judges(judges: Iterable[str | Any], offered: Mapping[str, Any] | None = None) -> list[NamedJudge]:
    """Return judges with their names; see `plugins.make_judge` for `offered`. Raises UsageError for a bad one."""
    named = []
    for judge in judges:
        if isinstance(judge, str):
            made = plugins.make_judge(judge, offered)
            is_file = judge.endswith(".toml")
            given = read_judge_file(Path(judge)).settings if is_file and not isinstance(made, Judge) else {}
            named.append(NamedJudge(Path(judge).stem if is_file else judge, made, given=given))
        else:
            named.append(NamedJudge(type(judge).__name__, judge))
    return named
