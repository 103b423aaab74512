"""Writes the file that a user named."""

from pathlib import Path

from agenthorizon.errors import UsageError


def write_text(path: Path, text: str | bytes) -> None:
    """Write a file. Raises UsageError where that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
