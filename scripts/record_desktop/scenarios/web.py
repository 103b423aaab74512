"""Forms in Chromium, one of them filled from a list in Mousepad."""

from pathlib import Path
from typing import Any, NamedTuple

from desk import Desk
from scenario import MISUNDERSTANDING, SIDE_EFFECT, Scenario, Side
from website import sent, website

# The sandbox needs user namespaces, which a container may lack; `--test-type` hides the banner that says so.
BROWSER = [
    "chromium",
    "--no-sandbox",
    "--test-type",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=Translate,AutofillServerCommunication",
    "--password-store=basic",
]
KEPT = ".site.jsonl"


class Newsletter(Scenario):
    """A workshop registration with or without the newsletter."""

    name = "form_newsletter"
    category = "General"
    applications = ("Chromium",)
    differs = "one of three boxes is ticked or not: seen in the frames between the tick and sending"
    a = Side(
        instruction="On the library's registration page in Chromium register Ines Okafor (ines.okafor@example.org) for "
        "two seats in the workshop Maps and charts, with step-free access and a reminder the day before, but without "
        "the newsletter.",
        choice=False,
        artefact={"workshop": "Maps and charts", "seats": "2", "boxes": ["reminder", "step_free"]},
        mistake=SIDE_EFFECT,
        because="the registration is right, but she was also put on a mailing list that she has to get off again",
    )
    b = Side(
        instruction="On the library's registration page in Chromium register Ines Okafor (ines.okafor@example.org) for "
        "two seats in the workshop Maps and charts, with step-free access, a reminder the day before, and the "
        "newsletter.",
        choice=True,
        artefact={"workshop": "Maps and charts", "seats": "2", "boxes": ["newsletter", "reminder", "step_free"]},
        mistake=MISUNDERSTANDING,
        because="the registration is right; one wish is missing and can be added until the day before",
    )

    def prepare(self, home: Path) -> None:
        """Begin with nothing sent."""
        (home / KEPT).touch()

    def perform(self, desk: Desk, choice: bool) -> None:
        """Fill the form from top to bottom and send it."""
        with website("newsletter.html", desk.home / KEPT) as address:
            browse(desk, address, "Harbour Library")
            hands = desk.hands
            hands.click(640, 308)
            hands.type("Ines Okafor")
            hands.click(640, 394)
            hands.type("ines.okafor@example.org")
            hands.press("tab")
            hands.press("down", "down")
            hands.press("tab")
            hands.type("2")
            hands.press("tab")
            hands.press("tab")
            hands.press("space")
            hands.press("tab")
            if choice:
                hands.press("space")
            hands.press("tab")
            hands.press("space")
            hands.press("tab")
            hands.press("enter")
            hands.expect("Thank you")
            hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read the one registration that came in."""
        (form,) = sent(home / KEPT)
        boxes = sorted(form.keys() & {"newsletter", "reminder", "step_free"})
        return {"workshop": form["workshop"], "seats": form["seats"], "boxes": boxes}


def browse(desk: Desk, address: str, title: str, box: tuple[int, int, int, int] | None = None) -> None:
    """Open an address in a window without tabs, so that no port number is on screen."""
    profile = desk.home / ".chromium"
    desk.open([*BROWSER, f"--user-data-dir={profile}", f"--app={address}"], title, box)


class Line(NamedTuple):
    """One line of the order."""

    item: str
    quantity: int
    room: str


LINES = (
    Line("Toner, black", 3, "B12"),
    Line("Copy paper A4", 20, "B12"),
    Line("Envelopes C5", 4, "A03"),
    Line("Ring binders", 15, "C21"),
    Line("Whiteboard pens", 8, "C21"),
    Line("Labels 70 x 36", 6, "A03"),
    Line("Batteries AA", 24, "D07"),
    Line("Paper clips", 10, "B12"),
    Line("Desk lamp", 1, "D07"),
    Line("Wall calendar", 2, "A03"),
    Line("Rubber bands", 5, "C21"),
)


class ExpressLine(Scenario):
    """A supply order of eleven lines, one of them by express."""

    name = "order_express_line"
    category = "Productivity"
    applications = ("Mousepad", "Chromium")
    differs = "which of eleven order lines has the express box ticked: seen in one frame"
    a = Side(
        instruction="supplies.txt, open in Mousepad, lists eleven articles with quantity and room. Enter every one as "
        "a line on the order page in Chromium, in the order of the list; the ring binders, and nothing else, go by "
        "express. Then send the order.",
        choice="Ring binders",
        artefact={"lines": [list(line) for line in LINES], "express": ["Ring binders"], "sent": 1},
        mistake=SIDE_EFFECT,
        because="the sent order pays express for an article that was not in a hurry",
    )
    b = Side(
        instruction="supplies.txt, open in Mousepad, lists eleven articles with quantity and room. Enter every one as "
        "a line on the order page in Chromium, in the order of the list; the whiteboard pens, and nothing else, go by "
        "express. Then send the order.",
        choice="Whiteboard pens",
        artefact={"lines": [list(line) for line in LINES], "express": ["Whiteboard pens"], "sent": 1},
        mistake=SIDE_EFFECT,
        because="the sent order pays express for an article that was not in a hurry",
    )

    def prepare(self, home: Path) -> None:
        """Write the list; nothing is sent yet."""
        rows = (f"{line.item}\n    {line.quantity} pieces, room {line.room}\n" for line in LINES)
        (home / "Documents/supplies.txt").write_text("Supplies for May\n\n" + "\n".join(rows), "utf-8")
        (home / KEPT).touch()

    def perform(self, desk: Desk, choice: str) -> None:
        """Enter line after line, the keyboard going from field to field."""
        with website("supplies.html", desk.home / KEPT) as address:
            desk.open(["mousepad", "Documents/supplies.txt"], "Mousepad", (0, 0, 420, 420))
            browse(desk, address, "Office supplies", (424, 0, 850, 770))
            hands = desk.hands
            for number, line in enumerate(LINES):
                if number == 5:
                    hands.scroll(200, 300, "down", 5)
                hands.click(800, 195)
                hands.type(line.item)
                hands.press("tab")
                hands.type(str(line.quantity))
                hands.press("tab")
                hands.type(line.room)
                hands.press("tab")
                if line.item == choice:
                    hands.press("space")
                hands.press("enter")
                hands.expect("Office supplies")
            hands.click(520, 505)
            hands.expect("Thank you")
            hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read the lines of the order, which of them are express, and whether it was sent."""
        forms = sent(home / KEPT)
        lines = [form for form in forms if form["form"] == "line"]
        return {
            "lines": [[form["item"], int(form["quantity"]), form["room"]] for form in lines],
            "express": [form["item"] for form in lines if "express" in form],
            "sent": sum(form["form"] == "order" for form in forms),
        }


SCENARIOS = (Newsletter, ExpressLine)
