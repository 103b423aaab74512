"""A cache of one's own, and screenshots that were recorded long ago."""

from pathlib import Path

import pytest


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files count as settled at once, as those of a recorded data set are."""
    monkeypatch.setattr("agenthorizon.evidence.recorded_file._SETTLED", -60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where pictures are kept."""
    return tmp_path / "cache" / "images"
