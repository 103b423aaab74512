"""A release folder as published: label files by split, one JSON per task under `sandbox/data/jsons`.

AgentHorizon.jsonl  AgentHorizon-Simple.jsonl  [AgentHorizon-Development.jsonl]
sandbox/data/jsons/<trajectory_id>.json   sandbox/data/media/images/<steps_id>/step_N.png

Two forms were published, of different tasks: three splits (528 + 683 + 162) and, earlier, two (605 + 768). A folder
that users built may have a `manifest.json` whose `splits` name more: each has its labels in `<split>.jsonl`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import LabelFile, scan_labels
from agenthorizon.dataset.schema import Place, is_safe_id
from agenthorizon.dataset.splits import FOUND, LABEL_FILES, SIZES, WHOLE, form_of, in_order
from agenthorizon.dataset.task_files import RawTask
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.jsonlines import bad_json, parse_json
from agenthorizon.files.regular_file import read_regular

JSONS = Path("sandbox", "data", "jsons")
MANIFEST = "manifest.json"


class _Manifest(NamedTuple):
    """What a data set says of itself."""

    name: str = ""
    form: str = ""
    sizes: Mapping[str, int] = {}
    """Split → number of its tasks."""
    faults: tuple[Finding, ...] = ()


NO_MANIFEST = _Manifest()


class _TaskFolder:
    """The records of a release: one JSON file per task."""

    def __init__(self, root: Path, ids: Sequence[str]) -> None:
        self._root = root
        self._ids = tuple(ids)

    def ids(self) -> Sequence[str]:
        """Return the task ids in the order of the label files, then those that none of them names."""
        return self._ids

    def read(self, task_id: str) -> RawTask:
        """Parse one task's file. Raises DataError when it is gone, broken or holds another task."""
        path = self._root / JSONS / f"{task_id}.json"
        place = Place(str(JSONS / path.name))
        try:
            record = parse_json(read_regular(path))
        except OSError as error:
            raise DataError("unreadable task", [place.finding("bad_json", error.strerror or "unreadable")]) from error
        except ValueError as error:
            raise DataError("unreadable task", [bad_json(place.file, error)]) from error
        if isinstance(record, dict) and record.get("trajectory_id") != task_id:
            detail = f"holds trajectory_id {record.get('trajectory_id')!r}"
            raise DataError("wrong task", [place.finding("id_differs", detail)])
        return RawTask(record, place)

    def bases(self, task_id: str) -> tuple[Path, ...]:
        """Return the JSON's folder, `sandbox/`, the data root."""
        return self._root / JSONS, self._root / "sandbox", self._root


class Release:
    """Opens release folders."""

    order = 20

    def accepts(self, location: str) -> bool:
        """Whether there is a folder with published label files or task JSONs."""
        root = Path(location)
        return root.is_dir() and ((root / JSONS).is_dir() or bool(_label_paths(root)))

    def open(self, location: str, labels: Path | None) -> Bench:
        """Open the folder; without any label file every JSON is a task of one split, `all`."""
        root = Path(location).absolute()
        manifest = _read_manifest(root)
        paths = [labels.absolute()] if labels else _label_paths(root, manifest)
        present = {path.stem for path in (root / JSONS).glob("*.json")}
        if not present:
            raise DataError(f"{location} has label files but no task under {JSONS}; is the download complete?")
        files, torn = _one_split_each([scan_labels(path) for path in paths])
        form = manifest.form or form_of({file.split for file in files}, FOUND)
        splits = {file.split: [label.trajectory_id for label in file.labels] for file in files}
        splits = splits or {WHOLE: sorted(present)}
        warnings = [*_label_warnings(files), *_absent(splits, present), *_count_warnings(splits, form, manifest)]
        kept = {name: tuple(task_id for task_id in splits[name] if task_id in present) for name in in_order(splits)}
        labelled = [task_id for ids in kept.values() for task_id in ids]
        task_files = _TaskFolder(root, [*labelled, *sorted(present.difference(labelled))])
        bench = Bench(
            name=manifest.name or root.resolve().name,
            form=form,
            location=location,
            root=root,
            files=task_files,
            splits=kept,
            warnings=tuple(warnings),
            faults=(*manifest.faults, *(fault for file in files for fault in file.faults), *torn),
        )
        return bench.with_labels({file.split: file.labels for file in files}) if files else bench


def _label_paths(root: Path, manifest: _Manifest = NO_MANIFEST) -> list[Path]:
    found = {path.stem: path for path in root.glob("AgentHorizon*.jsonl") if path.stem in LABEL_FILES}
    published = [found[stem] for stem in LABEL_FILES if stem in found]
    named = [root / f"{name}.jsonl" for name in manifest.sizes if is_safe_id(name)]
    return published + [path for path in named if path.is_file() and path not in published]


def _read_manifest(root: Path) -> _Manifest:
    """Read manifest.json where there is one; released folders have none."""
    path = root / MANIFEST
    if not path.exists():
        return NO_MANIFEST
    try:
        value = parse_json(read_regular(path))
        sizes = {str(name): int(split["tasks"]) for name, split in value["splits"].items()}
        return _Manifest(str(value.get("name") or ""), str(value.get("form") or ""), sizes)
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        detail = f"expected an object with splits, each with its number of tasks: {error}"
        return NO_MANIFEST._replace(faults=(Finding("bad_manifest", MANIFEST, detail=detail),))


def _one_split_each(files: Sequence[LabelFile]) -> tuple[list[LabelFile], list[Finding]]:
    """Leave out the labels of tasks that a file before has labelled, with a fault each."""
    home: dict[str, str] = {}
    faults: list[Finding] = []
    kept = []
    for file in files:
        again = {label.trajectory_id for label in file.labels} & home.keys()
        details = [f"{task_id} stands in {home[task_id]} too; a task belongs to one split" for task_id in sorted(again)]
        faults += [Finding("duplicate_label", file.split, detail=detail) for detail in details]
        labels = tuple(label for label in file.labels if label.trajectory_id not in again)
        home |= {label.trajectory_id: file.split for label in labels}
        kept.append(file._replace(labels=labels))
    return kept, faults


def _label_warnings(files: Sequence[LabelFile]) -> list[Finding]:
    return [warning for file in files for warning in file.warnings]


def _absent(splits: Mapping[str, Sequence[str]], present: set[str]) -> list[Finding]:
    labelled = {task_id for ids in splits.values() for task_id in ids}
    gone = [task_id for ids in splits.values() for task_id in ids if task_id not in present]
    warnings = [Finding("label_without_task", f"{JSONS}/{task_id}.json") for task_id in gone]
    return warnings + [
        Finding("task_without_label", f"{JSONS}/{task_id}.json") for task_id in sorted(present - labelled)
    ]


def _count_warnings(splits: Mapping[str, Sequence[str]], form: str, manifest: _Manifest) -> list[Finding]:
    stated = manifest.sizes or SIZES.get(form, {})
    whose = "its manifest" if manifest.sizes else "the published manifest"
    return [
        Finding("split_size", name, detail=f"{len(splits.get(name, ()))} tasks, {size} in {whose}")
        for name, size in stated.items()
        if len(splits.get(name, ())) != size and (name in splits or manifest.sizes)
    ]
