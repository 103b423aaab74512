"""Takes keys out of what is kept: some servers repeat them in their errors, and a model may be made to."""

import json
from collections.abc import Iterable
from typing import Any

_SHORTEST = 8  # what people type for a server that wants any key is shorter, and is a word of error messages


def without(secrets: Iterable[str], text: str) -> str:
    """Return the text with every secret replaced."""
    for secret in secrets:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, "***")
    return text


def hide(secrets: Iterable[str], error: Any) -> None:
    """Take secrets out of an error of the openai client or of litellm, whose errors are its children."""
    secrets = tuple(secrets)
    error.message = without(secrets, str(error.message))
    error.args = (error.message,)
    if getattr(error, "body", None) is not None:
        error.body = json.loads(without(secrets, json.dumps(error.body, default=str)))
