"""Bars on stderr that are drawn in a terminal only; elsewhere plain lines take their place."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress, ProgressColumn

PLAIN_EVERY = 5.0
"""Seconds between two plain lines of one thing."""


class Bars:
    """Draws from entering to leaving the context."""

    def __init__(self, *columns: ProgressColumn) -> None:
        console = Console(stderr=True)
        self._plain = not console.is_terminal
        self._progress = Progress(*columns, console=console, disable=self._plain)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def _say(self, line: str) -> None:
        """Print a line, above the bars where there are any."""
        if self._plain:
            sys.stderr.write(f"{line}\n")
        else:
            self._progress.console.print(line, markup=False, highlight=False)
