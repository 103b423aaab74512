"""What an attempt took and was shown, as far as a judge says it in a form that can be written.

A judge's own code may report anything. A figure that is none is left unknown and named in the outcome's warnings: the
verdict beside it was paid for, and stands.
"""

from dataclasses import dataclass, field
from typing import Any

from agenthorizon.judge import Reply
from agenthorizon.outcome import Telemetry
from agenthorizon.prices import Prices
from agenthorizon.running.plain_json import is_json, json_safe
from agenthorizon.usage import KINDS, Usage, token_count

_MOST_COUNT = 2**63
"""No attempt makes as many requests; a larger number is none."""


@dataclass
class Measured:
    """Reads the figures of one reply, and notes those that are none."""

    warnings: list[str] = field(default_factory=list)
    """One for each figure that was left out: `unusable_cost` and its like."""

    def telemetry(self, reply: Reply, seconds: float, prices: Prices | None, *, is_free: bool) -> Telemetry:
        """Return what a reply took; `seconds` is what was measured here, `is_free` says that no model was asked."""
        usage = self._usage(reply.usage)
        tokens = usage.by_kind
        took = seconds if reply.seconds is None else self._amount("seconds", reply.seconds)
        return Telemetry(
            seconds=None if took is None else round(took, 3),
            tokens=tokens if any(count is not None for count in tokens.values()) else None,
            requests=self._count("requests", reply.requests),
            images=self._count("images", reply.images),
            tool_calls=self._count("tool_calls", reply.tool_calls),
            answers_kept=self._count("answers_kept", reply.answers_kept),
            cost=self._cost(reply, usage, prices, is_free=is_free),
            model=self._model(reply.model),
        )

    def record(self, name: str, value: Any) -> dict[str, Any]:
        """Return what a reply adds to a record, as JSON has it; what JSON lacks is put into words."""
        if not value:
            return {}
        if isinstance(value, dict) and is_json(value):
            return value
        self._note(name)
        kept = json_safe(value)
        return kept if isinstance(kept, dict) else {}

    def _cost(self, reply: Reply, usage: Usage, prices: Prices | None, *, is_free: bool) -> float | None:
        """Return what was metered, else the tokens at the judge's prices; None where nobody knows."""
        if reply.cost is not None:
            return self._amount("cost", reply.cost)
        if is_free:
            return 0.0
        return prices.cost(usage) if prices else None

    def _usage(self, usage: Any) -> Usage:
        if not isinstance(usage, Usage):
            self._note("usage")
            return Usage()
        counts = {kind: token_count(getattr(usage, kind)) for kind in KINDS}
        if any(counts[kind] is None and getattr(usage, kind) is not None for kind in KINDS):
            self._note("usage")
        return Usage(**counts)

    def _amount(self, name: str, value: Any) -> float | None:
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and 0 <= value < _MOST_COUNT:
            return float(value)
        self._note(name)
        return None

    def _count(self, name: str, value: Any) -> int | None:
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_COUNT):
            return value
        self._note(name)
        return None

    def _model(self, value: Any) -> str | None:
        if value is None or isinstance(value, str):
            return value
        self._note("model")
        return None

    def _note(self, name: str) -> None:
        self.warnings.append(f"unusable_{name}")
