"""What a command would ask and what that is thought to cost, before anything is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agenthorizon.case import Limits
from agenthorizon.dataset.bench import Bench
from agenthorizon.running.before_asking import checked_ids
from agenthorizon.running.config_file import CONFIG
from agenthorizon.running.estimate import Estimate, Workload
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.planning import Planned, unsendable
from agenthorizon.running.price_table import prices_of
from agenthorizon.running.run_path import run_path
from agenthorizon.running.store import pending, read_run
from agenthorizon.running.watching import Watcher
from agenthorizon.usage import Usage


@dataclass(frozen=True)
class Forecast:
    """What one judge would be asked. Bytes, tokens and dollars are estimates."""

    judge: str
    folder: Path
    settled: int
    """Tasks and repeats that are not asked again."""
    load: Workload
    limits: Limits
    """By which its pictures were estimated."""
    is_a_maximum: bool
    """Whether it may turn out far less."""
    may_cost: bool
    """False where the judge says that it asks no model."""
    dollars: float | None
    """None where the price is unknown."""
    unsendable: tuple[Planned, ...] = ()
    """The tasks to be asked that fit into no request."""


def forecast(
    bench: Bench, judges: Sequence[NamedJudge], ids: Sequence[str], options: Options, watcher: Watcher
) -> list[Forecast]:
    """Return what each judge would be asked now. Nothing is written.

    Raises DataError where `Runner.run` would, before anything is spent.
    """
    part = checked_ids(bench, judges, ids, options, watcher)
    return [_of(bench, named, part, options) for named in judges]


def _of(bench: Bench, named: NamedJudge, ids: Sequence[str], options: Options) -> Forecast:
    folder = run_path(bench, named, options)
    latest = read_run(folder).latest if (folder / CONFIG).is_file() else {}
    wanted = [(task_id, repeat) for repeat in range(options.repeats) for task_id in ids]
    todo = pending(latest, wanted, options.retry)
    estimate = Estimate(bench, named.judge, named.name, ids, options.ablation)
    loads = [estimate.of(task_id) for task_id, _ in todo]
    usage = Usage(sum(load.usage.input or 0 for load in loads), sum(load.usage.output or 0 for load in loads))
    total = Workload(len(todo), sum(load.screenshots for load in loads), sum(load.bytes for load in loads), usage)
    prices = prices_of(named.judge)
    free = 0.0 if not estimate.may_cost else None
    dollars = prices.cost(usage) if prices else free
    return Forecast(
        judge=named.name,
        folder=folder,
        settled=len(wanted) - len(todo),
        load=total,
        limits=estimate.limits,
        is_a_maximum=estimate.is_a_maximum,
        may_cost=estimate.may_cost,
        dollars=dollars,
        unsendable=tuple(unsendable(bench, named.judge, (task_id for task_id, _ in todo), options.ablation)),
    )
