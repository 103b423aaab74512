"""Settings of the desktop itself, in Openbox's configuration program."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from desk import Desk
from scenario import MISUNDERSTANDING, Scenario, Side

SYSTEM_SETTINGS = Path("/etc/xdg/openbox/rc.xml")


class Margin(Scenario):
    """Room is kept free at the upper or at the lower edge of the screen."""

    name = "settings_margin"
    category = "General"
    applications = ("Openbox Configuration Manager",)
    differs = "which of four number fields gets the 48: seen in the frames before another page is opened"
    a = Side(
        instruction="In the Openbox Configuration Manager keep 48 pixels free at the upper edge of the screen (page "
        "Margins), turn off the notification when switching desktops (page Desktops), and close it.",
        choice=(650, 229),
        artefact={"top": "48", "bottom": "0", "notification": "0"},
        mistake=MISUNDERSTANDING,
        because="the margin was set at another edge; two numbers have to be changed",
    )
    b = Side(
        instruction="In the Openbox Configuration Manager keep 48 pixels free at the lower edge of the screen (page "
        "Margins), turn off the notification when switching desktops (page Desktops), and close it.",
        choice=(650, 528),
        artefact={"top": "0", "bottom": "48", "notification": "0"},
        mistake=MISUNDERSTANDING,
        because="the margin was set at another edge; two numbers have to be changed",
    )

    def prepare(self, home: Path) -> None:
        """Give the user a copy of the system's settings."""
        folder = home / ".config/openbox"
        folder.mkdir()
        (folder / "rc.xml").write_bytes(SYSTEM_SETTINGS.read_bytes())

    def perform(self, desk: Desk, choice: tuple[int, int]) -> None:
        """Set the margin, turn off the notification, close."""
        desk.open(["obconf"], "Openbox")
        hands = desk.hands
        hands.click(50, 308)
        hands.click(160, 80)
        hands.click(50, 352)
        hands.click(*choice, times=2)
        hands.type("48")
        hands.press("tab")
        hands.click(50, 68)
        hands.hotkey("alt", "f4")
        hands.expect_gone("Openbox")
        hands.close_with_a_look()

    def artefact(self, home: Path) -> Any:
        """Read the settings file."""
        root = ElementTree.parse(home / ".config/openbox/rc.xml").getroot()
        found = {element.tag.split("}")[-1]: element for element in root.iter()}
        margins = {child.tag.split("}")[-1]: child.text for child in found["margins"]}
        return {"top": margins["top"], "bottom": margins["bottom"], "notification": found["popupTime"].text}


SCENARIOS = (Margin,)
