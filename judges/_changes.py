"""Picks the screenshots that differ most from the one before: small and grey, by their pixels' mean difference."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageChops, ImageStat

from agenthorizon.judge import Picture, ShownStep, View

_COMPARED = View(fit=(128, 83), format="png")


def most_changed(candidates: Sequence[ShownStep], wanted: int) -> list[int]:
    """Return the numbers of the steps whose screenshots differ most from the one before; the first counts as new."""
    if not wanted:
        return []  # nothing is decoded for it
    changes = []
    before: Image.Image | None = None
    for step in candidates:
        small = _compared(step.picture) if step.picture else None
        if small is None:
            continue
        is_new = before is None or before.size != small.size
        change = 255.0 if is_new or before is None else ImageStat.Stat(ImageChops.difference(before, small)).mean[0]
        changes.append((-change, step.number))
        before = small
    return [number for _, number in sorted(changes)[:wanted]]


def _compared(picture: Picture) -> Image.Image:
    """Return a screenshot small and grey. As PNG it is kept, like what is sent: the next task decodes that alone."""
    with Image.open(BytesIO(picture.seen(_COMPARED).encoded())) as small:
        return small.convert("L")
