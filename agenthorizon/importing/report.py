"""What an import did: how much was taken, what stayed outside the schema, what was missing or could not be read."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from agenthorizon.errors import Finding
from agenthorizon.importer import ImportedStep, Recording
from agenthorizon.importing.keys import is_known_key

LOST = frozenset({"unreadable_file", "unreadable_line", "no_instruction", "no_steps"})
"""Notes that say that something of the source is not in the data set."""


@dataclass
class ImportReport:
    """The counts of one import."""

    format: str
    recordings: int = 0
    steps: int = 0
    actions: int = 0
    """Steps that are an action of the source; the others only carry a picture."""
    screenshots: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    """Pictures that the source has a place for but does not hold, by reason."""
    unmapped: Counter[str] = field(default_factory=Counter)
    """Actions kept outside the schema, by type; of a known type, with what is amiss."""
    unknown_keys: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    @property
    def lost(self) -> list[Finding]:
        """What could not be taken over at all."""
        return [finding for finding in self.findings if finding.code in LOST]

    def count(self, recording: Recording) -> None:
        """Add a recording that was written."""
        self.recordings += 1
        if recording.answer:
            self.labels[recording.answer.label] += 1
        for step in recording.steps:
            self._count_step(step)

    def _count_step(self, step: ImportedStep) -> None:
        self.steps += 1
        self.actions += step.original is not None
        if step.frame:
            self.screenshots += step.frame.fault is None
            if step.frame.fault:
                self.missing[step.frame.fault] += 1
        if not step.is_mapped:
            self.unmapped[_kind(step)] += 1
        keys = step.action.parameters.get("keys")
        names = keys if isinstance(keys, list) else [step.action.parameters.get("key")]
        self.unknown_keys.update(name for name in names if isinstance(name, str) and not is_known_key(name))

    def as_json(self) -> dict[str, Any]:
        """Return the counts for machines, notes included."""
        counters = ("missing", "unmapped", "unknown_keys", "labels")
        counts = {name: getattr(self, name) for name in ("format", "recordings", "steps", "actions", "screenshots")}
        notes = [str(finding) for finding in self.findings]
        return {**counts, **{name: dict(getattr(self, name).most_common()) for name in counters}, "notes": notes}


def _kind(step: ImportedStep) -> str:
    if not step.action.is_known:
        return step.action.type
    unit = step.action.parameters.get("unit")
    return f"{step.action.type} in {unit}" if unit else f"{step.action.type} without all its parameters"
