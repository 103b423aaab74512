"""Text editors: Mousepad and Geany."""

from pathlib import Path
from typing import Any

from desk import Desk
from scenario import MISUNDERSTANDING, Scenario, Side

NOTES = """Opening hours from June

Monday to Friday: 8:30 to 18:00
Saturday: 9:00 to 13:00
Sunday: closed

The counter closes a quarter of an hour earlier.
"""

REPORT = '''"""Counts the day's visitors and tells the office."""

from counting import read_gates, write_table
from office import archive_day, send_report


def main():
    gates = read_gates("north", "south")
    total = sum(gates.values())
    write_table(gates, total)
    send_report(total)
    archive_day()


if __name__ == "__main__":
    main()
'''


class LineEndings(Scenario):
    """A file is saved under a new name with other line endings: one entry of a menu."""

    name = "mousepad_line_endings"
    category = "Productivity"
    applications = ("Mousepad",)
    differs = "line endings CR LF or CR: the entry chosen in a menu that is open in one frame"
    a = Side(
        instruction="hours.txt is open in Mousepad. Put the line 'Bank holidays: closed' at its end, switch its line "
        "endings to the Windows kind (CR LF), save it and close the editor.",
        choice=2,
        artefact={"endings": "CR LF", "last": "Bank holidays: closed"},
        mistake=MISUNDERSTANDING,
        because="the line was added and saved; only the format is another, set anew in one menu",
    )
    b = Side(
        instruction="hours.txt is open in Mousepad. Put the line 'Bank holidays: closed' at its end, switch its line "
        "endings to the old Mac kind (CR), save it and close the editor.",
        choice=1,
        artefact={"endings": "CR", "last": "Bank holidays: closed"},
        mistake=MISUNDERSTANDING,
        because="the line was added and saved; only the format is another, set anew in one menu",
    )

    def prepare(self, home: Path) -> None:
        """Write the file with Unix line endings."""
        (home / "Documents/hours.txt").write_text(NOTES, "utf-8")

    def perform(self, desk: Desk, choice: int) -> None:
        """Add the line, choose the entry, save, quit."""
        desk.open(["mousepad", "Documents/hours.txt"], "Mousepad")
        hands = desk.hands
        hands.click(700, 420)
        hands.hotkey("ctrl", "end")
        hands.type("Bank holidays: closed")
        hands.press("enter")
        hands.hotkey("alt", "d")
        hands.press("down", "down", "down", "down")
        hands.press("right")
        for _ in range(choice):
            hands.press("down")
        hands.press("enter")
        hands.hotkey("ctrl", "s")
        hands.hotkey("ctrl", "home")
        hands.hotkey("ctrl", "q")
        hands.expect_gone("Mousepad")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read the line endings and the last line."""
        data = (home / "Documents/hours.txt").read_bytes()
        kinds = {b"\r\n": "CR LF", b"\r": "CR", b"\n": "LF"}
        kind = next(name for ending, name in kinds.items() if ending in data)
        return {"endings": kind, "last": data.decode().splitlines()[-1]}


class DisabledCall(Scenario):
    """One call of a script is taken out: as a comment, or for good."""

    name = "geany_disabled_call"
    category = "Development"
    applications = ("Geany",)
    differs = "a line commented out (Ctrl+E) or deleted (Ctrl+K)"
    a = Side(
        instruction="visitors.py is open in Geany. Comment out the call of send_report inside main(), so that it can "
        "be put back later, leave everything else as it is, save the file and close it.",
        choice="e",
        artefact="    # ~ send_report(total)",
        mistake=MISUNDERSTANDING,
        because="the call no longer runs, as wanted; how was misread, and typing one comment mends it",
    )
    b = Side(
        instruction="visitors.py is open in Geany. Delete the line inside main() that calls send_report, leave "
        "everything else as it is, save the file and close it.",
        choice="k",
        artefact=None,
        mistake=MISUNDERSTANDING,
        because="the call no longer runs, as wanted; how was misread, and deleting the comment mends it",
    )

    def prepare(self, home: Path) -> None:
        """Write the script."""
        (home / "Documents/visitors.py").write_text(REPORT, "utf-8")
        settings = home / ".config/geany"
        settings.mkdir()
        (settings / "geany.conf").write_text("[geany]\nmsgwindow_visible=false\ncheck_detect_indent=false\n", "utf-8")

    def perform(self, desk: Desk, choice: str) -> None:
        """Find the call, take it out, save, close the file."""
        desk.open(["geany", "-i", "Documents/visitors.py"], "Geany")
        hands = desk.hands
        hands.hotkey("ctrl", "l")
        hands.type("7")
        hands.press("enter")
        hands.press("down", "down")
        hands.press("down", "down")
        hands.press("end")
        hands.press("home")
        hands.hotkey("ctrl", choice)
        hands.hotkey("ctrl", "s")
        hands.hotkey("ctrl", "w")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Return the line that names the call inside main(), None when it is gone."""
        lines = (home / "Documents/visitors.py").read_text("utf-8").splitlines()
        rest = [line for line in lines if "send_report(" not in line]
        if rest != [line for line in REPORT.splitlines() if "send_report(" not in line]:
            return {"changed": rest}
        return next((line for line in lines if "send_report(" in line), None)


SCENARIOS = (LineEndings, DisabledCall)
