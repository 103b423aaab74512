"""Makes, checks and shows a table of coverages: one row per setting, in CSV, each from its own seed."""

import argparse
import csv
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

ROUNDS, SEED = 2000, 0


class Cell(NamedTuple):
    """One setting, as texts, and the coverages found in it."""

    setting: tuple[str, ...]
    found: tuple[float, ...]


@dataclass(frozen=True)
class Study:
    """A simulation: its settings and what measures one of them."""

    about: str
    kind: Any
    """The NamedTuple of a setting."""
    columns: tuple[str, ...]
    settings: tuple[Any, ...]
    coverage: Callable[[Any, int, int], Sequence[float]]
    """Takes a setting, the number of rounds and a seed."""
    tables: Callable[[Sequence[Cell]], Iterator[str]]

    def main(self) -> None:
        """Run the command line."""
        parser = argparse.ArgumentParser(description=self.about, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("what", choices=("make", "check", "show"))
        parser.add_argument("file", type=Path)
        parser.add_argument("--rounds", type=int, default=ROUNDS, help="of `make`")
        parser.add_argument("--processes", type=int, default=1, help="of `make`")
        parser.add_argument("--cells", type=int, default=3, help="how many settings `check` re-makes, spread evenly")
        args = parser.parse_args()
        if args.what == "make":
            self.make(args.file, args.rounds, args.processes)
        elif args.what == "check":
            self.check(args.file, args.cells)
        else:
            self.show(args.file)

    def make(self, file: Path, rounds: int, processes: int) -> None:
        """Measure every setting and write the file."""
        with ProcessPoolExecutor(processes) as pool, file.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["seed", "rounds", *self.kind._fields, *self.columns])
            measure = partial(self.coverage, rounds=rounds, seed=SEED)
            for setting, found in zip(self.settings, pool.map(measure, self.settings), strict=True):
                writer.writerow([SEED, rounds, *setting, *found])
                print(*setting, *found, file=sys.stderr, flush=True)

    def check(self, file: Path, cells: int) -> None:
        """Measure some settings again; exit 1 naming those that are not what the file says, to the last digit."""
        kept = list(zip(self.settings, _read(file, len(self.kind._fields)), strict=True))
        rounds = _rounds(file)
        stale = 0
        for setting, cell in kept[:: -(-len(kept) // cells)]:
            found = tuple(self.coverage(setting, rounds, SEED))
            same = found == cell.found and cell.setting == tuple(map(str, setting))
            stale += not same
            print(*setting, "as in the file" if same else f"{found}, in the file {cell.found}")
        sys.exit(1 if stale else 0)

    def show(self, file: Path) -> None:
        """Print the tables."""
        print(
            f"Seed {SEED}, {_rounds(file)} rounds a setting; percent: mean (least to most) over the settings of a row."
        )
        for table in self.tables(_read(file, len(self.kind._fields))):
            print(f"\n{table}")


def _read(file: Path, parts: int) -> list[Cell]:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    return [Cell(tuple(row[2 : 2 + parts]), tuple(map(float, row[2 + parts :]))) for row in rows]


def _rounds(file: Path) -> int:
    with file.open(encoding="utf-8", newline="") as lines:
        return int(next(iter(csv.DictReader(lines)))["rounds"])


def spread(title: str, heads: Sequence[str], columns: Sequence[str], cells: Iterable[Cell], by: int) -> str:
    """Return a Markdown table with a row for each value of the first `by` parts of the settings."""
    lines = [f"**{title}**", "", f"| {' | '.join((*heads, *columns))} |", "| --- " * (len(heads) + len(columns)) + "|"]
    for key, some in itertools.groupby(cells, lambda cell: cell.setting[:by]):
        found = [[100 * figure for figure in column] for column in zip(*(cell.found for cell in some), strict=True)]
        figures = [f"{mean(column):.1f} ({min(column):.1f} to {max(column):.1f})" for column in found]
        lines.append(f"| {' | '.join((*key, *figures))} |")
    return "\n".join(lines)
