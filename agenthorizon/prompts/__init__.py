"""Texts sent to judges: one home each, as files beside this one."""

import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from agenthorizon.errors import UsageError


class Prompt(NamedTuple):
    """A text and the hash that stands for it in a run's configuration."""

    name: str
    text: str
    sha256: str

    def filled(self, **names: object) -> str:
        """Return the text with each {name} of these replaced; any other brace stays as it is, e.g. that of JSON."""
        return re.sub(r"\{(\w+)\}", lambda found: str(names.get(found[1], found[0])), self.text)


@cache
def prompt(name: str) -> Prompt:
    """Return the text of that name. Raises UsageError where there is none."""
    if name not in (known := names()):
        raise UsageError(f"there is no prompt named {name!r}; there are: {', '.join(known)}")
    data = (files(__name__) / f"{name}.md").read_bytes()
    return Prompt(name, data.decode("utf-8"), hashlib.sha256(data).hexdigest())


@cache
def names() -> tuple[str, ...]:
    """Return the names of all texts, sorted."""
    found = (Path(file.name) for file in files(__name__).iterdir())
    return tuple(sorted(file.stem for file in found if file.suffix == ".md"))


def guide() -> Prompt:
    """Return the judging guide with the reply contract, which every judge gets."""
    return prompt("guide")


def verdict_schema() -> dict[str, Any]:
    """Return the reply contract as JSON Schema, for models that can be held to one."""
    schema: dict[str, Any] = json.loads((files(__name__) / "verdict.schema.json").read_bytes())
    return schema
