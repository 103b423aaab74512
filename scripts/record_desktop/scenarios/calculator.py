"""Galculator, clicked key by key, beside a note in Mousepad that takes the results."""

from pathlib import Path
from typing import Any, NamedTuple

from desk import Desk
from hands import Hands
from scenario import MISUNDERSTANDING, Scenario, Side

_COLUMNS = {"7": 44, "8": 126, "9": 210, "/": 292}
_ROWS = (("7", "8", "9", "/"), ("4", "5", "6", "*"), ("1", "2", "3", "-"), ("0", ".", "±", "+"))
_ROW_Y = (264, 332, 399, 465)
KEYS = {
    **{
        key: (x, y) for y, row in zip(_ROW_Y, _ROWS, strict=True) for x, key in zip(_COLUMNS.values(), row, strict=True)
    },
    "AC": (332, 144),
    "=": (376, 432),
}
"""Where the calculator's keys are when its window is at CALCULATOR, in pixels."""
CALCULATOR = (0, 0, 420, 480)
NOTE = (430, 0, 846, 480)
_FIRST_LINE_Y, _LINE_PX = 60, 18
"""Where Mousepad's first line of text is in a window at the top of the screen, and how far lines are apart."""


class Club(NamedTuple):
    """What one club spent: two months, and a third amount that is added or taken off."""

    name: str
    january: str
    february: str
    last: str


CLUBS = (
    Club("Rowing", "412", "386", "57"),
    Club("Choir", "238", "291", "40"),
    Club("Chess", "95", "118", "26"),
    Club("Theatre", "670", "524", "83"),
    Club("Cycling", "347", "402", "69"),
    Club("Pottery", "156", "173", "31"),
)
SPECIAL = "Theatre"


class Sums(Scenario):
    """Six sums; in one of them the last amount is taken off, or added."""

    name = "calculator_sums"
    category = "Productivity"
    applications = ("Galculator", "Mousepad")
    differs = "one click among some ninety: plus or minus in the fourth of six sums; the results are pasted"
    a = Side(
        instruction="spending.txt, open in Mousepad, has January, February and a third amount for each of six clubs. "
        "For every club work out January plus February minus the third amount with Galculator, copy the result and "
        "paste it at the end of the club's line. Save the file and close Mousepad.",
        choice="-",
        artefact=[741, 489, 187, 1111, 680, 298],
        mistake=MISUNDERSTANDING,
        because="five of six results are right and one figure has to be typed again",
    )
    b = Side(
        instruction="spending.txt, open in Mousepad, has January, February and a third amount for each of six clubs. "
        "For every club work out January plus February minus the third amount with Galculator (for the theatre club, "
        "whose third amount is a late bill, plus it), copy the result and paste it at the end of the club's line. Save "
        "the file and close Mousepad.",
        choice="+",
        artefact=[741, 489, 187, 1277, 680, 298],
        mistake=MISUNDERSTANDING,
        because="five of six results are right and one figure has to be typed again",
    )

    def prepare(self, home: Path) -> None:
        """Write the note, every line ready to take a result."""
        rows = (f"{club.name:<9}{club.january:>5}{club.february:>5}{club.last:>5}   total " for club in CLUBS)
        (home / "Documents/spending.txt").write_text("Spending by club\n\n" + "\n".join(rows) + "\n", "utf-8")

    def perform(self, desk: Desk, choice: str) -> None:
        """Click each sum, copy what the display shows, paste it into the club's line."""
        desk.open(["mousepad", "Documents/spending.txt"], "Mousepad", NOTE)
        desk.open(["galculator"], "galculator", CALCULATOR)
        hands = desk.hands
        for number, club in enumerate(CLUBS):
            sign = choice if club.name == SPECIAL else "-"
            self._work_out(hands, ["AC", *club.january, "+", *club.february, sign, *club.last, "="])
            hands.hotkey("ctrl", "c")
            hands.click(1150, _FIRST_LINE_Y + (number + 2) * _LINE_PX)
            hands.hotkey("ctrl", "v")
        hands.hotkey("ctrl", "s")
        hands.hotkey("ctrl", "q")
        hands.expect_gone("Mousepad")
        hands.close_with_a_look()

    def _work_out(self, hands: Hands, keys: list[str]) -> None:
        for key in keys:
            hands.click(*KEYS[key])

    def artefact(self, home: Path) -> Any:
        """Read the six results."""
        lines = (home / "Documents/spending.txt").read_text("utf-8").splitlines()
        return [int(line.split("total")[1]) for line in lines if "total" in line]


SCENARIOS = (Sums,)
