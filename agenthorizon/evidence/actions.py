"""The only wording of an action: `click {"x": 100, "y": 50, "button": "left"}`, whoever reads it.

The type as recorded, then every parameter as JSON, nothing cut and nothing converted: two different actions never read
the same, and nothing typed can pretend to be something else, since a JSON text cannot be closed from within.
"""

import json
import re

from agenthorizon.evidence.safe_text import escape
from agenthorizon.task import Action

NO_ACTION = "(no action recorded)"

_PLAIN_NAME = re.compile(r"[\w.-]+")
_as_json = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make an encoder for each action


def wording(action: Action | None) -> str:
    """Return an action as one line that is safe to print and to send."""
    if action is None:
        return NO_ACTION
    is_plain = action.is_known or _PLAIN_NAME.fullmatch(action.type)
    name = action.type if is_plain else json.dumps(action.type, ensure_ascii=False)
    # What json.dumps leaves alone is escaped in JSON's own manner, so the parameters stay readable by any JSON reader.
    return escape(f"{name} {_as_json(action.parameters)}")
