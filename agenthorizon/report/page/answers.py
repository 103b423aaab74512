"""What each judge said of a task, for the page: one letter in the list, everything beside the screenshots."""

from collections.abc import Mapping
from typing import Any

from agenthorizon.errors import DataError
from agenthorizon.evidence.safe_text import escape, safe_text
from agenthorizon.outcome import Outcome
from agenthorizon.running.spending import costs_by_verdict
from agenthorizon.running.store import Run, read_transcript
from agenthorizon.verdict import MISTAKE_TYPES

ACCEPTS, REJECTS, MALFORMED, FAILED, MISSING, NOT_ASKED = "ynmf-."
_LONGEST_REPLY = 20_000
"""Characters of an invalid reply; the transcript has all of it."""


class JudgeAnswers:
    """One run's answers, looked up by task."""

    def __init__(self, run: Run) -> None:
        """Take a run whose judge's name no other run on the page has."""
        self.run = run
        self.name = run.judge
        self._asked = set(run.config.get("asked", ()))
        self._latest: dict[str, dict[int, Outcome]] = {}
        for (task_id, repeat), outcome in run.latest.items():
            self._latest.setdefault(task_id, {})[repeat] = outcome
        self._costs = costs_by_verdict(run.outcomes)

    def letter(self, task_id: str) -> str:
        """Return what counts for a task as one letter."""
        outcome = self._latest.get(task_id, {}).get(0)
        return self._letter(outcome) if outcome else MISSING if task_id in self._asked else NOT_ASKED

    def named_mistake(self, task_id: str) -> str:
        """Return the place of the mistake type named, from 1, as a digit; 0 for none."""
        outcome = self._latest.get(task_id, {}).get(0)
        named = outcome.verdict.mistake_type if outcome and outcome.verdict else None
        return str(MISTAKE_TYPES.index(named) + 1) if named in MISTAKE_TYPES else "0"

    def told(self, task_id: str) -> dict[str, Any] | None:
        """Return everything an answer says, as a JSON object; None where there is none."""
        repeats = self._latest.get(task_id, {})
        outcome = repeats.get(0)
        if outcome is None:
            return None
        verdict, telemetry, error = outcome.verdict, outcome.telemetry, outcome.error
        tokens: Mapping[str, int | None] = telemetry.tokens or {}
        return {
            "letter": self._letter(outcome),
            "mistake": verdict.mistake_type if verdict else None,
            "confidence": verdict.confidence if verdict else None,
            "reasoning": safe_text(verdict.reasoning or "") if verdict else self._reply(outcome),
            "error": safe_text(f"{error.kind}: {error.message}") if error else None,
            "cost": self._costs.get((task_id, 0)),
            "seconds": telemetry.seconds,
            "input": tokens.get("input"),
            "output": tokens.get("output"),
            "images": telemetry.images,
            "calls": telemetry.tool_calls,
            "model": escape(telemetry.model) if telemetry.model else None,
            "attempt": outcome.attempt,
            "missing": len(missing) if isinstance(missing := outcome.evidence.get("missing"), list) else 0,
            "repeats": "".join(self._letter(repeats[n]) for n in sorted(repeats)) if len(repeats) > 1 else "",
        }

    def _letter(self, outcome: Outcome) -> str:
        if outcome.status == "verdict" and outcome.verdict:
            return ACCEPTS if outcome.verdict.success else REJECTS
        return FAILED if outcome.status == "failed" else MALFORMED

    def _reply(self, outcome: Outcome) -> str:
        """Return the text that was received, where no verdict could be read from it."""
        try:
            text = read_transcript(self.run.folder, outcome).get("text")
        except DataError:
            return ""
        return safe_text(text)[:_LONGEST_REPLY] if isinstance(text, str) else ""
