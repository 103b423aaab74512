"""Makes the judge and opens the data of a run again, from what its config.json says."""

import importlib
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import AgentHorizonError, UsageError
from agenthorizon.judge import Judge
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.store import Run
from agenthorizon.source import load


def remade_judge(run: Run) -> NamedJudge:
    """Return the judge of a run, bound to its folder. Raises UsageError when it cannot be made here."""
    described = run.config["judge"]
    module, _, name = str(described.get("class", "")).partition(":")
    remake = run.config.get("remake", {})
    try:
        cls = getattr(importlib.import_module(module), name)
        settings = {**described.get("settings", {}), **remake.get("settings", {})} if _takes_settings(cls) else {}
        judge = cls(**settings, **({"prices": run.config["prices"]} if settings and run.config.get("prices") else {}))
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise UsageError(f"{run.folder}: its judge {module}:{name} cannot be made here: {error}") from error
    return NamedJudge(str(remake.get("name", described["name"])), judge, run.folder)


def reopened_data(run: Run) -> Bench:
    """Open the data set of a run. Raises UsageError when it is not where it was."""
    location = str(run.config.get("location", ""))
    try:
        return load(location)
    except AgentHorizonError as error:
        raise UsageError(f"{run.folder}: its data {location!r} cannot be opened: {error}") from error


def _takes_settings(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, Judge)
