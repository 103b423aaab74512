"""Record the desktop data set, or parts of it, and write it.

    python scripts/record_desktop record KEPT [--pair NAME …] [--home DIR]    play scenarios and keep what passes
    python scripts/record_desktop write KEPT data/desktop                     write the set from all that was kept
    python scripts/record_desktop table data/desktop                          the table of pairs, as in docs/desktop.md

Needs Linux with the packages that docs/desktop.md lists. Programs see HOME as the home folder, which is emptied; it is
shown on the screen, hence its neutral name.
"""

import argparse
import json
import sys
from pathlib import Path

from display import DisplayMissing
from recording import ArtefactMissing, read, record
from release import write
from scenario import Scenario
from scenarios import all_scenarios
from screen import Unsettled
from table import table
from windows import WindowMissing

HOME = Path("/home/alex")
ATTEMPTS = 3


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(prog="record_desktop", description="Record the desktop data set, and write it.")
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="play scenarios and keep what passes its check")
    recording.add_argument("kept", type=Path, help="folder for recordings, one a pair and side")
    recording.add_argument(
        "--pair", nargs="+", default=sorted(all_scenarios()), help="pairs to record; all if left out"
    )
    recording.add_argument("--home", type=Path, default=HOME, help="home folder that programs see; it is emptied")
    writing = commands.add_parser("write", help="write the data set")
    writing.add_argument("kept", type=Path, help="folder of recordings")
    writing.add_argument("destination", type=Path, help="folder of the data set")
    showing = commands.add_parser("table", help="print the table of pairs")
    showing.add_argument("data", type=Path, help="folder of the data set")
    options = parser.parse_args()
    if options.command == "record":
        record_pairs(options.pair, options.home, options.kept)
    elif options.command == "write":
        scenarios = all_scenarios()
        kept = {name: {side: read(options.kept / name / side) for side in "ab"} for name in scenarios}
        write(scenarios, kept, options.kept, options.destination)
    else:
        print(table(json.loads((options.data / "manifest.json").read_text("utf-8"))), end="")


def record_pairs(names: list[str], home: Path, kept: Path) -> None:
    """Record both sides of the named pairs; exit 1 if one could not be."""
    scenarios = all_scenarios()
    if unknown := set(names) - set(scenarios):
        raise SystemExit(f"no pair {', '.join(sorted(unknown))}; there are {', '.join(sorted(scenarios))}")
    failed = [
        f"{name} {side}"
        for name in names
        for side in "ab"
        if not attempt(scenarios[name], side, home, kept / name / side)
    ]
    if failed:
        sys.exit(f"not recorded: {', '.join(failed)}")


def attempt(scenario: Scenario, side: str, home: Path, folder: Path) -> bool:
    """Record one side, anew if a busy machine made a window late or a key miss it."""
    for _ in range(ATTEMPTS):
        try:
            recording = record(scenario, side, home, folder)
        except (ArtefactMissing, DisplayMissing, Unsettled, WindowMissing) as error:
            print(f"{scenario.name} {side}: {error}", file=sys.stderr, flush=True)
        else:
            print(f"{scenario.name} {side}: {len(recording.steps)} steps, found {recording.artefact!r}", flush=True)
            return True
    return False


if __name__ == "__main__":
    main()
