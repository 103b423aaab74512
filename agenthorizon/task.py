"""Task, Trajectory, Step, Action: an instruction and the recording to be judged against it.

Records are immutable; fields the schema does not know are kept, so that reading and writing loses nothing.
Whether the task succeeded is not here: that is a Label (`label.py`), which nothing a judge can reach imports.
"""

import copy
import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

KNOWN_ACTIONS: dict[str, tuple[str, ...]] = {
    "click": ("x", "y", "button"),
    "type": ("text",),
    "press": ("keys",),
    "hotkey": ("keys",),
    "scroll": ("x", "y", "direction", "amount"),
    "drag": ("start_x", "start_y", "end_x", "end_y"),
    "move": ("x", "y"),
    "key_down": ("key",),
    "key_up": ("key",),
    "wait": ("duration_s",),
}
"""Action types of the trajectory schema v1.0/v1.1 and the parameters each must have."""

AS_RECORDED = "as_recorded"
"""Type given to an action that is not an object; its parameter `value` holds what was recorded."""


class Record(BaseModel):
    """A frozen record that keeps fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Action(Record):
    """What was done, in pixels of the screen (origin top left) and PyAutoGUI key names."""

    type: str
    """One of KNOWN_ACTIONS, or any other name, kept as recorded."""
    parameters: dict[str, Any] = Field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether the schema names this type."""
        return self.type in KNOWN_ACTIONS


class Step(Record):
    """A screenshot taken before an action, and that action."""

    step_id: int
    screenshot: str | None = None
    """Path or address as recorded; None or empty means the recorder took no picture."""
    action: Action | None = None
    thought: str | None = None
    """The recorder's own words; never shown to a judge."""
    action_description: str | None = None
    """The recorder's own words; never shown to a judge."""
    timestamp_us: int | float | None = None
    """Microseconds from the start of the recording."""


class Trajectory(Record):
    """The ordered steps of one recording on one desktop."""

    os: str | None = None
    """linux, windows, macos, or whatever else the recording says."""
    screen_resolution: tuple[int, int] | None = None
    """Width and height in pixels."""
    steps: tuple[Step, ...] = ()

    @property
    def recording(self) -> str:
        """What stands for the recording: a SHA-256 over the steps' screenshot paths and actions, in their order.

        Equal for tasks that show one recording, wherever its files lie: neither a folder nor a file's name says it.
        """
        steps = [(step.screenshot, step.action and step.action.model_dump(mode="json")) for step in self.steps]
        return hashlib.sha256(json.dumps(steps, sort_keys=True).encode()).hexdigest()


class Task(Record):
    """One instruction and one recording to be judged."""

    id: str
    instruction: str
    trajectory: Trajectory
    metadata: dict[str, Any] = Field(default_factory=dict)
    """Everything else of the record (applications, category, milestones …): for slices, never shown to a judge,
    since milestones and source names describe what was recorded, not what was asked."""

    def field(self, name: str) -> Any:
        """Return a metadata field by name, looked up in the record's `task` object first; None if absent."""
        nested = self.metadata.get("task")
        if isinstance(nested, dict) and name in nested:
            return nested[name]
        return self.metadata.get(name)

    @property
    def applications(self) -> tuple[str, ...]:
        """Names of the applications used, as recorded."""
        names = self.field("applications")
        return tuple(str(name) for name in names) if isinstance(names, list) else ()

    def to_record(self) -> dict[str, Any]:
        """Return the task as a JSON object of the trajectory schema."""
        record = copy.deepcopy(self.metadata)
        record["trajectory_id"] = self.id
        record["task"] = {"instruction": self.instruction, **(record.get("task") or {})}
        record["environment"] = {
            "os": self.trajectory.os,
            "screen_resolution": self.trajectory.screen_resolution and list(self.trajectory.screen_resolution),
            **(record.get("environment") or {}),
        }
        record["steps"] = [step.model_dump(mode="json", exclude_unset=True) for step in self.trajectory.steps]
        return record
