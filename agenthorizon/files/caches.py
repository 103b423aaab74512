"""Names the folder of what can be made again at any time; whoever deletes it loses seconds."""

import os
from pathlib import Path

import platformdirs

VARIABLE = "AGENTHORIZON_CACHE"
"""Environment variable that names another folder."""


def cache_folder(part: str) -> Path:
    """Return where one part of the package keeps such things. The folder need not exist."""
    own = os.environ.get(VARIABLE)
    return (Path(own).expanduser() if own else Path(platformdirs.user_cache_dir("agenthorizon"))) / part
