"""LibreOffice Calc, alone and beside a list in Mousepad."""

import csv
from pathlib import Path
from typing import Any, ClassVar

from desk import Desk
from odf import read_cells, write_sheet
from scenario import MISUNDERSTANDING, SIDE_EFFECT, Scenario, Side

from .office import office

STOCK = (
    ("Rope", "B2", 14),
    ("Tent, two persons", "A1", 25),
    ("Lamp", "C3", 7),
    ("Camp bed", "A2", 31),
    ("Stove", "C1", 18),
    ("Water can", "B1", 42),
    ("Folding table", "A3", 9),
    ("Sleeping mat", "B3", 56),
)


class SortOrder(Scenario):
    """A table is sorted by one column, up or down."""

    name = "calc_sort_order"
    category = "Data Science"
    applications = ("LibreOffice Calc",)
    differs = "one of two neighbouring entries of the Data menu; the order of the rows in the three frames after it"
    a = Side(
        instruction="stock.ods is open in LibreOffice Calc. Sort the table by the column Pieces so that the article "
        "with the most pieces comes first, save the file in its own format and close Calc.",
        choice=2,
        artefact=[
            "Sleeping mat",
            "Water can",
            "Camp bed",
            "Tent, two persons",
            "Stove",
            "Rope",
            "Folding table",
            "Lamp",
        ],
        mistake=MISUNDERSTANDING,
        because="the right table was sorted by the right column; the direction was misread and is one command away",
    )
    b = Side(
        instruction="stock.ods is open in LibreOffice Calc. Sort the table by the column Pieces so that the article "
        "with the fewest pieces comes first, save the file in its own format and close Calc.",
        choice=1,
        artefact=[
            "Lamp",
            "Folding table",
            "Rope",
            "Stove",
            "Tent, two persons",
            "Camp bed",
            "Water can",
            "Sleeping mat",
        ],
        mistake=MISUNDERSTANDING,
        because="the right table was sorted by the right column; the direction was misread and is one command away",
    )

    def prepare(self, home: Path) -> None:
        """Write the table."""
        write_sheet(home / "Documents/stock.ods", [("Article", "Shelf", "Pieces"), *STOCK])

    def perform(self, desk: Desk, choice: int) -> None:
        """Put the cursor into the column, sort by menu, save, quit."""
        desk.open([*office(desk), "--calc", "Documents/stock.ods"], "stock.ods")
        hands = desk.hands
        hands.click(225, 225)
        hands.press("down")
        hands.hotkey("ctrl", "home")
        hands.press("right")
        hands.press("right")
        hands.hotkey("alt", "d")
        for _ in range(choice):
            hands.press("down")
        hands.press("enter")
        hands.press("home")
        hands.hotkey("ctrl", "s")
        hands.hotkey("ctrl", "q")
        hands.expect_gone("LibreOffice")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read the articles in the order of the saved table."""
        return [row[0] for row in read_cells(home / "Documents/stock.ods")[1:]]


class Separator(Scenario):
    """A small table is exported as CSV with one separator or another."""

    name = "calc_csv_separator"
    category = "Data Science"
    applications = ("LibreOffice Calc",)
    differs = "the field delimiter chosen in the export dialog: seen in one frame"
    a = Side(
        instruction="stock.ods is open in LibreOffice Calc. Correct the pieces of the first article to 15, then save "
        "the sheet in Documents as a CSV file named stock_list whose fields are separated by semicolons, and close "
        "Calc.",
        choice=1,
        artefact={"separator": ";", "first": ["Rope", "B2", "15"]},
        mistake=MISUNDERSTANDING,
        because="the sheet was corrected and exported; one setting of the format was misread",
    )
    b = Side(
        instruction="stock.ods is open in LibreOffice Calc. Correct the pieces of the first article to 15, then save "
        "the sheet in Documents as a CSV file named stock_list whose fields are separated by colons, and close Calc.",
        choice=2,
        artefact={"separator": ":", "first": ["Rope", "B2", "15"]},
        mistake=MISUNDERSTANDING,
        because="the sheet was corrected and exported; one setting of the format was misread",
    )

    def prepare(self, home: Path) -> None:
        """Write the table."""
        write_sheet(home / "Documents/stock.ods", [("Article", "Shelf", "Pieces"), *STOCK])

    def perform(self, desk: Desk, choice: int) -> None:
        """Correct the cell, save as CSV, choose the delimiter."""
        desk.open([*office(desk), "--calc", "Documents/stock.ods"], "stock.ods")
        hands = desk.hands
        hands.click(225, 212)
        hands.type("15")
        hands.press("enter")
        save_as_csv(desk, "stock_list")
        hands.press("tab")
        for _ in range(choice):
            hands.press("down")
        hands.press("enter")
        hands.expect_gone("Export Text File")
        hands.hotkey("ctrl", "q")
        hands.expect_gone("LibreOffice")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read the separator and the first row."""
        head, first, *_ = (home / "Documents/stock_list.csv").read_text("utf-8").splitlines()
        separator = head.removeprefix("Article")[0]
        return {"separator": separator, "first": first.split(separator)}


