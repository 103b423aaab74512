"""One trajectories JSONL, one record per line, with an optional labels JSONL beside it (the older layout).

agenthorizon.jsonl  agenthorizon_labels.jsonl            or            trajectories.jsonl  labels.jsonl
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import LabelFile, scan_labels
from agenthorizon.dataset.schema import Place, checked_id
from agenthorizon.dataset.splits import in_order, split_name
from agenthorizon.dataset.task_files import RawTask
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.jsonlines import Line, parse_json, read_lines
from agenthorizon.files.regular_file import open_regular

FORM = "trajectories"
_NAMES = ("trajectories.jsonl", "agenthorizon.jsonl")
_FOLDERS = (Path(), Path("data", "standard"))


class _TaskLines:
    """The records of one JSONL file, each found by its byte offset."""

    def __init__(self, path: Path, index: dict[str, Line]) -> None:
        self._path = path
        self._index = {task_id: (line.number, line.offset) for task_id, line in index.items()}

    def ids(self) -> Sequence[str]:
        """Return the task ids in the order of the file."""
        return tuple(self._index)

    def read(self, task_id: str) -> RawTask:
        """Read and parse one line again. Raises DataError when the file changed under it."""
        number, offset = self._index[task_id]
        place = Place(self._path.name, number)
        try:
            with open_regular(self._path) as file:
                file.seek(offset)
                return RawTask(parse_json(file.readline()), place)
        except (OSError, ValueError) as error:
            raise DataError("the file changed since it was opened", [place.finding("bad_json", str(error))]) from error

    def bases(self, task_id: str) -> tuple[Path, ...]:
        """Return the JSONL's folder, `sandbox/` beside it, and the folder above for `data/standard/`."""
        folder = self._path.parent
        above = (folder.parent.parent,) if folder.parts[-2:] == ("data", "standard") else ()
        return folder, folder / "sandbox", *above


class _Index(NamedTuple):
    lines: dict[str, Line]
    warnings: list[Finding]
    faults: list[Finding]


class Trajectories:
    """Opens a trajectories JSONL, or the folder that holds one."""

    order = 30

    def accepts(self, location: str) -> bool:
        """Whether there is such a file."""
        return _find(Path(location)) is not None

    def open(self, location: str, labels: Path | None) -> Bench:
        """Read every line once."""
        path = _find(Path(location).absolute())
        assert path is not None, "accepts() says whether it can be opened"
        index, warnings, faults = _read(path)
        label_path = labels or _labels_beside(path)
        label_file = scan_labels(label_path) if label_path else None
        root = path.parent.parent.parent if path.parent.parts[-2:] == ("data", "standard") else path.parent
        bench = Bench(
            name=path.parent.resolve().name if path.name in _NAMES else path.stem,
            form=FORM,
            location=location,
            root=root,
            files=_TaskLines(path, index),
            splits=_splits(path, index, label_file),
            warnings=(*warnings, *_label_warnings(index, label_file)),
            faults=(*faults, *(label_file.faults if label_file else ())),
        )
        return bench.with_labels({label_file.split: label_file.labels}) if label_file else bench


def _find(location: Path) -> Path | None:
    if location.is_file():
        return location if location.suffix == ".jsonl" else None
    candidates = [location / folder / name for folder in _FOLDERS for name in _NAMES]
    return next((path for path in candidates if path.is_file()), None)


def _labels_beside(path: Path) -> Path | None:
    candidates = [path.with_name(f"{path.stem}_labels.jsonl"), path.with_name("labels.jsonl")]
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _read(path: Path) -> _Index:
    """Check every line and return where each task stands; the records themselves are not kept."""
    index: dict[str, Line] = {}
    faults: list[Finding] = []
    versions: set[str] = set()
    for line in read_lines(path):
        place = Place(path.name, line.number)
        if line.fault:
            faults.append(line.fault)
            continue
        try:
            task_id = checked_id(line.value, place)
        except DataError as error:
            faults += error.faults
            continue
        versions.add(str(line.value.get("version")))
        if task_id in index:
            faults.append(place.finding("duplicate_trajectory_id", f"{task_id} stands on line {index[task_id].number}"))
        else:
            index[task_id] = line._replace(value=None)
    mixed = ", ".join(sorted(versions))
    odd = [Finding("version", path.name, detail=f"mixed schema versions: {mixed}")] if len(versions) > 1 else []
    return _Index(index, odd, faults)


def _splits(path: Path, index: dict[str, Line], labels: LabelFile | None) -> dict[str, tuple[str, ...]]:
    if labels is None:
        return {split_name(path): tuple(index)}
    labelled = tuple(label.trajectory_id for label in labels.labels if label.trajectory_id in index)
    taken = set(labelled)
    others = tuple(task_id for task_id in index if task_id not in taken)
    found = {labels.split: labelled} | ({"unlabelled": others} if others else {})
    return {name: found[name] for name in in_order(found)}


def _label_warnings(index: dict[str, Line], labels: LabelFile | None) -> list[Finding]:
    if labels is None:
        return []
    labelled = [label.trajectory_id for label in labels.labels]
    gone = [Finding("label_without_task", task_id) for task_id in labelled if task_id not in index]
    known = set(labelled)
    bare = [Finding("task_without_label", task_id) for task_id in index if task_id not in known]
    return [*labels.warnings, *gone, *bare]
