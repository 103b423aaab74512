"""One recording: made at a desk, checked against what its scenario promises, kept in a folder."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desk import at_desk, set_up
from hands import Done
from PIL import Image
from scenario import Scenario
from screen import grab

STEPS = "steps.json"


class ArtefactMissing(RuntimeError):
    """The work looked done and left something else on disk than it should have."""


@dataclass(frozen=True)
class Recording:
    """What is kept of one recording: its steps without frames, and the folder with a frame a step."""

    folder: Path
    steps: tuple[dict[str, Any], ...]
    artefact: Any

    def frame(self, number: int) -> Path:
        """Return the file of a step's frame; the first step has number 1."""
        return self.folder / frame_name(number)


def frame_name(number: int) -> str:
    """Return the name of a step's frame."""
    return f"step_{number}.webp"


def record(scenario: Scenario, side: str, home: Path, folder: Path) -> Recording:
    """Play one side of a scenario and keep it in a folder.

    Raises ArtefactMissing when the file, row or setting is not there afterwards. Whatever went wrong, the frames up to
    then are left in `folder` to be looked at, without the list of steps that makes them a recording.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    promised = scenario.sides()[side]
    with set_up(home):
        scenario.prepare(home)
        with at_desk(home) as desk:
            try:
                scenario.perform(desk, promised.choice)
                found = _artefact(scenario, home)
                if found != promised.artefact:
                    raise ArtefactMissing(f"{scenario.name} {side}: found {found!r}, promised {promised.artefact!r}")
            except Exception:
                frames = [*(step.frame for step in desk.hands.steps), grab(desk.display.name)]
                _save_losslessly(frames, folder)
                raise
            return _keep(desk.hands.steps, found, folder)


def _artefact(scenario: Scenario, home: Path) -> Any:
    """Read what is on disk; a file that is not there, or holds something else, is no artefact."""
    try:
        return scenario.artefact(home)
    except (OSError, ValueError) as error:
        raise ArtefactMissing(f"{scenario.name}: {error}") from error


def read(folder: Path) -> Recording:
    """Read a kept recording."""
    kept = json.loads((folder / STEPS).read_text("utf-8"))
    return Recording(folder, tuple(kept["steps"]), kept["artefact"])


def _keep(steps: list[Done], artefact: Any, folder: Path) -> Recording:
    _save_losslessly([step.frame for step in steps], folder)
    rows = [{"type": step.type, "parameters": step.parameters, "timestamp_us": step.timestamp_us} for step in steps]
    text = json.dumps({"artefact": artefact, "steps": rows}, indent=1, ensure_ascii=False)
    (folder / STEPS).write_text(text + "\n", "utf-8")
    return Recording(folder, tuple(rows), artefact)


def _save_losslessly(frames: list[Image.Image], folder: Path) -> None:
    """Write frames and read them back: an encoder's setting must not cost a pixel."""
    for number, frame in enumerate(frames, 1):
        path = folder / frame_name(number)
        frame.save(path, lossless=True, quality=100, method=4)
        with Image.open(path) as kept:
            if kept.convert("RGB").tobytes() != frame.tobytes():
                raise RuntimeError(f"{path} does not decode to the frame that was taken")
