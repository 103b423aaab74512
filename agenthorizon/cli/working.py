"""Runs judges with a display and Ctrl-C, as `run` and `demo` both do."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from agenthorizon.cli import DONE, SOME_FAILED
from agenthorizon.cli.display import Display
from agenthorizon.cli.interrupts import run_interruptibly
from agenthorizon.cli.progress_bar import ProgressBar
from agenthorizon.dataset.bench import Bench
from agenthorizon.dataset.splits import in_order
from agenthorizon.errors import UsageError
from agenthorizon.files.regular_file import read_regular
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.runner import Key, Runner
from agenthorizon.running.sharding import shard_of
from agenthorizon.running.store import Run
from agenthorizon.running.watching import Halt

_MOST_OF_IDS = 2**26
"""Bytes of a file of ids: more than a million of them."""


class Done(NamedTuple):
    """Finished runs and what a script should hear of them."""

    runs: list[Run]
    exit_code: int


def judge_tasks(
    bench: Bench,
    judges: Sequence[NamedJudge],
    ids: Sequence[str],
    options: Options,
    chosen: Collection[Key] | None = None,
) -> Done:
    """Run judges over tasks, or over chosen tasks and repeats.

    Raises what `Runner.run` raises, and KeyboardInterrupt.
    """
    with ProgressBar("reading the data") as bar:
        bench.take_fingerprint(bar.at, shard_of(bench, ids, options.shard))
    halt = Halt()
    with Display() as display:
        runs = run_interruptibly(Runner(bench, options, display, halt).run(judges, ids, chosen), halt)
    wanted = set(ids)
    failed = any(outcome.status == "failed" for run in runs for key, outcome in run.latest.items() if key[0] in wanted)
    return Done(runs, SOME_FAILED if failed else DONE)


def said_of_limit(bench: Bench, ids: Sequence[str], limit: int) -> str:
    """Say how many tasks a limit came to, why not fewer, and where they come from."""
    splits = ", ".join(in_order(bench.split_of(task_id) for task_id in ids))
    more = f", at least the {limit} of --limit" if len(ids) > limit else ""
    groups = len(set(map(bench.group_of, ids)))
    return f"{len(ids)} task{'s'[: len(ids) != 1]}: {groups} whole pair group{'s'[: groups != 1]}{more}, of {splits}"


def read_ids(path: Path | None) -> list[str] | None:
    """Read a file of task ids, one a line; None where none is named.

    Raises UsageError when it is no regular file, cannot be read, or holds no id.
    """
    if path is None:
        return None
    try:
        ids = read_regular(path, _MOST_OF_IDS).decode("utf-8").split()
    except OSError as error:
        raise UsageError(f"cannot read the ids in {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read the ids in {path}: {error}") from error
    if not ids:
        raise UsageError(f"{path} holds no task id; expected one a line")
    return ids
