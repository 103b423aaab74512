"""The data sets that come with the package, by name: `demo` and `desktop`."""

from dataclasses import replace
from pathlib import Path

from agenthorizon.dataset.bench import Bench
from agenthorizon.source import open_as_it_is

_FOLDER = Path(__file__).parent


class Shipped:
    """Opens a shipped data set."""

    order = 0

    def accepts(self, location: str) -> bool:
        """Whether this is the plain name of a folder beside this file."""
        return location.isidentifier() and (_FOLDER / location / "manifest.json").is_file()

    def open(self, location: str, labels: Path | None) -> Bench:
        """Open it as the release folder it is."""
        return replace(open_as_it_is(_FOLDER / location, labels), location=location)
