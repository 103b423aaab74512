"""The look of all figures: legible in print, in grey and by the colour-blind, since shape tells what colour tells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agenthorizon.errors import MissingExtra
from agenthorizon.report.cells import unmarked
from agenthorizon.scoring.calibration import Calibration
from agenthorizon.scoring.comparing import Comparison
from agenthorizon.scoring.estimates import Estimate
from agenthorizon.scoring.scorecard import Scorecard
from agenthorizon.scoring.slices import Slice
from agenthorizon.scoring.split_score import SplitScore

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's (2008), which all common kinds of colour vision tell apart; the darkest first."""
MARKERS = "osD^vP*X"
LINES = ("-", "--", "-.", ":")
GREY = "#777777"
_SETTINGS: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "svg.hashsalt": "agenthorizon",
    "text.parse_math": False,
    "savefig.bbox": "tight",
    "figure.dpi": 150,
}


@dataclass(frozen=True)
class Drawn:
    """What figures are made from: judges on one split."""

    split: str
    cards: Sequence[Scorecard]
    """Best first, all with a balanced accuracy; those of published results have no answers."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """Judge → mean dollars a task, where it is known."""
    steps: Mapping[str, Sequence[Slice]] = field(default_factory=dict)
    """Judge → its slices by number of steps."""
    pairs: Sequence[Comparison] = ()
    calibrations: Mapping[str, Calibration] = field(default_factory=dict)
    """Judge → what its confidence and its repeats are worth."""

    @property
    def scores(self) -> list[tuple[str, SplitScore]]:
        """Name and score of each judge."""
        return [(unmarked(card.judge), card.splits[self.split]) for card in self.cards]

    @property
    def calibrated(self) -> list[tuple[int, str, Calibration]]:
        """Place, name and calibration of each judge that has one."""
        names = [card.judge for card in self.cards]
        return [(n, unmarked(j), self.calibrations[j]) for n, j in enumerate(names) if j in self.calibrations]

    def is_published(self, place: int) -> bool:
        """Whether the judge at this place is a row of the published table."""
        return self.cards[place].source == "published"


def style(place: int) -> dict[str, Any]:
    """Return colour, marker and line of the judge at this place: no two of 28 are the same."""
    return {
        "color": COLOURS[place % len(COLOURS)],
        "marker": MARKERS[place % len(MARKERS)],
        "linestyle": LINES[place // len(COLOURS) % len(LINES)],
    }


def margins(estimates: Iterable[Estimate]) -> tuple[list[float], list[float]]:
    """Return how far each interval reaches below its figure, and how far above, in percent: error bars take both."""
    reaches = [_reach(estimate) for estimate in estimates]
    return [below for below, _ in reaches], [above for _, above in reaches]


def _reach(estimate: Estimate) -> tuple[float, float]:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return 0.0, 0.0
    return 100 * (estimate.value - estimate.low), 100 * (estimate.high - estimate.value)


def spread(nth: int, of: int) -> float:
    """Return how far the nth of some judges stands beside their common place, so that no interval covers another."""
    return 0.08 * (nth - (of - 1) / 2)


def legend(axes: "Axes") -> None:
    """Name the judges beside the plot, where they cover nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1))


@contextmanager
def canvas(width: float, height: float) -> Iterator[tuple["Figure", "Axes"]]:
    """Give a figure of a size in inches and its axes. Raises MissingExtra without matplotlib."""
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("drawing figures", "report") from error
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        yield figure, figure.add_subplot()


def save(figure: "Figure", path: Path) -> None:
    """Write a figure in the format of its name, without the time, so that the same data give the same file."""
    dates: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    figure.savefig(path, metadata=dates.get(path.suffix, {}))
