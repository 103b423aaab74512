"""Prints what a run would ask and cost: the `--dry-run` of `agenthorizon run`."""

from collections.abc import Sequence

from agenthorizon.case import Limits
from agenthorizon.cli import printable
from agenthorizon.cli.display import Display
from agenthorizon.cli.money import dollars
from agenthorizon.cli.plan_words import said_unsendable
from agenthorizon.cli.progress_bar import ProgressBar
from agenthorizon.dataset.bench import Bench
from agenthorizon.evidence.sizes import CHARACTERS_A_TOKEN
from agenthorizon.running.forecast import Forecast, forecast
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.sharding import shard_of


def dry_run(bench: Bench, judges: Sequence[NamedJudge], ids: Sequence[str], options: Options) -> str:
    """Return what each judge would be asked, as lines. Raises DataError as a run would."""
    with ProgressBar("reading the data") as bar:
        bench.take_fingerprint(bar.at, shard_of(bench, ids, options.shard))
    with Display() as display:
        found = forecast(bench, judges, ids, options, display)
    lines = [line for each in found for line in (_line(each), *_unsendable(each))]
    asked = [each for each in found if each.may_cost]
    return printable("\n".join([*lines, _note(asked)] if asked else lines))


def _note(found: Sequence[Forecast]) -> str:
    """Say how the figures were come to; whose, where judges differ."""
    judges: dict[str, list[str]] = {}
    for each in found:
        judges.setdefault(_of_a_picture(each.limits), []).append(each.judge)
    ways = [way if len(judges) == 1 else f"{way} ({', '.join(named)})" for way, named in judges.items()]
    text = f"{CHARACTERS_A_TOKEN:g} characters a token"
    return f"megabytes, tokens and dollars are estimates from a sample: {text}, a picture {'; '.join(ways)}"


def _of_a_picture(limits: Limits) -> str:
    parts = [f"{limits.image_tokens:,g}"] if limits.image_tokens or not limits.pixels_per_token else []
    parts += [f"width × height / {limits.pixels_per_token:,g}"] if limits.pixels_per_token else []
    most = f", at most {limits.most_image_tokens:,g}" if limits.most_image_tokens else ""
    return f"{' + '.join(parts)} tokens{most}"


def _unsendable(found: Forecast) -> list[str]:
    return [f"  {line}" for line in said_unsendable(found.unsendable)]


def _line(found: Forecast) -> str:
    load, before = found.load, f", {found.settled} settled before" if found.settled else ""
    asked = f"{found.judge}: {load.tasks} to ask{before}, {load.screenshots:,} screenshots"
    if not found.may_cost:
        return f"{asked}; asks no model; {found.folder}"
    size = f"{load.bytes / 1e6:,.1f} MB, {load.usage.input or 0:,} tokens in, {load.usage.output or 0:,} out"
    most = "at most " if found.is_a_maximum else ""
    return f"{asked}, {most}{size}, {dollars(found.dollars)}; {found.folder}"
