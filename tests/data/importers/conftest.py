"""What the importers' tests share: converting a source in one line, and pictures to write samples with."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

import agenthorizon as ah
from agenthorizon.importing.convert import convert
from agenthorizon.importing.report import ImportReport
from agenthorizon.importing.writer import Settings


@dataclass(frozen=True)
class Imported:
    """An imported data set and the account of its import."""

    folder: Path
    report: ImportReport

    def lines(self, name):
        path = self.folder / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def records(self):
        """Recording key → record."""
        keys = {line["trajectory_id"]: line["recording"] for line in self.lines("sources")}
        return {keys[record["trajectory_id"]]: record for record in self.lines("trajectories")}

    @property
    def labels(self):
        """Recording key → label."""
        keys = {line["trajectory_id"]: line["recording"] for line in self.lines("sources")}
        return {keys[line["trajectory_id"]]: line["label"] for line in self.lines("labels")}

    @property
    def kept(self):
        """Recording key → what was kept apart."""
        return {line["recording"]: line["kept"] for line in self.lines("sources")}

    def actions(self, key):
        """Type and parameters of every step."""
        return [(step["action"]["type"], step["action"]["parameters"]) for step in self.records[key]["steps"]]

    def pictures(self, key):
        """Bytes of every step's picture; None where none was taken, "missing" where the file is not there."""
        paths = [step["screenshot"] and self.folder / step["screenshot"] for step in self.records[key]["steps"]]
        return [path and (path.read_bytes() if path.exists() else "missing") for path in paths]


@pytest.fixture
def imported(tmp_path):
    """Convert sources and open what came out: loads, and every record is sound."""

    def do(form, *sources, instructions=None, name=None):
        out = tmp_path / "imported" / (name or form)
        report = convert([Path(source) for source in sources], out, Settings(form, "1", instructions or {}))
        if report.recordings:
            ah.load(out).check()  # raises DataError for any fault
        return Imported(out, report)

    return do


@pytest.fixture
def native(recorded):
    """Folder of untouched samples in other projects' own formats."""
    return recorded / "native"


@pytest.fixture
def picture():
    """Write a picture of one colour, of which no two are the same."""

    def do(path, shade, size=(200, 100)):
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", size, (shade, 0, 255 - shade)).save(path)
        return path.read_bytes()

    return do