def save_as_csv(desk: Desk, name: str) -> None:
    """Go from Save As to the dialog that asks how the text file is to be written."""
    hands = desk.hands
    hands.hotkey("ctrl", "shift", "s")
    hands.expect("Save")
    hands.hotkey("ctrl", "a")
    hands.type(f"{name}.csv")
    hands.press("enter")
    hands.expect("Confirm File Format")
    hands.press("enter")
    hands.expect("Export Text File")


class Orders(Scenario):
    """A list of orders is typed into a sheet, the cancelled one left out or not."""

    name = "calc_orders"
    category = "Productivity"
    applications = ("Mousepad", "LibreOffice Calc")
    differs = "one of fourteen orders, a cancelled one, is entered or passed over"
    head: ClassVar[tuple[str, ...]] = ("Number", "Customer", "Amount")
    orders: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("2041", "Hult Bakery", "320"),
        ("2042", "Amsel Books", "118"),
        ("2043", "Vries Florists", "96"),
        ("2044", "Nord Cinema", "410"),
        ("2045", "Peralta Tools", "267"),
        ("2046", "Quist Pharmacy", "154"),
        ("2047", "Ember Theatre", "305"),
        ("2048", "Lindqvist Joinery", "275"),
        ("2049", "Okoro Travel", "189"),
        ("2050", "Sato Pianos", "640"),
        ("2051", "Fenn Cycles", "233"),
        ("2052", "Rossi Caterers", "512"),
        ("2053", "Wolff Opticians", "147"),
        ("2054", "Zander Garage", "378"),
    )
    cancelled: ClassVar[str] = "2048"
    a = Side(
        instruction="orders.txt, open in Mousepad, lists the orders of May. Enter number, customer and amount of every "
        "order that was not cancelled into the empty sheet may.ods, open in LibreOffice Calc, under the headings "
        "Number, Customer and Amount, save it in Documents as a CSV file named may_orders and close Calc.",
        choice=False,
        artefact={"orders": 13, "cancelled": False},
        mistake=SIDE_EFFECT,
        because="a row that must not be in the sheet is there and has to be deleted",
    )
    b = Side(
        instruction="orders.txt, open in Mousepad, lists the orders of May. Enter number, customer and amount of every "
        "order, the cancelled one too, into the empty sheet may.ods, open in LibreOffice Calc, under the headings "
        "Number, Customer and Amount, save it in Documents as a CSV file named may_orders and close Calc.",
        choice=True,
        artefact={"orders": 14, "cancelled": True},
        mistake=MISUNDERSTANDING,
        because="the sheet is there and right but for one row, which is quickly added",
    )

    def prepare(self, home: Path) -> None:
        """Write the list and an empty sheet."""
        rows = (self._lines(*order) for order in self.orders)
        (home / "Documents/orders.txt").write_text("Orders of May\n\n" + "\n".join(rows), "utf-8")
        write_sheet(home / "Documents/may.ods", [])

    def _lines(self, number: str, customer: str, amount: str) -> str:
        note = "   CANCELLED" if number == self.cancelled else ""
        return f"{number}  {customer}\n      {amount}.00{note}\n"

    def perform(self, desk: Desk, choice: bool) -> None:
        """Type row after row, reading on in the list half way."""
        desk.open(["mousepad", "Documents/orders.txt"], "Mousepad", (0, 0, 400, 560))
        desk.open([*office(desk), "--calc", "Documents/may.ods"], "may.ods", (404, 0, 872, 770))
        hands = desk.hands
        hands.click(480, 198)
        hands.hotkey("ctrl", "home")
        for row in (self.head, *self.orders):
            if row[0] == "2047":
                hands.scroll(200, 400, "down", 6)
            if row[0] == self.cancelled and not choice:
                continue
            for value, key in zip(row, ("tab", "tab", "enter"), strict=True):
                hands.type(value)
                hands.press(key)
        save_as_csv(desk, "may_orders")
        hands.press("enter")
        hands.expect_gone("Export Text File")
        hands.hotkey("ctrl", "q")
        hands.expect_gone("LibreOffice")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Count the orders in the file, if each is as in the list."""
        with (home / "Documents/may_orders.csv").open(encoding="utf-8", newline="") as file:
            head, *rows = (tuple(row) for row in csv.reader(file))
        if head != self.head or not set(rows) <= set(self.orders):
            return {"wrong": [head, *rows]}
        return {"orders": len(rows), "cancelled": any(row[0] == self.cancelled for row in rows)}


SCENARIOS = (SortOrder, Separator, Orders)
