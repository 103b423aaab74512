"""The shipped data sets as the files they are, read without the product's own readers."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
SPLIT_FILES = {
    "AH": "AgentHorizon.jsonl",
    "AH-S": "AgentHorizon-Simple.jsonl",
    "AH-D": "AgentHorizon-Development.jsonl",
}

Row = dict[str, Any]


@dataclass(frozen=True)
class ShippedSet:
    """One shipped data set."""

    folder: Path

    @property
    def sandbox(self) -> Path:
        return self.folder / "sandbox"

    @property
    def attribution(self) -> str:
        return (self.folder / "ATTRIBUTION.md").read_text("utf-8")

    @cached_property
    def manifest(self) -> dict[str, Any]:
        manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text("utf-8"))
        return manifest

    @cached_property
    def splits(self) -> dict[str, list[Row]]:
        texts = {split: (self.folder / file).read_text("utf-8") for split, file in SPLIT_FILES.items()}
        return {split: [json.loads(line) for line in text.splitlines()] for split, text in texts.items()}

    @property
    def rows(self) -> list[Row]:
        return [row for rows in self.splits.values() for row in rows]

    @cached_property
    def trajectories(self) -> dict[str, dict[str, Any]]:
        """Label row's id → the record in the file of that name."""
        folder = self.sandbox / "data/jsons"
        return {
            row["trajectory_id"]: json.loads((folder / f"{row['trajectory_id']}.json").read_text("utf-8"))
            for row in self.rows
        }

    def of(self, row: Row) -> dict[str, Any]:
        return self.trajectories[row["trajectory_id"]]

    def instruction(self, row: Row) -> str:
        return str(self.of(row)["task"]["instruction"])

    def images(self, row: Row) -> list[Path]:
        return [self.sandbox / step["screenshot"] for step in self.of(row)["steps"] if step["screenshot"] is not None]

    @property
    def referenced_images(self) -> set[Path]:
        return {path.resolve() for row in self.rows for path in self.images(row)}

    @property
    def image_files(self) -> set[Path]:
        return {path for path in (self.sandbox / "data/media").rglob("*") if path.is_file()}

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture(scope="session", params=["demo", "desktop"])
def shipped(request: pytest.FixtureRequest) -> ShippedSet:
    """Each shipped data set in turn."""
    return ShippedSet(DATA / request.param)


@pytest.fixture(scope="session")
def demo_set() -> ShippedSet:
    """The demonstration set."""
    return ShippedSet(DATA / "demo")


@pytest.fixture(scope="session")
def desktop() -> ShippedSet:
    """The desktop set."""
    return ShippedSet(DATA / "desktop")
