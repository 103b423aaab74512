"""Checks of steps against their pictures: readable, of the stated size, and every point on the screen."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from agenthorizon.construction.pictures import PictureFacts
from agenthorizon.construction.records import TaskFacts
from agenthorizon.errors import Finding


def step_findings(task: TaskFacts, pictures: Mapping[Path, PictureFacts]) -> Iterator[Finding]:
    """Yield what is wrong with one task's screenshots, and points off a screen whose size no field states."""
    sizes = [pictures[step.path].size if step.path else None for step in task.steps]
    usual = Counter(size for size in sizes if size).most_common(1)
    for index, (step, size) in enumerate(zip(task.steps, sizes, strict=True)):
        if step.path is None:
            continue
        if size is None:
            detail = pictures[step.path].fault or ""
            yield task.place.finding("unreadable_screenshot", detail, index=index)
            continue
        wanted, whose = (task.resolution, "stated") if task.resolution else (usual[0][0], "of its other screenshots")
        if size != wanted:
            detail = f"{step.path.name} has {size[0]}×{size[1]} pixels, not the {wanted[0]}×{wanted[1]} {whose}"
            yield task.place.finding("screenshot_size", detail, index=index)
        if task.resolution is None and (off := [point for point in step.points if not _inside(point, size)]):
            detail = f"{off[0]} lies off a screenshot of {size[0]}×{size[1]}"
            yield task.place.finding("coordinate_out_of_range", detail, index=index)


def note_of_pictures(task: TaskFacts) -> Iterator[Finding]:
    """Yield a note on a task that shows no screenshot, or one file for several steps."""
    paths = list(task.pictures)
    if task.steps and not paths:
        yield task.place.finding("no_screenshots", "no step has a screenshot")
    if repeated := len(paths) - len(set(paths)):
        detail = f"{repeated} steps show the file of another step, as recorders of several actions a frame do"
        yield task.place.finding("repeated_screenshot", detail)


def _inside(point: tuple[float, float], size: tuple[int, int]) -> bool:
    return 0 <= point[0] < size[0] and 0 <= point[1] < size[1]
