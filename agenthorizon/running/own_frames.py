"""Says where in a user's own judge an exception came from: what its author needs to mend it."""

import traceback
from pathlib import PurePath

from agenthorizon.errors import causes
from agenthorizon.judging.own_code import is_own

_LONGEST = 20_000
"""Characters of a traceback that are kept: its end says most."""


def own_line(error: BaseException) -> str | None:
    """Return file and line, `mine.py:12`, of the innermost frame of the user's own; None where there is none."""
    for each in causes(error):
        for frame, line in reversed(list(traceback.walk_tb(each.__traceback__))):
            name, file = str(frame.f_globals.get("__name__", "")), frame.f_code.co_filename
            if is_own(name, file):
                return f"{PurePath(file).name}:{line}"
    return None


def whole_traceback(error: BaseException) -> str:
    """Return an exception's traceback as Python prints it, its end where it is very long."""
    return "".join(traceback.format_exception(error))[-_LONGEST:]
