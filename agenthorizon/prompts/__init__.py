"""Texts sent to judges: one home each, as files beside this one."""

import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple


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
    """Return the text of that name."""
    data = (files(__name__) / f"{name}.md").read_bytes()
    return Prompt(name, data.decode("utf-8"), hashlib.sha256(data).hexdigest())


def guide() -> Prompt:
    """Return the judging guide with the reply contract, which every judge gets."""
    return prompt("guide")


def verdict_schema() -> dict[str, Any]:
    """Return the reply contract as JSON Schema, for models that can be held to one."""
    schema: dict[str, Any] = json.loads((files(__name__) / "verdict.schema.json").read_bytes())
    return schema
