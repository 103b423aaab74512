"""What is refused before anything is asked or paid for: missing screenshots, broken records, unknown classes."""

from collections.abc import Sequence

from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.screenshots import FAULTS
from agenthorizon.errors import DataError
from agenthorizon.judging.judge_traits import traits_of
from agenthorizon.running.chosen_classes import refuse_unknown_classes
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.run_path import standing
from agenthorizon.running.sharding import shard_of
from agenthorizon.running.watching import Watcher


def checked_ids(
    bench: Bench, judges: Sequence[NamedJudge], ids: Sequence[str], options: Options, watcher: Watcher
) -> list[str]:
    """Return the tasks of the shard, once nothing stands against asking them; `watcher` is told the data's warnings.

    Raises DataError for broken records, and for missing screenshots where a judge looks at them and that is not
    allowed; UsageError for a class to be asked again that nothing can have.
    """
    part = shard_of(bench, ids, options.shard)
    _refuse_missing_pictures(bench, judges, part, options.allow_missing, watcher)
    refuse_unknown_classes("retry", options.retry, standing(bench, judges, options))
    return part


def _refuse_missing_pictures(
    bench: Bench, judges: Sequence[NamedJudge], ids: Sequence[str], allow_missing: bool, watcher: Watcher
) -> None:
    """Read every record and each screenshot's first bytes."""
    warnings = bench.check(ids)
    watcher.checked(warnings)
    missing = [warning for warning in warnings if warning.code in FAULTS]
    looking = any(traits_of(named.judge).looks_at_pictures for named in judges)
    if missing and looking and not allow_missing:
        message = f"{len(missing)} screenshots are missing; mend the data, or judge without them: --allow-missing"
        raise DataError(message, missing)
