"""`agenthorizon reread`: kept replies, the present reader, no request."""

import json

import typer

from agenthorizon.cli.options import AsJson, Runs


def reread(
    runs: Runs,
    as_json: AsJson = False,
) -> None:
    """Read every kept reply anew, paying nothing. What is read otherwise now is appended; nothing is overwritten.

    \b
    Examples:
      agenthorizon reread runs/*
    """
    from collections import Counter

    from agenthorizon.running.rereading import reread as read_anew

    results = []
    for folder in runs:
        found = read_anew(folder)
        changes = Counter(f"{before.status} → {after.status}" for before, after in found.changed)
        results.append({"run": str(folder), "replies": found.replies, "without": found.without, "changed": changes})
        gone = f", {found.without} replies are gone" if found.without else ""
        how = "".join(f", {change} ×{count}" for change, count in changes.items())
        if not as_json:
            typer.echo(f"{folder}: {found.replies} replies read anew, {len(found.changed)} read otherwise{how}{gone}")
    if as_json:
        typer.echo(json.dumps({"runs": results}, indent=1, ensure_ascii=False))
