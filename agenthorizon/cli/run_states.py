"""What a run folder holds, for people: its state, and which of its lines are no outcomes."""

import shlex
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import typer

from agenthorizon.cli import printable, shortened
from agenthorizon.cli.findings import summed
from agenthorizon.cli.money import dollars

if TYPE_CHECKING:
    from agenthorizon.running.run_state import RunState
    from agenthorizon.running.sharing import Saving
    from agenthorizon.running.store import Run

SHOWN = 2
"""Messages of one class that are printed."""


def warn_of(runs: Iterable["Run"]) -> None:
    """Say on stderr which lines of runs are no outcomes, summed by kind."""
    for run in runs:
        for line in summed(run.warnings):
            typer.echo(f"{run.folder}: {line}", err=True)


def state_text(state: "RunState") -> str:
    """Return the state of a run for people."""
    never = state.open - sum(state.passing.values())
    lines = [
        f"{state.folder}: {state.judge} on {state.data}",
        f"  asked for {_asked(state)}: {state.settled} settled, {state.open} open",
        f"  {state.verdicts} verdicts, {state.malformed} malformed",
        *_failed(state),
        *_passing(state),
        *([f"  not asked yet: {never}"] if never else []),
        *_strangers(state),
        f"  {state.attempts} attempts, {_money(state)}",
        *_broken_off(state),
        *_kept(state),
        *_cached(state.saving),
    ]
    return printable("\n".join(lines))


def _asked(state: "RunState") -> str:
    """Say how much a run was asked for; with the number of verdicts where some tasks were asked oftener than others."""
    if state.repeats == 1:
        return f"{state.tasks} tasks"
    if state.wanted == state.tasks * state.repeats:
        return f"{state.tasks} tasks × {state.repeats}"
    return f"{state.wanted} verdicts on {state.tasks} tasks (some in {state.repeats} repeats, others in fewer)"


def _money(state: "RunState") -> str:
    unknown = state.spent.unknown
    if not unknown:
        return dollars(state.spent.dollars)
    if unknown == state.attempts:
        return "cost unknown"
    return f"at least {dollars(state.spent.dollars)}: the cost of {unknown} attempts is unknown"


def _failed(state: "RunState") -> list[str]:
    if not state.failed:
        return []
    classes = " ".join(f"--class {kind}" for kind in state.failed)
    again = f"    ask again: agenthorizon rerun {shlex.quote(state.folder)} {classes}"
    return [f"  failed for good: {_classes(state.failed)}", *_said(state, state.failed), again]


def _passing(state: "RunState") -> list[str]:
    if not state.passing:
        return []
    again = "    ask again: the command that made the run, or a wider one, goes on with them"
    return [f"  failed in passing: {_classes(state.passing)}", *_said(state, state.passing), again]


def _said(state: "RunState", classes: Collection[str]) -> list[str]:
    """Return the most frequent messages of each class."""
    lines = []
    for kind in classes:
        said = [each for each in state.messages if each.kind == kind and each.message.strip()]
        lines += [f"    {kind} ×{each.count}: {shortened(each.message)}" for each in said[:SHOWN]]
        if rest := sum(each.count for each in said[SHOWN:]):
            lines.append(f"    {kind} ×{rest}: other messages")
    return lines


def _broken_off(state: "RunState") -> list[str]:
    """Say that there is more to pay than the attempts before cost."""
    found = state.broken_off
    if not found.attempts:
        return []
    whose = f"{found.requests} requests that {found.attempts} attempts, in hand or broken off, have paid for"
    return [f"  not counted yet: {whose}; the outcomes of these tasks will"]


def _kept(state: "RunState") -> list[str]:
    """Say that the cost hangs on what was asked before."""
    if not state.answers_kept:
        return []
    return [f"  {state.answers_kept} answers were kept and found again: paid for once, by this run or an earlier one"]


def _cached(saving: "Saving") -> list[str]:
    """Say what a server's cache saved, and what it could have on this data."""
    if not saving.input or not (saving.cached or saving.shareable):
        return []
    money = "" if saving.dollars is None else f", {dollars(saving.dollars)} saved"
    share, most = (f"{100 * tokens / saving.input:.0f} %" for tokens in (saving.cached, saving.shareable))
    return [f"  {share} of {saving.input:,} input tokens from the server's cache{money}; at most {most} were shared"]


def _strangers(state: "RunState") -> list[str]:
    if not state.strangers:
        return []
    more = f" and {len(state.strangers) - SHOWN} more" if len(state.strangers) > SHOWN else ""
    return [f"  not counted, as never asked for: {', '.join(state.strangers[:SHOWN])}{more}"]


def _classes(classes: dict[str, int]) -> str:
    return ", ".join(f"{kind} ×{count}" for kind, count in classes.items())
