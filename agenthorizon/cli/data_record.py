"""`agenthorizon data record`: what a person does on the desktop as a recording, or two of them as a pair."""

import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer


def record(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="A new folder, or one of recordings, which is added to.")
    ],
    instruction: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="What is to be done; asked for without it. Twice for a pair."),
    ] = None,
    pair: Annotated[
        bool, typer.Option("--pair", help="Record two instructions, and build the pair's four tasks.")
    ] = False,
    application: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An application that is used; repeatable.")
    ] = None,
    pause_key: Annotated[str, typer.Option(metavar="KEY", help="Begins, pauses and goes on.")] = "ctrl+alt+shift+p",
    mark_key: Annotated[
        str, typer.Option(metavar="KEY", help="Begins and ends a moment of which no text, place or picture is kept.")
    ] = "ctrl+alt+shift+m",
    stop_key: Annotated[str, typer.Option(metavar="KEY", help="Ends the recording.")] = "ctrl+alt+shift+s",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Keep what was recorded without asking.")] = False,
) -> None:
    """Record what you do on this desktop (Linux with X11).

    Nothing is recorded before the pause key is pressed for the first time. From then on every action is kept with what
    the screen showed before it. After the stop key the steps are listed and can be looked at with their screenshots
    before anything is saved. With --pair, both recordings of an instruction pair; then the tasks of all pairs in the
    folder are built. docs/recording.md says what becomes what. Exit code 0 saved, 1 discarded, 2 cannot record, 3 the
    display went away.

    \b
    Examples:
      agenthorizon data record -o mine
      agenthorizon data record -o mine --pair --application Mousepad
      agenthorizon data record -o mine --instruction "Make the title bold" --stop-key pause
    """
    from agenthorizon.cli.record_answers import asked, checked
    from agenthorizon.cli.record_once import Recorder
    from agenthorizon.recording.controls import Control, Controls
    from agenthorizon.recording.writing import add_to, check_place
    from agenthorizon.recording.x_server import check_display

    keys: dict[Control, str] = {"pause": pause_key, "mark": mark_key, "stop": stop_key}
    Controls(keys)  # what is wrong with a key is said before anything is asked
    check_place(out)
    given = checked(instruction, pair=pair) if instruction else None
    check_display()
    instructions = given or checked(asked(pair=pair), pair=pair)
    with _draft_beside(out) as draft:
        recorder = Recorder(draft, keys, tuple(application or ()), asks=not yes)
        records = [recorder.recorded(text) for text in instructions]
        add_to(out, draft, records)
    typer.echo(str(out))
    if pair:
        build_tasks(out)


@contextmanager
def _draft_beside(out: Path) -> Iterator[Path]:
    """Give a folder that only its owner can open, and that is gone afterwards, after Ctrl-C and SIGTERM too."""

    def leave(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    # Of Ctrl-C too: whoever starts this in the background has it ignored otherwise.
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, leave) for number in ending}
    place = out.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(prefix=f".{place.name}.", suffix=".partial", dir=place.parent) as draft:
            yield Path(draft)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def build_tasks(out: Path) -> None:
    """Build the tasks of all recordings in the folder, beside those built before: nothing that was built is replaced.

    The seed is made of the first recording's id, which is random: ids stay the same as the folder grows.
    """
    from uuid import UUID

    from agenthorizon.cli.data_build import build_and_tell
    from agenthorizon.construction.building import BuildPlan
    from agenthorizon.construction.links import read_links
    from agenthorizon.recording.writing import PAIRS
    from agenthorizon.source import load

    bench = load(str(out))
    ids = bench.files.ids()
    links = read_links(out / PAIRS, set(ids))
    number = next(number for number in range(1, sys.maxsize) if not _tasks(out, number).exists())
    seed = UUID(ids[0]).int % 2**63
    build_and_tell(BuildPlan(bench, links, seed=seed, name=out.resolve().name), _tasks(out, number))


def _tasks(out: Path, number: int) -> Path:
    return out / ("tasks" if number == 1 else f"tasks-{number}")
