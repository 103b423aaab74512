"""The figures there are, by name, and the writing of all of them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from agenthorizon.errors import UsageError
from agenthorizon.report.figures import agreement, costs, leaderboard, mistakes, rates, reliability, repeats, steps
from agenthorizon.report.figures.drawing import Drawn

FIGURES: Mapping[str, Callable[[Drawn, Path], bool]] = {
    "leaderboard": leaderboard.draw,
    "rates": rates.draw,
    "steps": steps.draw,
    "mistakes": mistakes.draw,
    "costs": costs.draw,
    "agreement": agreement.draw,
    "reliability": reliability.draw,
    "repeats": repeats.draw,
}
"""Name of a figure → what writes it, and says whether there was anything to show."""


def write_figures(drawn: Drawn, folder: Path, suffix: str) -> tuple[list[Path], list[str]]:
    """Write every figure that has something to show; return their files and the names of the others.

    Raises MissingExtra without matplotlib, UsageError where the folder cannot be written.
    """
    written, empty = [], []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, draw in FIGURES.items():
            path = folder / f"{name}.{suffix}"
            if draw(drawn, path):
                written.append(path)
            else:
                path.unlink()
                empty.append(name)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}") from error
    return written, empty
