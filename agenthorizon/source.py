"""The contract of a source: something that opens a place named by the user as a Bench.

A source is one file in `data/` with one class that has these two methods; it is found by being there.
"""

from pathlib import Path
from typing import Protocol

from agenthorizon import plugins
from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import DataError, UsageError, did_you_mean

SHIPPED = ("demo", "desktop")
"""Names of the data sets that come with the package."""


class Source(Protocol):
    """One kind of place that tasks come from."""

    order: int
    """Sources are asked in this order; the more particular ones come first."""

    def accepts(self, location: str) -> bool:
        """Whether this location looks like one of this source's, by its name or the files that are there."""

    def open(self, location: str, labels: Path | None) -> Bench:
        """Open it, with the label file given, else the one found beside the tasks.

        Records and labels that cannot be used are left out and stand in the bench's `faults`. Raises DataError when
        nothing is left to open.
        """


def load(location: str | Path, labels: str | Path | None = None) -> Bench:
    """Open a data set: a shipped one (`demo`), a folder or file, or `hub:OWNER/NAME[@revision]`.

    Raises UsageError when no source knows the location, DataError when its data cannot be used, with every fault.
    """
    bench = open_as_it_is(location, labels)
    if bench.faults:
        raise DataError(f"{location} has records or labels that cannot be used", bench.faults)
    return bench


def open_as_it_is(location: str | Path, labels: str | Path | None = None) -> Bench:
    """Open a data set that may be broken, for those who report on it: what cannot be used stands in `faults`.

    Raises what `load` raises, but of broken data only when nothing is left to open.
    """
    name = str(location)
    label_path = None if labels is None else Path(labels)
    if label_path is not None and not label_path.exists():
        raise UsageError(f"no label file at {label_path}")
    room = plugins.implementations("data")
    sources: list[Source] = [cls() for cls in room.found.values()]
    for source in sorted(sources, key=lambda source: source.order):
        if source.accepts(name):
            return source.open(name, label_path)
    what = "holds no data set of a known layout" if Path(name).exists() else "does not exist"
    if several := sorted(path.name for path in Path(name).glob("*.jsonl")):
        what += f", but {', '.join(several[:6])}: name one, such as {Path(name, several[0])}"
    others = "".join(f". It may be for another source: {error}" for error in room.broken)
    expected = "demo, desktop, a release folder, a trajectories .jsonl or hub:OWNER/NAME"
    near = "" if Path(name).exists() else did_you_mean(name, SHIPPED)
    raise UsageError(f"{name!r} {what}{near or ';'} expected {expected}{others}")
