"""AgentHorizon: how far can a judge of computer-use agents be trusted?

    import agenthorizon as ah

    bench = ah.load("demo")
    run = ah.run(bench, "always_yes", split="AH", out="runs")
    card = ah.score(run, bench.labels)
    card.balanced_accuracy.value, card.tpr.low, card.tnr.high

Names are imported when they are first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agenthorizon.api import arun, run
    from agenthorizon.case import Case, ShownStep, View
    from agenthorizon.dataset.bench import Bench
    from agenthorizon.dataset.label import Label
    from agenthorizon.errors import AgentHorizonError, DataError, JudgeFailure, MalformedVerdict, RunStopped, UsageError
    from agenthorizon.judge import Judge, Reply
    from agenthorizon.outcome import Outcome
    from agenthorizon.results.scorecards import score_run as score
    from agenthorizon.running.store import Run, read_run
    from agenthorizon.scoring.comparing import compare
    from agenthorizon.scoring.scorecard import Scorecard
    from agenthorizon.source import load
    from agenthorizon.task import Action, Step, Task, Trajectory
    from agenthorizon.usage import Usage
    from agenthorizon.verdict import Verdict, read_verdict

_HOMES = {
    "api": ("arun", "run"),
    "case": ("Case", "ShownStep", "View"),
    "dataset.bench": ("Bench",),
    "dataset.label": ("Label",),
    "errors": ("AgentHorizonError", "DataError", "JudgeFailure", "MalformedVerdict", "RunStopped", "UsageError"),
    "judge": ("Judge", "Reply"),
    "outcome": ("Outcome",),
    "running.store": ("Run", "read_run"),
    "scoring.comparing": ("compare",),
    "scoring.scorecard": ("Scorecard",),
    "source": ("load",),
    "task": ("Action", "Step", "Task", "Trajectory"),
    "usage": ("Usage",),
    "verdict": ("Verdict", "read_verdict"),
}
_PLACES = {name: (home, name) for home, names in _HOMES.items() for name in names}
_PLACES["score"] = ("results.scorecards", "score_run")
"""Public name → module and attribute."""

__all__ = [
    "Action",
    "AgentHorizonError",
    "Bench",
    "Case",
    "DataError",
    "Judge",
    "JudgeFailure",
    "Label",
    "MalformedVerdict",
    "Outcome",
    "Reply",
    "Run",
    "RunStopped",
    "Scorecard",
    "ShownStep",
    "Step",
    "Task",
    "Trajectory",
    "Usage",
    "UsageError",
    "Verdict",
    "View",
    "arun",
    "compare",
    "load",
    "read_run",
    "read_verdict",
    "run",
    "score",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'agenthorizon' has no attribute {name!r}")
    home, attribute = _PLACES[name]
    return getattr(importlib.import_module(f"agenthorizon.{home}"), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
