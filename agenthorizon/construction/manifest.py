"""The manifest of a data set: what it holds, with fingerprints by which a changed copy is found out.

manifest.json: {"name": "mine", "form": "three-split", "splits": {"AH": {"tasks": 528, "positive": 227, "negative": 301,
"labels_sha256": "…"}}, "records_sha256": "…", "screenshots": {"files": 104000, "sha256": "…"}}
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agenthorizon.construction.pictures import PictureFacts
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.label import Label
from agenthorizon.dataset.splits import BUILT, form_of, label_file_name
from agenthorizon.errors import DataError, Finding
from agenthorizon.files.jsonlines import parse_json, to_json_text
from agenthorizon.files.regular_file import read_regular

NAME = "manifest.json"


def write_splits(root: Path, splits: Mapping[str, Iterable[Label]]) -> None:
    """Write each split's labels into its file, in the order given."""
    for name, labels in splits.items():
        lines = [to_json_text(label.model_dump(mode="json", exclude_unset=True)) for label in labels]
        (root / label_file_name(name)).write_text("".join(lines), "utf-8")


def write(root: Path, name: str, splits: Mapping[str, Sequence[Label]], prints: Mapping[str, Any]) -> None:
    """Write manifest.json for splits whose label files are written, with the fingerprints given."""
    entries = {
        split: split_entry(labels, (root / label_file_name(split)).read_bytes()) for split, labels in splits.items()
    }
    stated = {"name": name, "form": form_of(splits, BUILT), "splits": entries, **prints}
    (root / NAME).write_text(json.dumps(stated, indent=1) + "\n", "utf-8")


def split_entry(labels: Iterable[Label], file: bytes) -> dict[str, Any]:
    """Return what a manifest says of a split, from its labels and the bytes of their file."""
    marks = [label.is_positive for label in labels]
    return {
        "tasks": len(marks),
        "positive": sum(marks),
        "negative": len(marks) - sum(marks),
        "labels_sha256": hashlib.sha256(file).hexdigest(),
    }


def fingerprints(bench: Bench, pictures: Mapping[Path, PictureFacts]) -> dict[str, Any]:
    """Return the fingerprints of records and screenshots. Raises DataError when a record is broken.

    That of records is the data set's own (`Bench.fingerprint`), that of screenshots covers every byte of every file.
    """
    lines = sorted(f"{_relative(path, bench.root)} {facts.digest}\n" for path, facts in pictures.items())
    digest = hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    return {"records_sha256": bench.fingerprint, "screenshots": {"files": len(lines), "sha256": digest}}


def manifest_findings(bench: Bench, pictures: Mapping[Path, PictureFacts]) -> Iterator[Finding]:
    """Compare a data set with its manifest, where it has one; what the manifest does not state is not compared."""
    path = bench.root / NAME
    try:
        stated = parse_json(read_regular(path)) if path.exists() else {}
        splits = {str(name): dict(entry) for name, entry in stated.get("splits", {}).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return  # a source that reads manifests has said so
    for name, entry in splits.items():
        yield from _split_findings(bench, name, entry)
    try:
        found = fingerprints(bench, pictures) if "records_sha256" in stated or "screenshots" in stated else {}
    except DataError:
        return  # a broken record is a fault of its own
    for key, value in found.items():
        if key in stated and stated[key] != value:
            detail = f"{_short(value)} found, {_short(stated[key])} stated: files changed since it was written"
            yield Finding("fingerprint_differs", NAME, fields=(key,), detail=detail)


def _split_findings(bench: Bench, name: str, entry: Mapping[str, Any]) -> Iterator[Finding]:
    labels = bench.label_splits.splits.get(name, ()) if bench.label_splits is not None else ()
    file = bench.root / label_file_name(name)
    found = split_entry(labels, file.read_bytes() if file.is_file() else b"")
    for key in ("positive", "negative"):
        if key in entry and entry[key] != found[key]:
            yield Finding(
                "manifest_count", NAME, fields=(name, key), detail=f"{found[key]}, not the {entry[key]} stated"
            )
    if "labels_sha256" in entry and entry["labels_sha256"] != found["labels_sha256"]:
        detail = f"{file.name} changed since the manifest was written"
        yield Finding("fingerprint_differs", NAME, fields=(name, "labels_sha256"), detail=detail)


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) < 100 else f"{text[:97]}…"
