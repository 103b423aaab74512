"""Prints what a run would ask and cost: the `--dry-run` of `agenthorizon run`."""

from collections.abc import Sequence

from agenthorizon.bench import Bench
from agenthorizon.cli import printable
from agenthorizon.cli.display import Display
from agenthorizon.cli.money import dollars
from agenthorizon.cli.progress_bar import ProgressBar
from agenthorizon.running.forecast import Forecast, forecast
from agenthorizon.running.options import Options
from agenthorizon.running.runner import NamedJudge


def dry_run(bench: Bench, judges: Sequence[NamedJudge], ids: Sequence[str], options: Options) -> str:
    """Return what each judge would be asked, as lines. Raises DataError as a run would."""
    with ProgressBar("reading the data") as bar:
        bench.take_fingerprint(bar.at)
    with Display() as display:
        found = forecast(bench, judges, ids, options, display)
    lines = [_line(each) for each in found]
    note = "megabytes, tokens and dollars are estimates: 85 + width × height / 170 tokens a screenshot, from a sample"
    return printable("\n".join([*lines, note] if any(each.sends_requests for each in found) else lines))


def _line(found: Forecast) -> str:
    load, before = found.load, f", {found.settled} settled before" if found.settled else ""
    asked = f"{found.judge}: {load.tasks} to ask{before}, {load.screenshots:,} screenshots"
    if not found.sends_requests:
        return f"{asked}; asks no model; {found.folder}"
    size = f"{load.bytes / 1e6:,.1f} MB, {load.usage.input or 0:,} tokens in, {load.usage.output or 0:,} out"
    return f"{asked}, {size}, {dollars(found.dollars)}; {found.folder}"
