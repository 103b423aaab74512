"""Where the run of a judge stands, by what it would be asked, and what stands there already."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from agenthorizon.dataset.bench import Bench
from agenthorizon.outcome import Outcome
from agenthorizon.running.config import describe, folder_name
from agenthorizon.running.config_file import CONFIG
from agenthorizon.running.named_judges import NamedJudge
from agenthorizon.running.options import Options
from agenthorizon.running.store import read_run


def run_path(bench: Bench, named: NamedJudge, options: Options) -> Path:
    """Return the folder that a judge's run has."""
    return path_of(describe(bench, named.judge, named.name, options.reask, options.ablation), named, options)


def path_of(config: Mapping[str, Any], named: NamedJudge, options: Options) -> Path:
    """Return the folder of a judge's run that has this configuration."""
    part = "" if options.shard is None else f".{options.shard[0]}of{options.shard[1]}"
    return named.folder or options.out / f"{folder_name(config)}{part}"


def standing(bench: Bench, judges: Iterable[NamedJudge], options: Options) -> Iterator[Outcome]:
    """Yield the outcomes that count of runs made before; their folders are read, not opened."""
    for named in judges:
        folder = run_path(bench, named, options)
        if (folder / CONFIG).is_file():
            yield from read_run(folder).latest.values()
