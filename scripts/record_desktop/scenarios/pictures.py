"""Pictures in GIMP."""

from pathlib import Path
from typing import Any

from desk import Desk
from PIL import Image, ImageDraw
from scenario import MISUNDERSTANDING, Scenario, Side

RED, YELLOW = "#b03a2e", "#f2c230"


def house() -> Image.Image:
    """Draw a house on the left and the sun above on the right."""
    picture = Image.new("RGB", (640, 420), "#d8e6ee")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((60, 250, 240, 380), fill="#8a5a32")
    draw.polygon([(40, 250), (150, 140), (260, 250)], fill=RED)
    draw.ellipse((470, 40, 560, 130), fill=YELLOW)
    draw.rectangle((0, 380, 640, 420), fill="#5c8a3c")
    return picture


class Flip(Scenario):
    """A picture is flipped and exported under another name."""

    name = "gimp_flip"
    category = "Creativity"
    applications = ("GIMP",)
    differs = "one of two neighbouring entries of a submenu; the picture in all frames after it"
    a = Side(
        instruction="house.png is open in GIMP. Flip the whole image so that left and right change places, export it "
        "to Pictures as turned.png with the usual PNG options and leave GIMP open.",
        choice=0,
        artefact={"sun": "top left"},
        mistake=MISUNDERSTANDING,
        because="the right picture was flipped and exported; the axis was misread and is one command away",
    )
    b = Side(
        instruction="house.png is open in GIMP. Flip the whole image so that top and bottom change places, export it "
        "to Pictures as turned.png with the usual PNG options and leave GIMP open.",
        choice=1,
        artefact={"sun": "bottom right"},
        mistake=MISUNDERSTANDING,
        because="the right picture was flipped and exported; the axis was misread and is one command away",
    )

    def prepare(self, home: Path) -> None:
        """Draw the picture."""
        house().save(home / "Pictures/house.png")

    def perform(self, desk: Desk, choice: int) -> None:
        """Flip by menu, export, accept the options."""
        desk.open(["gimp", "-n", "--no-splash", "Pictures/house.png"], "house")
        hands = desk.hands
        hands.click(560, 620)
        hands.hotkey("alt", "i")
        hands.press("down", "down", "down", "down")
        hands.press("right")
        for _ in range(choice):
            hands.press("down")
        hands.press("enter")
        hands.hotkey("ctrl", "shift", "e")
        hands.expect("Export Image")
        hands.hotkey("ctrl", "a")
        hands.type("turned.png")
        hands.press("enter")
        hands.expect("as PNG")
        hands.press("enter")
        hands.expect_gone("as PNG")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Look in which corner of the exported picture the sun is."""
        with Image.open(home / "Pictures/turned.png") as opened:
            picture = opened.convert("RGB")
        corners = {"top left": (125, 85), "top right": (515, 85), "bottom left": (125, 335), "bottom right": (515, 335)}
        sun = tuple(bytes.fromhex(YELLOW.removeprefix("#")))
        return {"sun": next((name for name, at in corners.items() if picture.getpixel(at) == sun), None)}


SCENARIOS = (Flip,)
