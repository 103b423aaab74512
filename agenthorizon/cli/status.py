"""`agenthorizon status`: what run folders hold."""

import json

import typer

from agenthorizon.cli.options import AsJson, Runs


def status(
    runs: Runs,
    as_json: AsJson = False,
) -> None:
    """Say what is decided, failed, still open and spent. Reads only.

    What failures say stands with them, and what asks them again. A run may be looked at while it goes on.

    \b
    Examples:
      agenthorizon status runs/*
      agenthorizon status runs/* --json
    """
    from agenthorizon.cli.malformed_replies import advice
    from agenthorizon.cli.run_states import state_text, warn_of
    from agenthorizon.running.run_state import state_of
    from agenthorizon.running.store import read_run

    found = [read_run(folder) for folder in runs]
    warn_of(found)
    states = [state_of(run) for run in found]
    if as_json:
        typer.echo(json.dumps({"runs": [state.to_json() for state in states]}, indent=1))
        return
    for run, state in zip(found, states, strict=True):
        typer.echo(state_text(state))
        for line in advice(run.folder, run.latest.values()):
            typer.echo(f"  {line}")
