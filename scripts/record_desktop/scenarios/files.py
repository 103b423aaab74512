"""The file manager: PCManFM."""

from pathlib import Path
from typing import Any

from desk import Desk
from scenario import MISUNDERSTANDING, SIDE_EFFECT, Scenario, Side

FILES = ("april.txt", "february.txt", "january.txt", "march.txt", "plan.txt")
ARCHIVE, MARCH = (205, 125), (583, 125)
"""Where their icons are once the folder Archive is there, in pixels. The menu's Cut and Copy are below the pointer."""


def quiet_status_bar(home: Path) -> None:
    """Hide PCManFM's status bar, which shows how full this machine's disk is."""
    folder = home / ".config/pcmanfm/default"
    folder.mkdir(parents=True)
    (folder / "pcmanfm.conf").write_text("[ui]\nshow_statusbar=0\nalways_show_tabs=0\nsplitter_pos=150\n", "utf-8")


class CopyOrMove(Scenario):
    """A file goes into a new folder: copied, or moved."""

    name = "files_copy_or_move"
    category = "General"
    applications = ("PCManFM",)
    differs = "Copy or Cut in a context menu; the original is still there, or not, in one frame near the end"
    a = Side(
        instruction="In the file manager make a folder named Archive inside Documents and put a copy of march.txt "
        "into it; the original stays where it is. Look whether Documents is as it should be and finish with the "
        "Archive folder open.",
        choice=(MARCH[0] + 45, MARCH[1] + 69),
        artefact={"here": True, "archived": True},
        mistake=SIDE_EFFECT,
        because="the copy is there, but the original was taken away, which has to be reversed",
    )
    b = Side(
        instruction="In the file manager make a folder named Archive inside Documents and move march.txt into it, so "
        "that it is no longer in Documents itself. Look whether Documents is as it should be and finish with the "
        "Archive folder open.",
        choice=(MARCH[0] + 45, MARCH[1] + 46),
        artefact={"here": False, "archived": True},
        mistake=MISUNDERSTANDING,
        because="the file is where it should be and nothing new is in the way; deleting the original finishes it",
    )

    def prepare(self, home: Path) -> None:
        """Write the files."""
        quiet_status_bar(home)
        for name in FILES:
            (home / "Documents" / name).write_text(f"Figures of {name.removesuffix('.txt')}\n", "utf-8")

    def perform(self, desk: Desk, choice: tuple[int, int]) -> None:
        """Make the folder, take the file, open the folder, paste."""
        desk.open(["pcmanfm", str(desk.documents)], "Documents")
        hands = desk.hands
        hands.click(900, 600)
        hands.hotkey("ctrl", "shift", "n")
        hands.expect("Creating New Folder")
        hands.hotkey("ctrl", "a")
        hands.type("Archive")
        hands.press("enter")
        hands.expect_gone("Creating New Folder")
        hands.click(*MARCH, button="right")
        hands.click(*choice)
        hands.click(*ARCHIVE, times=2)
        hands.expect("Archive")
        hands.hotkey("ctrl", "v")
        hands.hotkey("alt", "up")
        hands.expect("Documents")
        hands.click(*ARCHIVE, times=2)
        hands.expect("Archive")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Look where the file is."""
        places = {"here": home / "Documents/march.txt", "archived": home / "Documents/Archive/march.txt"}
        return {name: path.is_file() for name, path in places.items()}


SCENARIOS = (CopyOrMove,)
