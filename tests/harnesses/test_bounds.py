"""A model that never stops, hangs, refuses without end or dies in mid-stream, before the real CLIs.

The first task meets such a model and ends within its limits, with the right class; the second meets a good one.
"""

import pytest

from agenthorizon.isolation.processes import GRACE
from agenthorizon.scripted.acting import Script

pytestmark = pytest.mark.outside

CLIS = ("codex", "claude_code", "gemini_cli", "opencode")
SECONDS = 60
LIMITS = {
    "loop": {"requests": 8},
    "hang": {"idle": 20},
    "busy": {"seconds": 25},
    "cut": {},
}
ENDINGS = {"loop": {"turn_limit"}, "hang": {"timeout"}, "busy": {"rate_limited"}, "cut": {"cut", None}}
"""Classes of the failure; None is a verdict: some CLIs ask again without a stream, and get their answer."""


@pytest.mark.parametrize("scenario", LIMITS)
@pytest.mark.parametrize("name", CLIS)
def test_a_task_ends_within_its_limits_and_the_others_go_on(name, scenario, ask, scripted):
    scripted.script = Script(scenario)

    def becomes_good(outcome):
        scripted.script = Script()

    limits = {"seconds": SECONDS} | LIMITS[scenario]
    first, second = ask(name, tasks=2, workers=1, wrote=becomes_good, **limits)
    assert (first.error and first.error.kind) in ENDINGS[scenario]
    assert (first.verdict is None) == (first.error is not None)
    assert second.verdict is not None
    assert first.telemetry.seconds < SECONDS + 2 * GRACE
    assert first.telemetry.requests <= LIMITS[scenario].get("requests", 100)
