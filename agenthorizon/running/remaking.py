"""Makes the judge and opens the data of a run again, from what its config.json says."""

import importlib
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.errors import AgentHorizonError, UsageError
from agenthorizon.judge import Judge
from agenthorizon.plugins import look_beside_command
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.store import Run
from agenthorizon.source import load


def remade_judge(run: Run) -> NamedJudge:
    """Return the judge of a run, bound to its folder. Raises UsageError when it cannot be made here."""
    described = run.config["judge"]
    module, _, name = str(described.get("class", "")).partition(":")
    remake = run.config.get("remake", {})
    look_beside_command()
    try:
        cls = getattr(importlib.import_module(module), name)
        judge = cls(**_settings(run, cls))
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        raise UsageError(f"{run.folder}: its judge {module}:{name} cannot be made here: {error}") from error
    given = {} if isinstance(judge, Judge) else remake.get("settings", {})
    return NamedJudge(str(remake.get("name", described["name"])), judge, run.folder, given)


def reopened_data(run: Run) -> Bench:
    """Open the data set of a run. Raises UsageError when it is not where it was."""
    location = str(run.config.get("location", ""))
    try:
        return load(location)
    except AgentHorizonError as error:
        raise UsageError(f"{run.folder}: its data {location!r} cannot be opened: {error}") from error


def _settings(run: Run, cls: Any) -> dict[str, Any]:
    """Return what to make a judge with: its recorded settings, of a plain class only what a judge file gave it."""
    unrecorded = run.config.get("remake", {}).get("settings", {})
    if not (isinstance(cls, type) and issubclass(cls, Judge)):
        return dict(unrecorded)
    settings = {**run.config["judge"].get("settings", {}), **unrecorded}
    return settings | ({"prices": run.config["prices"]} if settings and run.config.get("prices") else {})
