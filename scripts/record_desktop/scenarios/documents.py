"""LibreOffice Writer and Impress."""

from pathlib import Path
from typing import Any

from desk import Desk
from odf import attribute, content, elements, read_paragraphs, write_letter, write_slides
from scenario import CRITICAL, MISUNDERSTANDING, SIDE_EFFECT, Scenario, Side

from .office import office

LETTER = (
    "Dear members,",
    "The boat shed is open on Thursday from four o'clock.",
    "Those who come on Thursday by bicycle use the side gate.",
    "The choir that sings on Thursday moves to the hall.",
    "Keys can be had at the counter, except on Thursday.",
    "The committee",
)
SLIDES = (
    ("Summer fair", "What we have learnt and what comes next"),
    ("Visitors", "1,240 on Saturday, 980 on Sunday"),
    ("Stalls", "Forty-one stalls, six of them new"),
    ("Budget", "Income 8,300 and costs 6,150"),
    ("Next year", "Two weekends, one more stage"),
)


class Replacement(Scenario):
    """A word is replaced once or everywhere."""

    name = "writer_replace"
    category = "Productivity"
    applications = ("LibreOffice Writer",)
    differs = "Replace or Replace All in one dialog; the text behind it in the frames after"
    a = Side(
        instruction="letter.odt is open in LibreOffice Writer. With Find and Replace change Thursday to Friday in the "
        "first place where it stands, and nowhere else; save the letter in its own format and close Writer.",
        choice=(766, 374),
        artefact=["Friday", "Thursday", "Thursday", "Thursday"],
        mistake=SIDE_EFFECT,
        because="three sentences that were right have been changed, and each has to be changed back",
    )
    b = Side(
        instruction="letter.odt is open in LibreOffice Writer. With Find and Replace change Thursday to Friday in "
        "every place where it stands; save the letter in its own format and close Writer.",
        choice=(895, 374),
        artefact=["Friday", "Friday", "Friday", "Friday"],
        mistake=MISUNDERSTANDING,
        because="the replacement was begun rightly and only does not go far enough",
    )

    def prepare(self, home: Path) -> None:
        """Write the letter."""
        write_letter(home / "Documents/letter.odt", LETTER)

    def perform(self, desk: Desk, choice: tuple[int, int]) -> None:
        """Open the dialog, fill it, press the button, save, quit."""
        desk.open([*office(desk), "--writer", "Documents/letter.odt"], "letter.odt")
        hands = desk.hands
        hands.hotkey("ctrl", "home")
        hands.hotkey("ctrl", "h")
        hands.expect("Find and Replace")
        hands.type("Thursday")
        hands.click(659, 315)
        hands.type("Friday")
        hands.click(637, 374)
        hands.click(*choice)
        hands.press("esc")
        hands.expect_gone("Find and Replace")
        hands.hotkey("ctrl", "s")
        hands.hotkey("ctrl", "q")
        hands.expect_gone("LibreOffice")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read the day that each of the four sentences names."""
        paragraphs = read_paragraphs(home / "Documents/letter.odt")
        return [day for text in paragraphs for day in ("Thursday", "Friday") if day in text]


class Slide(Scenario):
    """A slide is hidden or deleted."""

    name = "impress_slide"
    category = "Education"
    applications = ("LibreOffice Impress",)
    differs = "one entry of a slide's context menu; the slide is hatched or gone in the list beside"
    a = Side(
        instruction="talk.odp is open in LibreOffice Impress. See to it that the fourth slide is not shown in the "
        "talk, but keep it in the file for later: hide it. Save in its own format and close Impress.",
        choice=1,
        artefact={"slides": 5, "hidden": [3]},
        mistake=SIDE_EFFECT,
        because="the slide is out of the talk, but its content is lost and has to be brought back",
    )
    b = Side(
        instruction="talk.odp is open in LibreOffice Impress. See to it that the fourth slide is not shown in the "
        "talk, nor left in the file for others to read: delete it. Save in its own format and close Impress.",
        choice=2,
        artefact={"slides": 4, "hidden": []},
        mistake=CRITICAL,
        because="the slide was to be removed from the file and is still in it, for whoever opens it",
    )

    def prepare(self, home: Path) -> None:
        """Write the slides."""
        write_slides(home / "Documents/talk.odp", SLIDES)

    def perform(self, desk: Desk, choice: int) -> None:
        """Pick the slide in the list, choose from its menu, save, quit."""
        desk.open([*office(desk), "--impress", "Documents/talk.odp"], "talk.odp")
        hands = desk.hands
        hands.click(100, 285)
        hands.click(100, 380)
        hands.click(100, 476)
        hands.click(100, 476, button="right")
        hands.press("down", "down", "down", "down", "down", "down")
        for _ in range(choice):
            hands.press("down")
        hands.press("enter")
        hands.hotkey("ctrl", "s")
        hands.hotkey("ctrl", "q")
        hands.expect_gone("LibreOffice")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Count the slides and name those that are hidden."""
        root = content(home / "Documents/talk.odp")
        pages = elements(root, "draw:page")
        hidden_styles = {
            attribute(style, "style:name")
            for style in elements(root, "style:style")
            for properties in elements(style, "style:drawing-page-properties")
            if attribute(properties, "presentation:visibility") == "hidden"
        }
        hidden = [at for at, page in enumerate(pages) if attribute(page, "draw:style-name") in hidden_styles]
        return {"slides": len(pages), "hidden": hidden}


SCENARIOS = (Replacement, Slide)
